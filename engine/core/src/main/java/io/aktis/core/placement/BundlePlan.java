package io.aktis.core.placement;

import io.aktis.core.id.NodeId;
import java.util.SortedMap;

/** Where the bundles of a group could go. */
public sealed interface BundlePlan {
  /**
   * All of them have room.
   *
   * @param nodes the node of each bundle, by index
   */
  record Found(SortedMap<Integer, NodeId> nodes) implements BundlePlan {}

  /**
   * There could be room once something is free.
   *
   * @param reason what there is too little of
   */
  record Busy(String reason) implements BundlePlan {}

  /**
   * The nodes that are known can never hold them.
   *
   * @param reason what there is too little of
   */
  record Infeasible(String reason) implements BundlePlan {}
}
