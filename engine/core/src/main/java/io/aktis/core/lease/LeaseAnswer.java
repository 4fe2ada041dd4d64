package io.aktis.core.lease;

import io.aktis.core.id.BundleId;
import io.aktis.core.id.LeaseId;
import io.aktis.core.resource.NodeNumbers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a ledger says to a {@link LeaseRequest}. */
public sealed interface LeaseAnswer {
  /** Returns the lease that was asked for. */
  LeaseId lease();

  /**
   * The resources are taken.
   *
   * @param lease the lease
   * @param bundle the bundle it runs in, by its index, or null
   * @param gpus the devices it may use
   */
  record Granted(LeaseId lease, @Nullable BundleId bundle, List<GpuShare> gpus)
      implements LeaseAnswer {}

  /**
   * Nothing is taken.
   *
   * @param lease the lease
   * @param reason why
   * @param numbers the node as it is now
   * @param idle leases that are cached for reuse, the longest first, and that would make room
   *     together: their owners should be asked to give them back. Empty when they would not.
   */
  record Refused(LeaseId lease, Refusal reason, NodeNumbers numbers, List<LeaseId> idle)
      implements LeaseAnswer {}
}
