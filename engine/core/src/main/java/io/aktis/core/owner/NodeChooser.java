package io.aktis.core.owner;

import io.aktis.core.id.NodeId;
import java.util.List;

/** Chooses the node of a task on what is known of the cluster; may be wrong without harm. */
public interface NodeChooser {
  /** Chooses a node for the first of a shape's tasks. */
  Choice choose(ShapeKey key, Task first);

  /** Returns a number that changes when {@link #choose} may say something else than before. */
  long version();

  /** What was chosen. */
  sealed interface Choice {
    /**
     * Ask this node.
     *
     * @param node the node
     */
    record Ask(NodeId node) implements Choice {}

    /**
     * All that could hold it are busy.
     *
     * @param reason why, in words
     * @param rejectedBy the nodes with their reasons
     * @param askAt nodes to ask all the same: they know the truth, and remember who was refused
     */
    record Busy(String reason, List<String> rejectedBy, List<NodeId> askAt) implements Choice {}

    /**
     * No node can ever hold it, as things are.
     *
     * @param reason why, in words
     * @param rejectedBy the nodes with their reasons
     */
    record Never(String reason, List<String> rejectedBy) implements Choice {}
  }
}
