package io.aktis.core.lease;

import io.aktis.core.id.LeaseId;
import java.util.List;

/**
 * What a ledger says when blocked work wants to go on.
 *
 * @param outcome what happened
 * @param idle when queued: idle leases whose CPU would let it go on; empty if there are not enough
 */
public record Unblocked(Outcome outcome, List<LeaseId> idle) {
  static final Unblocked RESUMED = new Unblocked(Outcome.RESUMED, List.of());
  static final Unblocked UNKNOWN = new Unblocked(Outcome.UNKNOWN, List.of());

  /** What can happen. */
  public enum Outcome {
    /** It holds its CPU again and goes on at once. */
    RESUMED,
    /** It waits its turn; a {@link Freed#resumed()} will name it. */
    QUEUED,
    /** There is no such lease: it was released meanwhile. */
    UNKNOWN
  }
}
