package io.aktis.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The clusters of processes that the tests of this JVM use. To start one takes seconds, so one that
 * is idle waits for the next test that wants the same nodes. Thread-safe; ends with the JVM.
 */
final class ProcessPool {
  /** How many clusters may wait for their next use. */
  private static final int MAX_IDLE = 3;

  private final NodeHosts hosts;
  private final SignalServer board;
  private final List<ProcessCluster> inUse = new ArrayList<>();

  /** The one that was used last is at the end. */
  private final List<ProcessCluster> idle = new ArrayList<>();

  private ProcessPool(NodeHosts hosts) {
    this.hosts = hosts;
    board = SignalServer.serve(SignalBoard.current(), hosts.boardHost());
  }

  private static final class OfThisMachine {
    static final ProcessPool POOL = new ProcessPool(ThisMachine.loopback(TestHome.instance()));
  }

  private static final class OfHosts {
    static final ProcessPool POOL = new ProcessPool(NamespaceHosts.make(TestHome.instance()));
  }

  /** Returns the pool of this JVM whose nodes run on this machine. */
  static ProcessPool onThisMachine() {
    return OfThisMachine.POOL;
  }

  /**
   * Returns the pool of this JVM whose nodes run on hosts of their own.
   *
   * @throws IllegalStateException when this machine cannot imitate hosts; the message says why
   */
  static ProcessPool onHosts() {
    return OfHosts.POOL;
  }

  /**
   * Returns a cluster that this test uses already, or nobody; it is in use until {@link #takeBack}.
   */
  synchronized ProcessCluster take(List<NodeShape> nodes) {
    Optional<ProcessCluster> inTest = withShape(inUse, nodes);
    if (inTest.isPresent()) {
      return inTest.get();
    }
    ProcessCluster cluster =
        waiting(nodes).orElseGet(() -> ProcessCluster.start(hosts, nodes, boardOption()));
    inUse.add(cluster);
    return cluster;
  }

  /** Takes an idle cluster, with new nodes in the place of those that a test has killed. */
  private Optional<ProcessCluster> waiting(List<NodeShape> nodes) {
    Optional<ProcessCluster> found =
        idle.stream().filter(cluster -> cluster.shape().equals(nodes)).findFirst();
    if (found.isPresent()) {
      idle.remove(found.get());
      boolean whole = found.get().isWhole();
      try {
        if (!whole) {
          found.get().replaceKilled();
          whole = true;
        }
      } finally {
        if (!whole) {
          found.get().stop();
        }
      }
    }
    return found;
  }

  /** Starts a cluster that is the caller's alone, who stops it. */
  ProcessCluster startOwn(List<NodeShape> nodes) {
    return ProcessCluster.start(hosts, nodes, boardOption());
  }

  private static Optional<ProcessCluster> withShape(
      List<ProcessCluster> clusters, List<NodeShape> nodes) {
    return clusters.stream()
        .filter(cluster -> cluster.shape().equals(nodes) && cluster.isWhole())
        .findFirst();
  }

  private String boardOption() {
    return "-D" + SignalServer.PROPERTY + "=" + board.address();
  }

  /** Returns what another JVM needs to be a driver here, and to use the board of this one. */
  List<String> jvmOptions() {
    List<String> options = new ArrayList<>(TestHome.instance().programOptions());
    options.add(boardOption());
    return options;
  }

  /** Returns the cluster in use that a node belongs to. */
  synchronized ProcessCluster withNode(String nodeId) {
    return inUse.stream()
        .filter(cluster -> cluster.hasNode(nodeId))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no test uses a node " + nodeId));
  }

  /**
   * Takes all clusters back; those that cannot be used again are stopped.
   *
   * @throws AssertionError when something is left in one
   */
  synchronized void takeBack() {
    List<ProcessCluster> used = List.copyOf(inUse);
    inUse.clear();
    List<AssertionError> failures = new ArrayList<>();
    for (ProcessCluster cluster : used) {
      try {
        cluster.awaitIdle();
        if (cluster.hasHead()) {
          idle.add(cluster);
        } else {
          cluster.stop();
        }
      } catch (AssertionError e) {
        failures.add(e);
        cluster.stop();
      }
    }
    while (idle.size() > MAX_IDLE) {
      idle.removeFirst().stop();
    }
    if (!failures.isEmpty()) {
      throw failures.getFirst();
    }
  }
}
