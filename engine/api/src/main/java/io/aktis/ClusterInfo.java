package io.aktis;

import java.util.List;

/**
 * The nodes of a session and what waits for them, at one moment.
 *
 * @param nodes the nodes, dead ones included
 * @param pending work that waits for resources, by shape
 */
public record ClusterInfo(List<NodeInfo> nodes, List<PendingWork> pending) {
  /** Returns the sum of a resource over the nodes that are alive, such as {@code CPU}. */
  public double total(String resource) {
    return nodes.stream()
        .filter(NodeInfo::alive)
        .mapToDouble(node -> node.total().getOrDefault(resource, 0.0))
        .sum();
  }

  /** Returns the free sum of a resource over the nodes that are alive. */
  public double available(String resource) {
    return nodes.stream()
        .filter(NodeInfo::alive)
        .mapToDouble(node -> node.available().getOrDefault(resource, 0.0))
        .sum();
  }
}
