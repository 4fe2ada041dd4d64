package io.aktis.core.lease;

import io.aktis.core.id.LeaseId;
import java.util.List;

/**
 * What became possible because something was given back.
 *
 * @param resumed leases that waited to go on and hold their CPU again
 * @param tryAgain who was refused, would be granted now and should ask again, in the order of
 *     asking
 */
public record Freed(List<LeaseId> resumed, List<Hungry> tryAgain) {
  /** Nobody waited for anything. */
  public static final Freed NOTHING = new Freed(List.of(), List.of());

  /** Tells whether there is nobody to tell. */
  public boolean isNothing() {
    return resumed.isEmpty() && tryAgain.isEmpty();
  }
}
