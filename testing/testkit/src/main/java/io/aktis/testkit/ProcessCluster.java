package io.aktis.testkit;

import io.aktis.cluster.control.ControlPlace;
import io.aktis.cluster.session.ClusterClient;
import io.aktis.cluster.session.LocalCluster;
import io.aktis.cluster.session.NodeLauncher;
import io.aktis.cluster.session.NodeLauncher.Started;
import io.aktis.cluster.session.NodeRequest;
import io.aktis.cluster.session.NodeStopper;
import io.aktis.wire.message.NodeStatus;
import io.aktis.wire.message.PendingStatus;
import io.aktis.wire.message.StatusReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * A cluster of real processes on the loopback address: a daemon for each node, the first one is the
 * head. Thread-safe; whoever starts it stops it.
 */
final class ProcessCluster {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration GRACE = Duration.ofSeconds(5);

  /** Much of it is never touched, and costs nothing. */
  private static final long DEFAULT_STORE_BYTES = 1L << 30;

  private final List<NodeShape> shape;
  private final String boardOption;
  private final List<Started> nodes = new CopyOnWriteArrayList<>();
  private final Set<String> killed = ConcurrentHashMap.newKeySet();

  private ProcessCluster(List<NodeShape> shape, String boardOption) {
    this.shape = shape;
    this.boardOption = boardOption;
  }

  /**
   * Starts a cluster; returns when it can take work.
   *
   * @param boardOption tells the JVM of a worker where the {@link SignalBoard} is
   */
  static ProcessCluster start(List<NodeShape> shape, String boardOption) {
    ProcessCluster cluster = new ProcessCluster(shape, boardOption);
    boolean started = false;
    try {
      shape.forEach(cluster::add);
      Await.until(
          "the head to know all nodes",
          PATIENCE,
          () -> cluster.known() == shape.size(),
          () -> "It knows " + cluster.known() + " of " + shape.size());
      started = true;
      return cluster;
    } finally {
      if (!started) {
        cluster.stop();
      }
    }
  }

  /**
   * Starts one more node, the head if there is none yet; returns when it can take work.
   *
   * @return its id
   */
  String add(NodeShape node) {
    String join = nodes.isEmpty() ? "" : nodes.getFirst().ready().address();
    try {
      Started started =
          new NodeLauncher(EngineClassPath.ofThisProcess()).start(request(join, node, boardOption));
      nodes.add(started);
      return started.ready().nodeId();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a node starts", e);
    }
  }

  /** Returns how many nodes the head sees alive, itself included. */
  private long known() {
    return status(nodes.getFirst(), false).getNodesList().stream()
        .filter(NodeStatus::getAlive)
        .count();
  }

  private static NodeRequest request(String join, NodeShape shape, String boardOption) {
    return new NodeRequest(
        join,
        new NodeRequest.Listen(null, null, 0, 0),
        new NodeRequest.Amounts(
            shape.cpus(),
            shape.gpus(),
            shape.memoryBytes() == 0 ? null : shape.memoryBytes(),
            shape.resources(),
            shape.labels(),
            shape.objectStoreBytes() == 0 ? DEFAULT_STORE_BYTES : shape.objectStoreBytes()),
        new NodeRequest.Files(
            null,
            null,
            null,
            null,
            // A worker lives for one test: that it starts fast is worth more than that it runs
            // fast.
            List.of("-XX:TieredStopAtLevel=1", boardOption)),
        join.isEmpty() ? ControlPlace.parse(ControlPlace.MEMORY) : null);
  }

  /** Returns what was asked for. */
  List<NodeShape> shape() {
    return shape;
  }

  /** Returns the address for sessions. */
  String address() {
    return "aktis://" + nodes.getFirst().ready().address();
  }

  boolean hasNode(String nodeId) {
    return nodes.stream().anyMatch(node -> node.ready().nodeId().equals(nodeId));
  }

  /** Returns the ids of the nodes that were not killed, the head first. */
  List<String> nodeIds() {
    return alive().stream().map(node -> node.ready().nodeId()).toList();
  }

  /** Returns whether all nodes are there. */
  boolean isWhole() {
    return nodes.stream().allMatch(node -> node.process().isAlive());
  }

  // ---- faults ---------------------------------------------------------------------------------

  /**
   * Kills a daemon with SIGKILL; returns when all that it started is gone as well.
   *
   * @throws AssertionError when something of it outlives it
   */
  void kill(String nodeId) {
    Started node =
        nodes.stream()
            .filter(each -> each.ready().nodeId().equals(nodeId))
            .findFirst()
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "there is no node '" + nodeId + "'; there are " + nodes));
    killed.add(nodeId);
    List<ProcessHandle> children = node.process().descendants().toList();
    node.process().destroyForcibly();
    Await.until(
        "the processes of a killed node to end",
        PATIENCE,
        () ->
            Stream.concat(Stream.of(node.process().toHandle()), children.stream())
                .noneMatch(ProcessHandle::isAlive),
        () -> "Left are " + children.stream().filter(ProcessHandle::isAlive).toList());
  }

  // ---- inspection -----------------------------------------------------------------------------

  /** Returns what is wrong on the nodes, in words. */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    for (Started node : alive()) {
      if (!node.process().isAlive()) {
        problems.add(
            "the daemon of "
                + node.ready().nodeId()
                + " has ended. It wrote: "
                + String.join("\n", node.directory().lastLines(20)));
      }
    }
    return problems;
  }

  private List<Started> alive() {
    return nodes.stream().filter(node -> !killed.contains(node.ready().nodeId())).toList();
  }

  private List<StatusReply> status() {
    return alive().stream().map(node -> status(node, true)).toList();
  }

  private static StatusReply status(Started node, boolean localOnly) {
    String address = node.ready().address();
    try (ClusterClient client = ClusterClient.open(LocalCluster.find(address))) {
      return client.status(localOnly);
    }
  }

  /** Returns the bytes of all stores in use. */
  long storeUsedBytes() {
    return sum(NodeStatus::getStoreUsedBytes);
  }

  /** Returns the bytes of all stores that readers hold. */
  long pinnedBytes() {
    return sum(NodeStatus::getStorePinnedBytes);
  }

  private long sum(ToLongFunction<NodeStatus> bytes) {
    return status().stream().flatMap(reply -> reply.getNodesList().stream()).mapToLong(bytes).sum();
  }

  /**
   * Waits until nothing of any session is left.
   *
   * @throws AssertionError when something is
   */
  void awaitIdle() {
    Await.until(
        "nothing to be left on the nodes",
        PATIENCE,
        () -> leftovers().isEmpty(),
        () -> "There is " + leftovers());
  }

  private List<String> leftovers() {
    List<String> left = new ArrayList<>();
    for (StatusReply reply : status()) {
      for (NodeStatus node : reply.getNodesList()) {
        if (!node.getNumbers().getAvailable().equals(node.getNumbers().getTotal())
            || node.getWorkers() > 0
            || node.getStoreUsedBytes() > 0) {
          left.add(node.toString());
        }
      }
      reply.getPendingList().stream().map(PendingStatus::toString).forEach(left::add);
    }
    return left;
  }

  /** Ends all nodes. */
  void stop() {
    try {
      new NodeStopper(GRACE).stop(nodes.stream().map(Started::directory).toList());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while nodes end", e);
    }
  }
}
