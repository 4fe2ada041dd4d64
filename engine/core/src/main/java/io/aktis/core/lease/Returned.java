package io.aktis.core.lease;

import io.aktis.core.id.LeaseId;
import java.util.List;

/**
 * What follows when bundles are given up.
 *
 * @param toEnd leases that ran in them: their work has to be ended now. Each holds its resources
 *     until it is released.
 * @param freed what became possible
 */
public record Returned(List<LeaseId> toEnd, Freed freed) {
  /** Nothing was given up. */
  public static final Returned NOTHING = new Returned(List.of(), Freed.NOTHING);
}
