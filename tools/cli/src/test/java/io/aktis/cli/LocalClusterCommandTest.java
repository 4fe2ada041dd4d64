package io.aktis.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command that runs a cluster, as a process of its own; stand-ins are the daemons. */
@Timeout(90)
final class LocalClusterCommandTest {
  private static final String HOME = "aktis.home.dir";
  private static final String MAIN = "aktis.node.main";
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  @TempDir private Path folder;
  private Path home;
  private Path stores;

  @BeforeEach
  void useAHomeOfItsOwn() throws IOException {
    home = folder.resolve("home");
    stores = Files.createDirectory(folder.resolve("stores"));
    System.setProperty(HOME, home.toString());
    System.setProperty(MAIN, StandInNode.class.getName());
  }

  @AfterEach
  void leaveNothing() throws IOException {
    System.clearProperty(HOME);
    System.clearProperty(MAIN);
    assertThat(home.resolve("sessions"))
        .satisfiesAnyOf(
            sessions -> assertThat(sessions).doesNotExist(),
            sessions -> assertThat(sessions).isEmptyDirectory());
    assertThat(stores).isEmptyDirectory();
    assertThat(StandInNode.running(home)).isEmpty();
  }

  private static void await(String what, BooleanSupplier condition) {
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - deadlineNs).as("waited in vain for " + what).isNegative();
      LockSupport.parkNanos(5_000_000);
    }
  }

  private String told() {
    try {
      return Files.readString(stderr());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> line(String... options) {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1"));
    line.add("-D" + HOME + "=" + home);
    line.add("-D" + MAIN + "=" + StandInNode.class.getName());
    line.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    line.addAll(List.of("cluster", "--port", "0", "--object-store-memory", "64MiB"));
    line.addAll(List.of("--store-dir", stores.toString()));
    line.addAll(List.of(options));
    return line;
  }

  private Path stderr() {
    return folder.resolve("stderr");
  }

  private Process start(String... options) throws IOException {
    return new ProcessBuilder(line(options)).redirectError(stderr().toFile()).start();
  }

  /** Starts a cluster and waits until it tells that it is ready. */
  private Map<String, Object> ready(Process cluster) throws IOException {
    String json = cluster.inputReader().readLine();
    assertThat(json).as("stderr: %s", Files.readString(stderr())).isNotNull();
    return JSON.std.mapFrom(json);
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> nodes(Map<String, Object> ready) {
    return (List<Map<String, Object>>) ready.get("nodes");
  }

  private static ProcessHandle process(Map<String, Object> node) {
    return ProcessHandle.of(((Number) node.get("pid")).longValue()).orElseThrow();
  }

  private static String aktis(String... line) {
    Cli.Result result = Cli.run(line);
    assertThat(result.exitCode()).as(result.err()).isEqualTo(ExitCode.OK);
    return result.out();
  }

  // ---- a life -----------------------------------------------------------------------------

  @Test
  void cluster_fromStartToSigterm_isSeenAndLeavesNothing() throws Exception {
    Process cluster = start("--nodes", "3", "--cpus", "2", "--gpus", "1", "--json");
    Map<String, Object> ready = ready(cluster);

    assertThat(ready).containsOnlyKeys("session", "address", "nodes");
    assertThat(nodes(ready)).hasSize(3);
    assertThat(nodes(ready))
        .allSatisfy(node -> assertThat(node).containsOnlyKeys("node", "address", "pid", "log"));
    assertThat(nodes(ready).getFirst()).containsEntry("address", ready.get("address"));
    Map<String, Object> status = JSON.std.mapFrom(aktis("status", "--json"));
    assertThat(status)
        .containsEntry("session", ready.get("session"))
        .containsEntry("head", ready.get("address"));
    assertThat((List<?>) status.get("nodes"))
        .extracting("address")
        .containsExactlyInAnyOrderElementsOf(
            nodes(ready).stream().map(node -> node.get("address")).toList());
    assertThat((List<?>) status.get("nodes")).extracting("total.CPU").containsOnly(2.0);

    cluster.destroy();

    assertThat(cluster.waitFor()).isEqualTo(143);
    assertThat(stderr()).isEmptyFile();
  }

  @Test
  void cluster_forPeople_saysWhatToDoNext() throws Exception {
    Process cluster = start("--nodes", "2");
    List<String> lines = new ArrayList<>();
    BufferedReader output = cluster.inputReader();
    do {
      lines.add(output.readLine());
    } while (!lines.getLast().startsWith("  logs "));

    assertThat(String.join("\n", lines))
        .containsPattern("^2 nodes are ready at 127\\.0\\.0\\.1:\\d+, in the cluster of session ")
        .containsPattern("aktis demo --address 127\\.0\\.0\\.1:\\d+\n")
        .containsPattern("Ctrl-C, or: aktis stop --session [0-9a-f]{12}\n");
    cluster.destroy();
    assertThat(cluster.waitFor()).isEqualTo(143);
  }

  @Test
  void cluster_thatIsStopped_endsWell() throws Exception {
    Process cluster = start("--nodes", "3", "--json");
    ready(cluster);

    assertThat(aktis("stop").lines()).hasSize(3).allMatch(line -> line.endsWith(" is stopped."));

    assertThat(cluster.waitFor()).isEqualTo(ExitCode.OK);
    assertThat(stderr()).isEmptyFile();
  }

  @Test
  void cluster_onSigtermWhileItStarts_leavesNothing() throws Exception {
    Process cluster = start("--nodes", "4", "--labels", "behave=never-ready@3");
    await("all nodes", () -> StandInNode.running(home).size() == 4);

    cluster.destroy();

    assertThat(cluster.waitFor()).isEqualTo(143);
  }

  // ---- what goes wrong --------------------------------------------------------------------

  @Test
  void cluster_whereOneNodeCannotStart_failsWithItsReason() throws Exception {
    Process cluster = start("--nodes", "3", "--labels", "behave=fail@2");

    assertThat(cluster.waitFor()).isEqualTo(ExitCode.FAILED);
    assertThat(stderr())
        .content()
        .startsWith("aktis cluster: the node could not be started: the disk is on fire\n");
  }

  @Test
  void head_thatDies_takesTheClusterWithIt() throws Exception {
    Process cluster = start("--nodes", "2", "--json");
    Map<String, Object> ready = ready(cluster);

    process(nodes(ready).getFirst()).destroyForcibly();

    assertThat(cluster.waitFor()).isEqualTo(ExitCode.FAILED);
    assertThat(stderr()).content().contains("the head node-", " died with code 137", "starts");
  }

  @Test
  void node_thatDies_isToldAndTheClusterGoesOn() throws Exception {
    Process cluster = start("--nodes", "2", "--json");
    Map<String, Object> ready = ready(cluster);
    Map<String, Object> victim = nodes(ready).getLast();

    process(victim).destroyForcibly();

    await("its output", () -> told().contains("stand-in starts"));
    assertThat(stderr())
        .content()
        .startsWith(victim.get("node") + " at " + victim.get("address") + " died with code 137\n");
    assertThat(aktis("healthcheck")).isEqualTo("ready\n");
    aktis("stop");
    assertThat(cluster.waitFor()).isEqualTo(ExitCode.OK);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "--nodes 0 | '0' is not a whole number from 1 to 64",
        "--nodes 1 --kill-every 5s | --kill-every needs a node beside the head",
        "--kill-every 100ms | --kill-every is at least 1s",
        "--seed 5 | --seed chooses what --kill-every kills",
        "--latency 1s | --latency is at most 300ms",
        "--bandwidth 1kB/s | '1kB/s' is not a rate from 10kB/s to 100GB/s",
        "--bandwidth 1MB | such as 5MB/s or 100mbit"
      })
  void option_thatMakesNoSense_isAUsageError(String options, String message) {
    List<String> line = new ArrayList<>(List.of("cluster"));
    line.addAll(List.of(options.split(" ")));

    Cli.Result result = Cli.run(line.toArray(String[]::new));

    assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains(message);
  }

  // ---- a bad network and failing machines -------------------------------------------------

  @Test
  void network_thatIsBad_isInFrontOfEachNode() throws Exception {
    Process cluster = start("--nodes", "2", "--latency", "20ms", "--bandwidth", "1MB/s", "--json");
    ready(cluster);

    long startNs = System.nanoTime();
    assertThat(aktis("healthcheck")).isEqualTo("ready\n");
    assertThat(System.nanoTime() - startNs).isGreaterThanOrEqualTo(40_000_000);

    aktis("stop");
    assertThat(cluster.waitFor()).isEqualTo(ExitCode.OK);
  }

  @Test
  void nodes_thatAreKilledByAndBy_areReplacedButForTheHead() throws Exception {
    Process cluster = start("--nodes", "3", "--kill-every", "1s", "--seed", "7", "--json");
    Map<String, Object> ready = ready(cluster);
    await("three that are killed", () -> told().lines().count() >= 7);
    List<String> lines = told().lines().toList();

    assertThat(lines.getFirst())
        .isEqualTo("A node is killed every 1.0 s; --seed 7 chooses the same ones.");
    Set<String> alive = new LinkedHashSet<>();
    nodes(ready).forEach(node -> alive.add((String) node.get("address")));
    for (String told : lines.subList(1, 7)) {
      String address = told.substring(told.lastIndexOf(' ') + 1);
      assertThat(told.startsWith("killed ") ? alive.remove(address) : alive.add(address))
          .as(told)
          .isTrue();
    }
    assertThat(alive).hasSize(3).contains((String) ready.get("address"));
    cluster.destroy();
    assertThat(cluster.waitFor()).isEqualTo(143);
  }
}
