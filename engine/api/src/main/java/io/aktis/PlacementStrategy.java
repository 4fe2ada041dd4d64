package io.aktis;

/** How the bundles of a placement group are laid on nodes. */
public enum PlacementStrategy {
  /** On as few nodes as possible. */
  PACK,
  /** On as many nodes as possible. */
  SPREAD,
  /** All on one node, or not at all. */
  STRICT_PACK,
  /** Each on a node of its own, or not at all. */
  STRICT_SPREAD
}
