package io.aktis.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.ObjectRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code aktis cluster} with real daemons: it is used, its nodes die, and nothing is left. */
final class LocalClusterTest {
  private static final int TASKS = 60;

  @Test
  void cluster_whoseNodesDieAgainAndAgain_losesNoWorkAndLeavesNothing() throws Exception {
    try (Machine machine = Machine.here();
        Program command =
            machine.startAktis(
                Map.of(),
                "cluster",
                "--json",
                "--port",
                "0",
                "--nodes",
                "3",
                "--cpus",
                "1",
                "--object-store-memory",
                "128m",
                "--kill-every",
                "3s",
                "--seed",
                "1")) {
      Map<String, Object> ready = RealCluster.parse("{" + command.awaitLine("{"));
      String address = (String) ready.get("address");
      assertThat((List<?>) ready.get("nodes")).hasSize(3);

      assertThat(
              ThreeNodesTest.Demo.counts(
                  machine.mustAktis("demo", "--limit", "20000", "--json", "--address", address)))
          .containsOnly(2_262);
      assertThat(sumOfTasks(machine, address)).isEqualTo(TASKS * (TASKS - 1) / 2);
      assertThat(command.err()).contains("killed ", "started ");

      terminate(command.pid());
      assertThat(command.awaitEnd().exitCode()).isEqualTo(143);
      assertNothingLeft(machine, (String) ready.get("session"));
    }
  }

  @Test
  void cluster_onABadNetwork_countsAsOnAGoodOne() throws Exception {
    try (Machine machine = Machine.here();
        Program command =
            machine.startAktis(
                Map.of(),
                "cluster",
                "--json",
                "--port",
                "0",
                "--nodes",
                "2",
                "--cpus",
                "1",
                "--object-store-memory",
                "128m",
                "--latency",
                "10ms",
                "--bandwidth",
                "20MB/s")) {
      Map<String, Object> ready = RealCluster.parse("{" + command.awaitLine("{"));
      String address = (String) ready.get("address");

      assertThat(
              ThreeNodesTest.Demo.counts(
                  machine.mustAktis("demo", "--limit", "20000", "--json", "--address", address)))
          .containsOnly(2_262);
      assertThat(secondsOfAMove(machine, address, 20_000_000)).isGreaterThanOrEqualTo(1);

      machine.mustAktis("stop");
      assertThat(command.awaitEnd().exitCode()).isZero();
      assertNothingLeft(machine, (String) ready.get("session"));
    }
  }

  /** Runs tasks for so long that nodes die meanwhile. */
  private static int sumOfTasks(Machine machine, String address) {
    System.setProperty("aktis.home.dir", machine.home().toString());
    try (AktisSession session = Aktis.open(options -> options.address("aktis://" + address))) {
      List<ObjectRef<Integer>> parts = new ArrayList<>();
      for (int i = 0; i < TASKS; i++) {
        parts.add(session.task(Work::slowly, i, 300).maxRetries(20).remote());
      }
      int sum = 0;
      for (ObjectRef<Integer> part : parts) {
        sum += part.get(Program.PATIENCE);
      }
      return sum;
    }
  }

  /** Makes a value on one node and uses it on the other, where a worker is already. */
  private static double secondsOfAMove(Machine machine, String address, int sizeBytes) {
    System.setProperty("aktis.home.dir", machine.home().toString());
    try (AktisSession session = Aktis.open(options -> options.address("aktis://" + address))) {
      List<String> nodes = session.cluster().nodes().stream().map(node -> node.id()).toList();
      String notes = machine.file("made").toString();
      ObjectRef<byte[]> made =
          session.task(Work::bytes, sizeBytes, notes).onNode(nodes.getFirst()).remote();
      session.task(Work::node).onNode(nodes.getLast()).remote().get();
      session.wait(List.of(made));
      long startNs = System.nanoTime();
      int last = session.task(Work::last, made).onNode(nodes.getLast()).remote().get();
      assertThat(last).isEqualTo(42);
      return (System.nanoTime() - startNs) / 1e9;
    }
  }

  private static void terminate(long pid) throws IOException, InterruptedException {
    assertThat(new ProcessBuilder("kill", "-TERM", Long.toString(pid)).start().waitFor()).isZero();
  }

  private static void assertNothingLeft(Machine machine, String session) throws IOException {
    assertThat(ProcFiles.processesOfNodes(machine.home())).isEmpty();
    assertThat(machine.home().resolve("sessions")).isEmptyDirectory();
    assertThat(machine.home().resolve("current")).doesNotExist();
    try (Stream<Path> files = Files.list(Path.of("/dev/shm"))) {
      assertThat(files.map(Path::toString)).noneMatch(file -> file.contains(session));
    }
  }
}
