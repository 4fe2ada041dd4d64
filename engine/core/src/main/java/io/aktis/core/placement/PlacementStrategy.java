package io.aktis.core.placement;

/** How the bundles of a group lie on nodes. */
public enum PlacementStrategy {
  /** On as few nodes as possible. */
  PACK,
  /** On as many nodes as possible. */
  SPREAD,
  /** On one node, or not at all. */
  STRICT_PACK,
  /** Each on a node of its own, or not at all. */
  STRICT_SPREAD
}
