package io.aktis.core.owner;

import io.aktis.core.id.NodeId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that could not make a process which work needs, so that other nodes are asked: one
 * whose disk is full, say, costs itself and not the job. A pure value of one owner: time comes from
 * outside. Not thread-safe.
 */
public final class FailedStarts {
  /** So long a node is left alone. */
  public static final long AVOID_MS = 30_000;

  /** When so many nodes could not make it, it is the process that cannot be made. */
  static final int MAX_NODES = 3;

  private final Map<ProcessNeeds, Map<NodeId, Failure>> failures = new LinkedHashMap<>();

  private record Failure(String reason, long untilMs) {}

  /**
   * A node could not make a process.
   *
   * @param reason in words, with the node
   */
  public void failed(ProcessNeeds needs, NodeId node, String reason, long nowMs) {
    Map<NodeId, Failure> nodes = failures.computeIfAbsent(needs, _ -> new LinkedHashMap<>());
    nodes.remove(node); // the last one is told last
    nodes.put(node, new Failure(reason, nowMs + AVOID_MS));
  }

  /** Nearly always there is nothing: asked for each lease, so needs are not hashed then. */
  private @Nullable Map<NodeId, Failure> of(ProcessNeeds needs) {
    return failures.isEmpty() ? null : failures.get(needs);
  }

  /** A node has made one. */
  public void made(ProcessNeeds needs, NodeId node) {
    Map<NodeId, Failure> nodes = of(needs);
    if (nodes != null && nodes.remove(node) != null && nodes.isEmpty()) {
      failures.remove(needs);
    }
  }

  /** Returns the nodes that are not to be asked now. */
  public List<NodeId> avoided(ProcessNeeds needs, long nowMs) {
    Map<NodeId, Failure> nodes = of(needs);
    if (nodes == null) {
      return List.of();
    }
    nodes.values().removeIf(failure -> failure.untilMs <= nowMs);
    if (nodes.isEmpty()) {
      failures.remove(needs);
    }
    return List.copyOf(nodes.keySet());
  }

  /** Returns whether there is no sense in asking more nodes. */
  public boolean isHopeless(ProcessNeeds needs, long nowMs) {
    return avoided(needs, nowMs).size() >= MAX_NODES;
  }

  /** Forgets what failed for work that fails by it, and returns the reasons, in their order. */
  public List<String> giveUp(ProcessNeeds needs) {
    Map<NodeId, Failure> nodes = failures.remove(needs);
    List<String> reasons = new ArrayList<>();
    if (nodes != null) {
      nodes.values().forEach(failure -> reasons.add(failure.reason));
    }
    return reasons;
  }
}
