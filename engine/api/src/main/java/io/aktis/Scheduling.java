package io.aktis;

/** Where work may run. */
public sealed interface Scheduling {
  /** Near its arguments, then packed to half load, then spread: the default. */
  record Default() implements Scheduling {}

  /** Evenly over the nodes that can hold it. */
  record Spread() implements Scheduling {}

  /**
   * On one node.
   *
   * @param nodeId id of the node as {@link NodeInfo#id} shows it
   * @param soft whether another node will do when this one is gone or can never hold the work
   */
  record OnNode(String nodeId, boolean soft) implements Scheduling {
    /** Checks the id. */
    public OnNode {
      Checks.text(nodeId, "the node id");
    }
  }

  /**
   * In a reservation.
   *
   * @param group the placement group
   * @param bundle index of the bundle, or -1 for any
   * @param captureChildren whether tasks and actors that the work makes, and that name no place,
   *     run in any bundle of the group as well
   */
  record InGroup(PlacementGroup group, int bundle, boolean captureChildren) implements Scheduling {
    /** Checks the index. */
    public InGroup {
      Checks.notNull(group, "the placement group");
      int count = group.bundles().size();
      if (bundle < -1 || bundle >= count) {
        throw new IllegalArgumentException(
            "the bundle must be from 0 to " + (count - 1) + ", or -1 for any, not " + bundle);
      }
    }
  }
}
