package io.aktis.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.NodeInfo;
import java.io.BufferedReader;
import java.io.UncheckedIOException;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clusters of processes for tests; each test is a JVM of its own, for they end with theirs. */
class ProcessesUnderTestTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Runs a task on a node, prints what there is, and waits to be killed. */
  static final class Held {
    static void main() throws Exception {
      ClusterUnderTest cluster = ClusterUnderTest.current();
      Deployment nodes = cluster.deploy(SessionShape.ofCpus(1));
      AktisSession session = Aktis.init(nodes.options());
      Gate gate = Gate.closed();
      session.run(Gate::pass, gate).remote();
      gate.awaitArrivals(1);
      System.out.println(System.getProperty("aktis.home.dir"));
      ProcessHandle.current().descendants().forEach(process -> System.out.println(process.pid()));
      System.out.println();
      Thread.currentThread().join();
    }
  }

  /** Uses nodes as tests do, one after the other. */
  static final class Reused {
    static void main() {
      ClusterUnderTest cluster = ClusterUnderTest.current();
      SessionShape blue =
          new SessionShape(
              List.of(
                  NodeShape.ofCpus(1),
                  new NodeShape(
                      2,
                      1,
                      10_000,
                      8 << 20,
                      new TreeMap<>(Map.of("zone", "b")),
                      new TreeMap<>(Map.of("licence", 0.5)))),
              options -> options.namespace("blue"));
      String first = use(cluster, blue);
      String second = use(cluster, blue);
      use(cluster, SessionShape.ofCpus(3));
      kill(cluster, blue, node -> node.labels().containsKey("zone"));
      String third = use(cluster, blue);
      kill(cluster, blue, node -> !node.labels().containsKey("zone"));
      String fourth = use(cluster, blue);
      System.out.println(
          "reused " + List.of(first.equals(second), second.equals(third), third.equals(fourth)));
    }

    private static void kill(
        ClusterUnderTest cluster, SessionShape shape, Predicate<NodeInfo> victim) {
      try (AktisSession session = Aktis.init(cluster.deploy(shape).options())) {
        NodeInfo node = session.cluster().nodes().stream().filter(victim).findFirst().orElseThrow();
        cluster.faults(session).kill(node.id());
        System.out.println(
            "alive " + session.cluster().nodes().stream().filter(NodeInfo::alive).count());
      }
      cluster.release();
    }

    /** Of all nodes, which come in any order. */
    private static Map<String, String> labels(AktisSession session) {
      Map<String, String> labels = new TreeMap<>();
      session.cluster().nodes().forEach(node -> labels.putAll(node.labels()));
      return labels;
    }

    private static String use(ClusterUnderTest cluster, SessionShape shape) {
      Deployment nodes = cluster.deploy(shape);
      try (AktisSession session = Aktis.init(nodes.options())) {
        EngineInspection inspection = cluster.inspect(session);
        System.out.println(
            session.namespace()
                + " "
                + session.cluster().total("CPU")
                + " "
                + session.cluster().total("licence")
                + " "
                + labels(session)
                + " "
                + session.task(() -> 42).remote().get()
                + " "
                + inspection.problems());
      }
      cluster.release();
      return nodes.address();
    }
  }

  /** Fails the assumption where hosts cannot be imitated. */
  private static void assumePossible(String mode) {
    if (mode.equals("nodes")) {
      String obstacle = HostNetwork.obstacle();
      assumeTrue(obstacle.isEmpty(), obstacle);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"processes", "nodes"})
  void nodes_usedByTests_haveTheirShapeAndAreReusedUntilTheHeadIsKilled(String mode)
      throws Exception {
    assumePossible(mode);
    Process jvm = start(Reused.class, mode);
    List<String> lines;
    try (BufferedReader output = jvm.inputReader()) {
      lines = output.lines().toList();
    }

    assertThat(jvm.waitFor()).as("%s", lines).isZero();
    assertThat(lines)
        .containsExactly(
            "blue 3.0 0.5 {zone=b} 42 []",
            "blue 3.0 0.5 {zone=b} 42 []",
            "default 3.0 0.0 {} 42 []",
            "alive 1",
            "blue 3.0 0.5 {zone=b} 42 []",
            "alive 1",
            "blue 3.0 0.5 {zone=b} 42 []",
            "reused [true, true, false]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"processes", "nodes"})
  void nodes_whenTheJvmOfTheTestsIsKilled_endAndLeaveNothing(String mode) throws Exception {
    assumePossible(mode);
    Process jvm = start(Held.class, mode);
    try (BufferedReader output = jvm.inputReader()) {
      Path home = Path.of(output.readLine());
      List<Long> processes =
          output.lines().takeWhile(line -> !line.isEmpty()).map(Long::valueOf).toList();
      assertThat(processes).as("guard, daemon and worker").hasSizeGreaterThanOrEqualTo(3);
      assertThat(home).isDirectory();

      jvm.destroyForcibly().waitFor();

      Await.until(
          "the nodes to end and their files to be deleted",
          PATIENCE,
          () ->
              !Files.exists(home)
                  && processes.stream()
                      .noneMatch(pid -> isAlive(pid) || hasInterface("aktis" + pid)),
          () -> "There is " + home + ", of " + processes);
    } finally {
      jvm.destroyForcibly();
    }
  }

  private static boolean isAlive(long pid) {
    Optional<ProcessHandle> process = ProcessHandle.of(pid);
    return process.isPresent() && process.get().isAlive();
  }

  private static boolean hasInterface(String name) {
    try {
      return NetworkInterface.getByName(name) != null;
    } catch (SocketException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Process start(Class<?> program, String mode) throws Exception {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-D" + ClusterUnderTest.MODE + "=" + mode,
            "-D" + TestHome.TLS + "=true",
            "-cp",
            System.getProperty("java.class.path"),
            program.getName())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }
}
