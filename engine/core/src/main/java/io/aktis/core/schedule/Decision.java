package io.aktis.core.schedule;

import io.aktis.core.id.NodeId;
import java.util.List;

/** Where a piece of work goes, or why it does not go anywhere yet. */
public sealed interface Decision {
  /** How many nodes a decision names at most in {@code rejectedBy}. */
  int MAX_REJECTIONS = 32;

  /**
   * Ask this node.
   *
   * @param node the node
   */
  record Place(NodeId node) implements Decision {}

  /**
   * Some node can hold it, none can now.
   *
   * @param reason what it waits for
   * @param rejectedBy what each node lacks; the first {@link #MAX_REJECTIONS} nodes
   * @param askAt up to two nodes that should be asked all the same: they know the truth, may have
   *     idle leases to reclaim, and remember who was refused
   */
  record Wait(String reason, List<Rejection> rejectedBy, List<NodeId> askAt) implements Decision {}

  /**
   * No node that is known can ever hold it.
   *
   * @param reason what there is too little of
   * @param rejectedBy what each node lacks; the first {@link #MAX_REJECTIONS} nodes
   */
  record Infeasible(String reason, List<Rejection> rejectedBy) implements Decision {}

  /**
   * The one node where it may run does not exist any more.
   *
   * @param node the node
   */
  record NodeGone(NodeId node) implements Decision {}
}
