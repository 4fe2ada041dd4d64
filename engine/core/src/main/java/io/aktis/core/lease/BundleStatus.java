package io.aktis.core.lease;

import io.aktis.core.id.BundleId;
import io.aktis.core.resource.Resources;

/**
 * A bundle on a node, as the node tells it.
 *
 * @param id the bundle
 * @param attempt the attempt that brought it here
 * @param committed whether work may run in it
 * @param total what is set aside
 * @param available what of it is not leased
 */
public record BundleStatus(
    BundleId id, int attempt, boolean committed, Resources total, Resources available) {

  /**
   * Tells whether work may run here that asks for {@code where}: this bundle, or any of its group.
   */
  public boolean isMeantBy(BundleId where) {
    return committed
        && id.group().equals(where.group())
        && (where.isAny() || where.index() == id.index());
  }

  /** Returns this status with something else available. */
  public BundleStatus withAvailable(Resources now) {
    return new BundleStatus(id, attempt, committed, total, now);
  }
}
