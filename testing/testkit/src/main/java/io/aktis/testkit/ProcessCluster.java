package io.aktis.testkit;

import static java.util.stream.Collectors.toSet;

import io.aktis.cluster.session.ClusterClient;
import io.aktis.cluster.session.LocalCluster;
import io.aktis.testkit.NodeHosts.Running;
import io.aktis.testkit.NodeHosts.Wanted;
import io.aktis.wire.message.NodeStatus;
import io.aktis.wire.message.PendingStatus;
import io.aktis.wire.message.StatusReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A cluster of real processes: a daemon for each node, the first one is the head. Thread-safe;
 * whoever starts it stops it.
 */
final class ProcessCluster {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final NodeHosts hosts;
  private final List<NodeShape> shape;
  private final String boardOption;

  /** By their places in the shape; the head is the first. */
  private final ConcurrentNavigableMap<Integer, Running> nodes = new ConcurrentSkipListMap<>();

  private final Set<String> killed = ConcurrentHashMap.newKeySet();

  private ProcessCluster(NodeHosts hosts, List<NodeShape> shape, String boardOption) {
    this.hosts = hosts;
    this.shape = shape;
    this.boardOption = boardOption;
  }

  /**
   * Starts a cluster; returns when it can take work.
   *
   * @param hosts where the nodes run
   * @param boardOption tells the JVM of a worker where the {@link SignalBoard} is
   */
  static ProcessCluster start(NodeHosts hosts, List<NodeShape> shape, String boardOption) {
    ProcessCluster cluster = new ProcessCluster(hosts, shape, boardOption);
    boolean started = false;
    try {
      cluster.add(shape.getFirst());
      cluster.join(IntStream.range(1, shape.size()).boxed().toList());
      cluster.awaitKnown();
      started = true;
      return cluster;
    } finally {
      if (!started) {
        cluster.stop();
      }
    }
  }

  /** Starts the nodes that have these places in the shape, all at once; the head is there. */
  private void join(List<Integer> places) {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Running>> starts =
          places.stream()
              .map(place -> threads.submit(() -> start(place, shape.get(place))))
              .toList();
      for (Future<Running> start : starts) {
        start.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("a node of the tests does not start", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while nodes start", e);
    }
  }

  /**
   * Starts one more node, the head if there is none yet; returns when it can take work.
   *
   * @return its id
   */
  String add(NodeShape node) {
    return start(nodes.isEmpty() ? 0 : nodes.lastKey() + 1, node).id();
  }

  private Running start(int place, NodeShape node) {
    String join = nodes.isEmpty() ? "" : head().address();
    // A worker lives for one test: that it starts fast is worth more than that it runs fast.
    List<String> workerOptions = List.of("-XX:TieredStopAtLevel=1", boardOption);
    Running started = hosts.start(new Wanted(place, join, node, workerOptions));
    nodes.put(place, started);
    return started;
  }

  private Running head() {
    return nodes.firstEntry().getValue();
  }

  private void awaitKnown() {
    Await.until(
        "the head to know all nodes, and no other",
        PATIENCE,
        () -> known().equals(addresses()),
        () -> "It knows " + known() + ", and there are " + addresses());
  }

  private Set<String> addresses() {
    return alive().stream().map(Running::address).collect(toSet());
  }

  /** Returns the addresses of the nodes that the head sees alive, itself included. */
  private Set<String> known() {
    return status(head(), false).getNodesList().stream()
        .filter(NodeStatus::getAlive)
        .map(NodeStatus::getAddress)
        .collect(toSet());
  }

  /** Returns what was asked for. */
  List<NodeShape> shape() {
    return shape;
  }

  /** Returns the address for sessions. */
  String address() {
    return "aktis://" + head().address();
  }

  boolean hasNode(String nodeId) {
    return nodes.values().stream().anyMatch(node -> node.id().equals(nodeId));
  }

  /** Returns the ids of the nodes that were not killed, the head first. */
  List<String> nodeIds() {
    return alive().stream().map(node -> node.id()).toList();
  }

  /** Returns whether all nodes are there. */
  boolean isWhole() {
    return nodes.values().stream().allMatch(node -> node.process().isAlive());
  }

  /** Returns whether the first node is there, without which no other can join. */
  boolean hasHead() {
    return head().process().isAlive();
  }

  /**
   * Puts new nodes into the place of those that were killed; returns when the head knows them, and
   * has forgotten the others. For a cluster that {@link #hasHead}.
   */
  void replaceKilled() {
    Map<Integer, Running> gone = new TreeMap<>(nodes);
    gone.values().removeIf(node -> node.process().isAlive());
    hosts.stop(List.copyOf(gone.values()));
    nodes.keySet().removeAll(gone.keySet());
    join(List.copyOf(gone.keySet()));
    awaitKnown();
  }

  // ---- faults ---------------------------------------------------------------------------------

  /**
   * Kills a daemon with SIGKILL; returns when all that it started is gone as well.
   *
   * @throws AssertionError when something of it outlives it
   */
  void kill(String nodeId) {
    Running node =
        nodes.values().stream()
            .filter(each -> each.id().equals(nodeId))
            .findFirst()
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "there is no node '" + nodeId + "'; there are " + nodeIds()));
    killed.add(nodeId);
    List<ProcessHandle> children = node.process().descendants().toList();
    node.process().destroyForcibly();
    Await.until(
        "the processes of a killed node to end",
        PATIENCE,
        () ->
            Stream.concat(Stream.of(node.process()), children.stream())
                .noneMatch(ProcessHandle::isAlive),
        () -> "Left are " + children.stream().filter(ProcessHandle::isAlive).toList());
  }

  // ---- inspection -----------------------------------------------------------------------------

  /** Returns what is wrong on the nodes, in words. */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    for (Running node : alive()) {
      if (!node.process().isAlive()) {
        problems.add(
            "the daemon of "
                + node.id()
                + " has ended. It wrote: "
                + String.join("\n", node.directory().lastLines(20)));
      }
    }
    return problems;
  }

  private List<Running> alive() {
    return nodes.values().stream().filter(node -> !killed.contains(node.id())).toList();
  }

  private List<StatusReply> status() {
    return alive().stream().map(node -> status(node, true)).toList();
  }

  private static StatusReply status(Running node, boolean localOnly) {
    String address = node.address();
    try (ClusterClient client = ClusterClient.open(LocalCluster.find(address))) {
      return client.status(localOnly, PATIENCE.toMillis());
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
    hosts.stop(List.copyOf(nodes.values()));
  }
}
