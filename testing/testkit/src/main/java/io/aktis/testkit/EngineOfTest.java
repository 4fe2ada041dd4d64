package io.aktis.testkit;

import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.ClusterInfo;
import io.aktis.NodeInfo;
import java.time.Duration;
import java.util.List;

/** The session of one test, and what must be true of its engine when the test is over. */
final class EngineOfTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final ClusterUnderTest cluster;
  private final AktisSession session;
  private final EngineInspection inspection;

  private EngineOfTest(ClusterUnderTest cluster, AktisSession session) {
    this.cluster = cluster;
    this.session = session;
    this.inspection = cluster.inspect(session);
  }

  static EngineOfTest open(ClusterUnderTest cluster, SessionShape shape) {
    return new EngineOfTest(cluster, Aktis.init(cluster.deploy(shape).options()));
  }

  AktisSession session() {
    return session;
  }

  EngineInspection inspection() {
    return inspection;
  }

  NodeFaults faults() {
    return cluster.faults(session);
  }

  /** No rule of the engine is broken; holds whether the test has passed or not. */
  void checkSound() {
    List<String> problems = inspection.problems();
    if (!problems.isEmpty()) {
      throw new AssertionError("The engine is broken: " + problems);
    }
  }

  /** The engine is of use, and nothing is held in it; holds when the test has passed. */
  void checkIdle() {
    if (session.isClosed()) {
      return;
    }
    int answer = session.task(() -> 42).cpus(0).remote().get(PATIENCE);
    if (answer != 42) {
      throw new AssertionError("The engine answers " + answer + " in place of 42");
    }
    Await.until(
        "all resources to be back and nothing to wait",
        PATIENCE,
        () -> isIdle(session.cluster()),
        () -> "There is " + session.cluster());
  }

  private static boolean isIdle(ClusterInfo cluster) {
    return cluster.pending().isEmpty()
        && cluster.nodes().stream()
            .filter(NodeInfo::alive)
            .allMatch(node -> node.available().equals(node.total()));
  }

  /** Nothing is left of the stores, when the collector has taken the views that the test had. */
  void checkGone() {
    Await.until(
        "the stores to be empty",
        PATIENCE,
        this::isGone,
        () ->
            "The closed engine holds "
                + inspection.pinnedBytes()
                + " pinned and "
                + inspection.storeUsedBytes()
                + " stored bytes");
  }

  private boolean isGone() {
    if (inspection.pinnedBytes() == 0 && inspection.storeUsedBytes() == 0) {
      return true;
    }
    System.gc();
    return false;
  }
}
