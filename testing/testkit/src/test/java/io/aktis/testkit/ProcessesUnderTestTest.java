package io.aktis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.Aktis;
import io.aktis.AktisSession;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Clusters of processes for tests; each test is a JVM of its own, for they end with theirs. */
class ProcessesUnderTestTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Runs a task on a node, prints what there is, and waits to be killed. */
  static final class Held {
    static void main() throws Exception {
      ClusterUnderTest cluster = new ProcessesUnderTest();
      Deployment nodes = cluster.deploy(SessionShape.ofCpus(1));
      AktisSession session = Aktis.init(nodes.options());
      Gate gate = Gate.closed();
      session.run(Gate::pass, gate).remote();
      gate.awaitArrivals(1);
      System.out.println(System.getProperty("aktis.home.dir"));
      ProcessHandle.allProcesses()
          .filter(process -> isOurs(process, System.getProperty("aktis.home.dir")))
          .forEach(process -> System.out.println(process.pid()));
      System.out.println();
      Thread.currentThread().join();
    }

    private static boolean isOurs(ProcessHandle process, String home) {
      try {
        Path environment = Path.of("/proc", Long.toString(process.pid()), "environ");
        return Files.isReadable(environment) && Files.readString(environment).contains(home);
      } catch (java.io.IOException gone) {
        return false;
      }
    }
  }

  /** Uses nodes as tests do, one after the other. */
  static final class Reused {
    static void main() {
      ClusterUnderTest cluster = new ProcessesUnderTest();
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
      Deployment nodes = cluster.deploy(blue);
      try (AktisSession session = Aktis.init(nodes.options())) {
        String victim = session.cluster().nodes().getLast().id();
        cluster.faults(session).kill(victim);
        System.out.println(
            "alive " + session.cluster().nodes().stream().filter(n -> n.alive()).count());
      }
      cluster.release();
      String third = use(cluster, blue);
      System.out.println("reused " + first.equals(second) + " " + second.equals(third));
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

  @Test
  void nodes_usedByTests_haveTheirShapeAndAreReusedUntilOneIsKilled() throws Exception {
    Process jvm = start(Reused.class);
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
            "reused true false");
  }

  @Test
  void nodes_whenTheJvmOfTheTestsIsKilled_endAndLeaveNothing() throws Exception {
    Process jvm = start(Held.class);
    try (BufferedReader output = jvm.inputReader()) {
      Path home = Path.of(output.readLine());
      List<Long> processes =
          output.lines().takeWhile(line -> !line.isEmpty()).map(Long::valueOf).toList();
      assertThat(processes).as("daemon and worker").hasSizeGreaterThanOrEqualTo(2);
      assertThat(home).isDirectory();

      jvm.destroyForcibly().waitFor();

      Await.until(
          "the nodes to end and their files to be deleted",
          PATIENCE,
          () ->
              !Files.exists(home) && processes.stream().noneMatch(ProcessesUnderTestTest::isAlive),
          () -> "There is " + home);
    } finally {
      jvm.destroyForcibly();
    }
  }

  private static boolean isAlive(long pid) {
    Optional<ProcessHandle> process = ProcessHandle.of(pid);
    return process.isPresent() && process.get().isAlive();
  }

  private static Process start(Class<?> program) throws Exception {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            System.getProperty("java.class.path"),
            program.getName())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }
}
