package io.aktis.core.schedule;

import io.aktis.core.id.BundleId;
import io.aktis.core.id.NodeId;

/** How a node is chosen among those that will do. */
public sealed interface Strategy {
  /** Where the data is, then packed to half, then spread. */
  Strategy DEFAULT = new Default();

  /** Evenly over the nodes. */
  Strategy SPREAD = new Spread();

  /** Where the data is, then packed to half load, then spread. */
  record Default() implements Strategy {}

  /** Evenly over the nodes, one by one. */
  record Spread() implements Strategy {}

  /**
   * On one node.
   *
   * @param node the node
   * @param soft whether another will do when this one is gone or can never hold the work; while it
   *     is only busy, the work waits for it
   */
  record OnNode(NodeId node, boolean soft) implements Strategy {}

  /**
   * In a placement group.
   *
   * @param bundle the bundle, or any of the group
   */
  record InGroup(BundleId bundle) implements Strategy {}
}
