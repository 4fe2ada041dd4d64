package io.aktis.testkit;

import io.aktis.Aktis;
import io.aktis.AktisSession;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The cluster that the tests of a class share, and the session of the one that runs. */
final class ClusterOfTests implements TestCluster, AutoCloseable {
  private static final Duration NOTICED = Duration.ofSeconds(30);

  private final NodeShape node;
  private final int count;
  private ProcessCluster running;
  private boolean changed;
  private @Nullable AktisSession session;

  private ClusterOfTests(NodeShape node, int count) {
    this.node = node;
    this.count = count;
    this.running = start();
  }

  /**
   * Starts it.
   *
   * @throws IllegalArgumentException when the annotation makes no sense
   */
  static ClusterOfTests start(AktisCluster wanted) {
    if (wanted.nodes() < 1) {
      throw new IllegalArgumentException(
          "a cluster has at least one node; @AktisCluster asks for " + wanted.nodes());
    }
    NodeShape node =
        new NodeShape(
            wanted.cpus(),
            wanted.gpus(),
            wanted.memoryBytes(),
            wanted.objectStoreBytes(),
            new TreeMap<>(),
            new TreeMap<>());
    return new ClusterOfTests(node, wanted.nodes());
  }

  private ProcessCluster start() {
    return ProcessPool.onThisMachine().startOwn(Collections.nCopies(count, node));
  }

  // ---- the session of a test ------------------------------------------------------------------

  /** Opens the session of the next test, on a new cluster if that of the last one has changed. */
  void openSession() {
    if (changed || !running.isWhole()) {
      running.stop();
      running = start();
      changed = false;
    }
    session = Aktis.init(address());
  }

  /** Returns the session of the test that runs; null when none does. */
  @Nullable AktisSession session() {
    return session;
  }

  /** Ends the session of the test, and what the test has opened as the default in its place. */
  void closeSession() {
    AktisSession open = session;
    session = null;
    try {
      if (open != null) {
        open.close();
      }
    } finally {
      Aktis.shutdown();
    }
  }

  // ---- what tests use -------------------------------------------------------------------------

  @Override
  public String address() {
    return running.address();
  }

  @Override
  public List<String> nodeIds() {
    return running.nodeIds();
  }

  @Override
  public void kill(String nodeId) {
    if (!nodeIds().contains(nodeId)) {
      throw new IllegalArgumentException(
          "there is no node '" + nodeId + "'; there are " + nodeIds());
    }
    changed = true;
    running.kill(nodeId);
    awaitSeen(nodeId, false);
  }

  @Override
  public String addNode() {
    changed = true;
    String nodeId = running.add(node);
    awaitSeen(nodeId, true);
    return nodeId;
  }

  private void awaitSeen(String nodeId, boolean alive) {
    AktisSession open = session;
    if (open == null || open.isClosed()) {
      return;
    }
    Await.until(
        "the session to see that " + nodeId + (alive ? " is there" : " is gone"),
        NOTICED,
        () -> isSeen(open, nodeId) == alive,
        () -> "There is " + open.cluster());
  }

  private static boolean isSeen(AktisSession session, String nodeId) {
    return session.cluster().nodes().stream()
        .anyMatch(each -> each.id().equals(nodeId) && each.alive());
  }

  /** Ends all nodes; nothing is left of them. */
  @Override
  public void close() {
    running.stop();
  }
}
