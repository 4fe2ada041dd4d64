package io.aktis.testkit;

import io.aktis.AktisSession;
import io.aktis.NodeInfo;
import io.aktis.runtime.session.EmbeddedInspector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The engine as processes, on this machine or on hosts that it imitates. */
final class ProcessesUnderTest implements ClusterUnderTest {
  private static final Duration NOTICED = Duration.ofSeconds(30);

  private final String mode;
  private final Supplier<ProcessPool> pool;

  private ProcessesUnderTest(String mode, Supplier<ProcessPool> pool) {
    this.mode = mode;
    this.pool = pool;
  }

  /** The mode {@code processes}. */
  static ProcessesUnderTest onThisMachine() {
    return new ProcessesUnderTest("processes", ProcessPool::onThisMachine);
  }

  /** The mode {@code nodes}. */
  static ProcessesUnderTest onHosts() {
    return new ProcessesUnderTest("nodes", ProcessPool::onHosts);
  }

  @Override
  public String mode() {
    return mode;
  }

  /** The pool opens all that it needs when it is made. */
  @Override
  public void prepare() {
    var _ = pool.get();
  }

  @Override
  public Deployment deploy(SessionShape shape) {
    String address = pool.get().take(shape.nodes()).address();
    return new Deployment(
        address,
        options -> shape.further().apply(options.address(address)),
        pool.get().jvmOptions());
  }

  @Override
  public EngineInspection inspect(AktisSession session) {
    return new Inspection(EmbeddedInspector.of(session), clusterOf(session));
  }

  @Override
  public NodeFaults faults(AktisSession session) {
    ProcessCluster cluster = clusterOf(session);
    return nodeId -> {
      cluster.kill(nodeId);
      Await.until(
          "the session to notice that " + nodeId + " was killed",
          NOTICED,
          () -> session.cluster().nodes().stream().noneMatch(node -> isAlive(node, nodeId)),
          () -> "There is " + session.cluster());
    };
  }

  private static boolean isAlive(NodeInfo node, String nodeId) {
    return node.id().equals(nodeId) && node.alive();
  }

  private ProcessCluster clusterOf(AktisSession session) {
    return pool.get().withNode(session.cluster().nodes().getFirst().id());
  }

  @Override
  public void release() {
    pool.get().takeBack();
  }

  /** The machines of the driver are in this process; the rest is asked of the daemons. */
  private record Inspection(EmbeddedInspector driver, ProcessCluster cluster)
      implements EngineInspection {
    @Override
    public List<String> problems() {
      List<String> problems = new ArrayList<>(driver.problems());
      problems.addAll(cluster.problems());
      return problems;
    }

    @Override
    public long pinnedBytes() {
      return cluster.pinnedBytes();
    }

    @Override
    public long storeUsedBytes() {
      return cluster.storeUsedBytes();
    }
  }
}
