package io.aktis.core.lease;

import io.aktis.core.id.BundleId;
import io.aktis.core.id.LeaseId;
import io.aktis.core.resource.Demand;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A lease on a node, as the node tells it.
 *
 * @param id the lease
 * @param demand what it was granted for
 * @param bundle the bundle it runs in, or null
 * @param state what its work does
 * @param ending whether its bundle is gone, so that it has to end
 * @param gpus the devices it holds
 */
public record LeaseStatus(
    LeaseId id,
    Demand demand,
    @Nullable BundleId bundle,
    State state,
    boolean ending,
    List<GpuShare> gpus) {
  /** What the work of a lease does. */
  public enum State {
    /** It runs, or is about to. */
    BUSY,
    /** It is cached by its owner, for the next work of this shape. */
    IDLE,
    /** It waits in a get and has given back its CPU. */
    BLOCKED,
    /** It could go on and waits for CPU. */
    RESUMING
  }
}
