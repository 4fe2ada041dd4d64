package io.aktis.core.owner;

import io.aktis.core.id.BundleId;
import io.aktis.core.resource.Demand;
import io.aktis.core.resource.LabelSelector;
import io.aktis.core.schedule.Strategy;
import org.jspecify.annotations.Nullable;

/**
 * What tasks have in common that can share leases.
 *
 * @param demand what they need
 * @param strategy how nodes are chosen
 * @param selector which nodes will do
 * @param bundle the bundle they run in, {@code null} outside of groups
 * @param process which worker process it needs
 */
public record ShapeKey(
    Demand demand,
    Strategy strategy,
    LabelSelector selector,
    @Nullable BundleId bundle,
    ProcessNeeds process) {
  /** Makes the key of work that may share a process. */
  public ShapeKey(
      Demand demand, Strategy strategy, LabelSelector selector, @Nullable BundleId bundle) {
    this(demand, strategy, selector, bundle, ProcessNeeds.SHARED);
  }

  @Override
  public String toString() {
    return demand
        + (selector.isAny() ? "" : " on nodes with " + selector)
        + (bundle == null ? "" : " in " + bundle)
        + process;
  }
}
