package io.aktis.core.placement;

/** What moves a placement group from state to state: the outcomes of what the machine decided. */
public enum PlacementStep {
  /** Nodes are chosen and asked to set bundles aside. */
  PLAN_FOUND,
  /** All nodes have set them aside. */
  ALL_PREPARED,
  /** All nodes have made them last. */
  ALL_COMMITTED,
  /** A node said no, did not answer or was lost: from the beginning. */
  START_OVER,
  /** The same, for a group that existed before: its other bundles stay. */
  PLACE_REST_AGAIN,
  /** A node was lost, and bundles with it. */
  BUNDLES_LOST,
  /** The group is to go: on request, or because its job ended. */
  REMOVE
}
