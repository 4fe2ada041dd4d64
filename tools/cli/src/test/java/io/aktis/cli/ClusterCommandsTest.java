package io.aktis.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.aktis.cluster.session.ProcessMark;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands of clusters with real processes; a stand-in is the daemon. */
@Timeout(60)
final class ClusterCommandsTest {
  private static final String HOME = "aktis.home.dir";
  private static final String MAIN = "aktis.node.main";

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
    for (Path session : sessions()) {
      Cli.run("stop", "--session", session.getFileName().toString(), "--grace", "0s");
    }
    List<Path> left = sessions();
    System.clearProperty(HOME);
    System.clearProperty(MAIN);
    assertThat(left).isEmpty();
    assertThat(list(stores)).isEmpty();
  }

  // ---- a life -----------------------------------------------------------------------------

  @Test
  void head_fromStartToStop_isSeenAndLeavesNothing() throws Exception {
    Map<String, Object> started =
        startHead("--cpus", "2", "--gpus", "1", "--memory", "1g", "--resources", "tpu=4,a=0.5");
    String session = (String) started.get("session");
    String address = (String) started.get("address");

    assertThat(started)
        .containsOnlyKeys("session", "node", "address", "controlAddress", "pid", "log");
    assertThat(address).startsWith("127.0.0.1:");
    assertThat(list(stores))
        .singleElement()
        .asString()
        .matches(stores + "/aktis-" + session + "-[0-9a-f]{8}-1-store");
    Cli.Result status = Cli.run("status", "--json");
    assertThat(status.err()).isEmpty();
    Map<String, Object> json = JSON.std.mapFrom(status.out());
    assertThat(json.keySet()).containsExactly("session", "head", "nodes", "pending");
    assertThat(json).containsEntry("session", session).containsEntry("head", address);
    assertThat(json.get("nodes"))
        .isEqualTo(
            List.of(
                Map.of(
                    "id",
                    "node-9abcdef0-1",
                    "address",
                    address,
                    "alive",
                    true,
                    "total",
                    Map.of("CPU", 2.0, "GPU", 1.0, "memory", 1073741824.0, "a", 0.5, "tpu", 4.0),
                    "available",
                    Map.of("CPU", 0.5, "GPU", 1.0, "memory", 1073741824.0, "a", 0.5, "tpu", 4.0))));
    assertThat(json.get("pending"))
        .isEqualTo(
            List.of(Map.of("demand", "{cpu: 64}", "count", 3, "reason", "no node has 64 CPUs")));
    assertThat(Cli.run("healthcheck")).isEqualTo(new Cli.Result(0, "ready\n", ""));

    assertThat(Cli.run("stop"))
        .isEqualTo(new Cli.Result(0, "Node 1 of session " + session + " is stopped.\n", ""));
    assertThat(isRunning(started)).isFalse();
    assertThat(list(home))
        .extracting(file -> file.getFileName().toString())
        .containsExactlyInAnyOrder("lock", "sessions", "token");
  }

  @Test
  void status_forPeople_isATable() throws Exception {
    Map<String, Object> started = startHead("--cpus", "2", "--memory", "1g");

    Cli.Result status = Cli.run("status", "--address", "aktis://" + started.get("address"));

    assertThat(status.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(status.out())
        .startsWith(
            "Cluster of session "
                + started.get("session")
                + ", head "
                + started.get("address")
                + " (epoch 1), 1 node\n\nNODE ")
        .contains("alive  0        0 MiB/64 MiB  CPU 1.5/2, memory 0 MiB/1.0 GiB\n")
        .endsWith("\nWAITING  DEMAND     REASON\n3        {cpu: 64}  no node has 64 CPUs\n");
  }

  @Test
  void start_forPeople_saysWhatToDoNext() {
    Cli.Result result = start("--head", "--port", "0");

    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .containsPattern("The node is ready at 127\\.0\\.0\\.1:\\d+, in the cluster of session ")
        .containsPattern("aktis start --address 127\\.0\\.0\\.1:\\d+\n")
        .containsPattern("aktis stop --session [0-9a-f]{12}\n");
  }

  @Test
  void node_thatJoins_isOfTheSameSessionAndStopsWithIt() throws Exception {
    Map<String, Object> head = startHead();

    Map<String, Object> joined = json(start("--address", "auto", "--json"));

    assertThat(joined).containsEntry("session", head.get("session"));
    assertThat(joined.get("address")).isNotEqualTo(head.get("address"));
    assertThat(JSON.std.mapFrom(Cli.run("status", "--json").out()))
        .containsEntry("head", head.get("address"));
    assertThat(Cli.run("stop").out().lines())
        .containsExactly(
            "Node 1 of session " + head.get("session") + " is stopped.",
            "Node 2 of session " + head.get("session") + " is stopped.");
    assertThat(isRunning(head)).isFalse();
    assertThat(isRunning(joined)).isFalse();
  }

  @Test
  void head_onAnAddressOfVersion6_isReachedThere() throws Exception {
    assumeTrue(NetworkInterface.getByInetAddress(InetAddress.ofLiteral("::1")) != null);

    Map<String, Object> head = startHead("--host", "::1");

    assertThat((String) head.get("address")).startsWith("[::1]:");
    assertThat(sessionAt("aktis://" + head.get("address"))).isEqualTo(head.get("session"));
    assertThat(Cli.run("stop").err()).isEmpty();
  }

  @Test
  void sessions_thatAreSeveral_areStoppedByName() throws Exception {
    String first = (String) startHead().get("session");
    Map<String, Object> second = startHead();

    Cli.Result unnamed = Cli.run("stop");
    assertThat(unnamed.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(unnamed.err())
        .contains("several clusters", first, second.get("session") + " (127.0.0.1:");
    assertThat(sessionAt("auto")).isEqualTo(second.get("session"));

    String last = (String) second.get("session");
    assertThat(Cli.run("stop", "--session", last).exitCode()).isEqualTo(ExitCode.OK);
    assertThat(isRunning(second)).isFalse();
    assertThat(sessionAt("auto")).isEqualTo(first);
    assertThat(Cli.run("stop").out()).contains("session " + first + " is stopped");
  }

  @Test
  void stop_ofNothing_saysSo() {
    assertThat(Cli.run("stop"))
        .isEqualTo(
            new Cli.Result(
                0, "No cluster of yours runs on this machine; there is nothing to stop.\n", ""));
    Cli.Result named = Cli.run("stop", "--session", "nobody");
    assertThat(named.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(named.err()).contains("no cluster of yours with session nobody");
  }

  // ---- what goes wrong --------------------------------------------------------------------

  @Test
  void head_ofAVersionWithoutJobs_saysSo() throws Exception {
    startHead();

    Cli.Result result = Cli.run("job", "list");

    assertThat(result.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(result.err()).contains("is no node of Aktis, or one of another version");
  }

  @Test
  void start_onThePortOfAnotherNode_namesItsCluster() throws Exception {
    Map<String, Object> first = startHead();
    String address = (String) first.get("address");

    Cli.Result result = start("--head", "--port", address.substring(address.indexOf(':') + 1));

    assertThat(result.err()).contains("Your cluster of session " + first.get("session"));
  }

  @Test
  void start_withAHostThatIsNone_saysSo() {
    Cli.Result result = start("--head", "--host", "no-such-host.invalid");

    assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("the host name 'no-such-host.invalid' resolves to nothing");
  }

  @Test
  void start_onAnAddressOfAnotherMachine_saysSo() {
    Cli.Result result = start("--head", "--port", "0", "--host", "192.0.2.1");

    assertThat(result.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(result.err()).contains("cannot listen on 192.0.2.1: Cannot assign");
  }

  @Test
  void start_withDirectoriesThatCannotBeUsed_namesThem() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");

    for (String bad : List.of("/proc", file.toString(), folder + "/missing")) {
      for (String option : List.of("--store-dir", "--spill-dir")) {
        Cli.Result result = Cli.run("start", "--head", "--port", "0", option, bad);

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(result.err()).contains(bad);
      }
    }
    assertThat(sessions()).isEmpty();
  }

  @Test
  void start_withMoreObjectMemoryThanThereIs_saysHowMuchThereIs() {
    Cli.Result result = start("--head", "--port", "0", "--object-store-memory", "900TB");

    assertThat(result.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(result.err()).contains("has no room in " + stores, "MiB are free");
  }

  @Test
  void start_inAHomeThatIsNone_saysSo() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");
    System.setProperty(HOME, file.toString());
    Cli.Result result = start("--head");
    System.setProperty(HOME, home.toString());

    assertThat(result.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(result.err()).contains("cannot use the directory " + file, "AKTIS_HOME_DIR");
  }

  @Test
  void start_withoutSayingOfWhat_isAUsageError() {
    assertThat(start().exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(start("--head", "--address", "auto").exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(start("--address", "somewhere").err())
        .contains("'somewhere' is not an address; write HOST:PORT");
  }

  @Test
  void token_thatIsWrong_isRefused() throws Exception {
    String address = (String) startHead().get("address");
    Path wrong = Files.writeString(folder.resolve("wrong"), "0123456789abcdef0123456789abcdef");
    Path none = Files.writeString(folder.resolve("none"), "short");

    for (String command : List.of("status", "healthcheck", "start")) {
      Cli.Result result = Cli.run(command, "--address", address, "--token-file", wrong.toString());

      assertThat(result.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(result.err())
          .contains(address + " refused the connection: the token is not that of this cluster");
    }
    assertThat(Cli.run("status", "--token-file", none.toString()).err())
        .contains("is not a token")
        .doesNotContain("short");
    assertThat(Cli.run("status", "--token-file", "nowhere").err())
        .contains("there is no token file nowhere");
  }

  @Test
  void token_fromAFileOfItsOwn_isRememberedForTheCluster() throws Exception {
    Path token = Files.writeString(folder.resolve("token"), "0123456789abcdef0123456789abcdef\n");

    startHead("--token-file", token.toString());

    assertThat(Files.exists(home.resolve("token"))).isFalse();
    assertThat(Cli.run("healthcheck").out()).isEqualTo("ready\n");
    assertThat(start("--address", "auto", "--json").exitCode()).isEqualTo(ExitCode.OK);
    assertThat(Cli.run("stop").exitCode()).isEqualTo(ExitCode.OK);
  }

  @Test
  void token_ofTheUser_isReadableByNobodyElse() throws Exception {
    startHead();

    assertThat(Files.readString(home.resolve("token"))).matches("[0-9a-f]{64}\n");
    assertThat(Files.getPosixFilePermissions(home.resolve("token")))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertThat(Files.getPosixFilePermissions(home))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
  }

  @Test
  void address_whereNobodyAnswers_isToldFromOneOfAnotherProgram() throws Exception {
    startHead();
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + silent.getLocalPort();
      Thread.ofVirtual()
          .start(() -> {
            try (var peer = silent.accept()) {
              peer.getOutputStream()
                  .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            } catch (IOException e) {
              throw new IllegalStateException(e);
            }
          });
      assertThat(Cli.run("status", "--address", address).err()).contains(address);
    }

    assertThat(Cli.run("healthcheck", "--address", "127.0.0.1:1").err())
        .contains("127.0.0.1:1 cannot be reached: nobody listens there");
    assertThat(Cli.run("status", "--address", "no-such-host.invalid:1").err())
        .contains("no-such-host.invalid:1 cannot be reached: its host name resolves to nothing");
  }

  @Test
  void status_withoutACluster_saysSo() {
    Cli.Result result = Cli.run("status");

    assertThat(result.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(result.err()).contains("no cluster of yours runs on this machine");
  }

  @Test
  void healthcheck_ofASickNode_tellsItsReason() throws Exception {
    startHead("--labels", "behave=sick");

    Cli.Result result = Cli.run("healthcheck");

    assertThat(result.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(result.err()).contains("the node is not ready: it has a cold");
  }

  @Test
  void daemon_thatCannotStart_isToldWithItsReasonAndOutput() throws IOException {
    Cli.Result failed = start("--head", "--port", "0", "--labels", "behave=fail");
    assertThat(failed.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(failed.err())
        .contains("the node could not be started: the disk is on fire\n")
        .contains("All of its output is in " + home.resolve("last-failed-start.log"))
        .doesNotContain("stand-in starts");
    assertThat(home.resolve("last-failed-start.log")).hasContent("stand-in starts");

    Cli.Result died = start("--head", "--port", "0", "--labels", "behave=die");
    assertThat(died.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(died.err())
        .contains("ended while it was starting, with code 7", "    stand-in starts\n");
    assertThat(home.resolve("last-failed-start.log")).hasContent("stand-in starts");
    assertThat(sessions()).isEmpty();
    assertThat(list(stores)).isEmpty();
  }

  @Test
  void daemon_thatDoesNotListen_isKilledWithItsChildren() throws Exception {
    Map<String, Object> started = startHead("--labels", "behave=deaf");

    Cli.Result result = Cli.run("stop", "--grace", "300ms");

    assertThat(result.out()).contains("did not end within 0.3 s and was killed (1 process)");
    assertThat(isRunning(started)).isFalse();
  }

  @Test
  void daemon_thatWasKilled_isCleanedAwayByStop() throws Exception {
    Map<String, Object> started = startHead("--labels", "behave=child");
    ProcessHandle child = process(started).children().findFirst().orElseThrow();
    kill(started);

    assertThat(Cli.run("status").err()).contains("no cluster of yours runs on this machine");
    assertThat(Cli.run("stop").exitCode()).isEqualTo(ExitCode.OK);
    assertThat(ProcessMark.of(child).process()).isEmpty();
    assertThat(Cli.run("stop").out()).contains("nothing to stop");
  }

  @Test
  void daemon_thatWasKilled_isCleanedAwayByStart() throws Exception {
    Map<String, Object> first = startHead("--labels", "behave=child");
    ProcessHandle child = process(first).children().findFirst().orElseThrow();
    String address = (String) first.get("address");
    kill(first);

    Map<String, Object> second =
        json(start("--head", "--json", "--port", address.substring(address.indexOf(':') + 1)));

    assertThat(ProcessMark.of(child).process()).isEmpty();
    assertThat(sessions())
        .extracting(path -> path.getFileName().toString())
        .containsExactly((String) second.get("session"));
    assertThat(list(stores)).hasSize(1);
  }

  // ---- in the foreground ------------------------------------------------------------------

  @Test
  void block_onSigterm_endsTheNode() throws Exception {
    Process blocked = block();

    blocked.destroy();

    assertEndedByTerm(blocked);
  }

  @Test
  void block_onSigtermWhileItTellsThatItIsReady_endsTheNode() throws Exception {
    Path full = folder.resolve("stdout");
    List<String> fill =
        List.of("bash", "-c", "mkfifo $0; exec 3<>$0; head -c 65536 /dev/zero >&3; exec $@ >&3");
    List<String> line = new ArrayList<>(fill);
    line.add(full.toString());
    line.addAll(startLine("--block"));
    Process stuck = new ProcessBuilder(line).redirectError(stderr()).start();
    awaitFile(home.resolve("current"));

    stuck.destroy();

    assertEndedByTerm(stuck);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--block", "--json"})
  void start_onSigtermBeforeTheNodeIsReady_leavesNothing(String option) throws Exception {
    List<String> line = startLine(option, "--labels", "behave=never-ready");
    Process starting = new ProcessBuilder(line).redirectError(stderr()).start();
    while (list(stores).isEmpty()) {
      Thread.onSpinWait();
    }

    starting.destroy();

    assertEndedByTerm(starting);
  }

  private void assertEndedByTerm(Process command) throws Exception {
    assertThat(command.waitFor()).isEqualTo(143);
    assertThat(sessions()).isEmpty();
    assertThat(list(stores)).isEmpty();
    assertThat(StandInNode.running(home)).isEmpty();
    assertThat(stderr())
        .content()
        .isIn("", "aktis start: the start was broken off: this process was told to end\n");
  }

  @Test
  void block_whenTheNodeIsStopped_ends() throws Exception {
    Process blocked = block();

    assertThat(Cli.run("stop").exitCode()).isEqualTo(ExitCode.OK);

    assertThat(blocked.waitFor()).isEqualTo(ExitCode.OK);
  }

  @Test
  void block_whenTheNodeDies_fails() throws Exception {
    Process blocked = block();

    blocked.children().forEach(ProcessHandle::destroyForcibly);

    assertThat(blocked.waitFor()).isEqualTo(ExitCode.FAILED);
    assertThat(folder.resolve("stderr")).content().contains("the node died with code 137");
    assertThat(sessions()).isEmpty();
  }

  /** Starts a head in the foreground of a process of its own, and waits until it is ready. */
  private Process block() throws IOException {
    Process process =
        new ProcessBuilder(startLine("--block", "--json")).redirectError(stderr()).start();
    String ready = process.inputReader().readLine();
    assertThat(ready).startsWith("{\"session\":");
    return process;
  }

  // ---- helpers ----------------------------------------------------------------------------

  /** The line of a process of its own that starts a head. */
  private List<String> startLine(String... options) {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.add("--enable-native-access=ALL-UNNAMED"); // as ./aktis does
    line.add("-D" + HOME + "=" + home);
    line.add("-D" + MAIN + "=" + StandInNode.class.getName());
    line.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    line.addAll(List.of("start", "--head", "--port", "0"));
    line.addAll(List.of("--object-store-memory", "64MiB", "--store-dir", stores.toString()));
    line.addAll(List.of(options));
    return line;
  }

  private File stderr() {
    return folder.resolve("stderr").toFile();
  }

  private static void awaitFile(Path file) {
    while (!Files.exists(file)) {
      Thread.onSpinWait();
    }
  }

  private Cli.Result start(String... options) {
    List<String> line =
        new ArrayList<>(
            List.of("start", "--store-dir", stores.toString(), "--object-store-memory", "64MiB"));
    if (List.of(options).contains("--object-store-memory")) {
      line = new ArrayList<>(line.subList(0, 3));
    }
    line.addAll(List.of(options));
    return Cli.run(line.toArray(String[]::new));
  }

  private Map<String, Object> startHead(String... options) throws IOException {
    List<String> all = new ArrayList<>(List.of("--head", "--port", "0", "--json"));
    all.addAll(List.of(options));
    return json(start(all.toArray(String[]::new)));
  }

  private static Map<String, Object> json(Cli.Result result) throws IOException {
    assertThat(result.err()).isEmpty();
    assertThat(result.exitCode()).isEqualTo(ExitCode.OK);
    return JSON.std.mapFrom(result.out());
  }

  private static String sessionAt(String address) throws IOException {
    return (String)
        JSON.std.mapFrom(Cli.run("status", "--address", address, "--json").out()).get("session");
  }

  private static ProcessHandle process(Map<String, Object> started) {
    return ProcessHandle.of(((Number) started.get("pid")).longValue()).orElseThrow();
  }

  /** Tells whether it does anything; that its parent has not taken note of its end is no matter. */
  private static boolean isRunning(Map<String, Object> started) {
    return ProcessHandle.of(((Number) started.get("pid")).longValue())
        .flatMap(handle -> ProcessMark.of(handle).process())
        .isPresent();
  }

  private static void kill(Map<String, Object> started) throws Exception {
    ProcessHandle daemon = process(started);
    daemon.destroyForcibly();
    daemon.onExit().get(10, TimeUnit.SECONDS);
  }

  private List<Path> sessions() throws IOException {
    return Files.exists(home.resolve("sessions")) ? list(home.resolve("sessions")) : List.of();
  }

  private static List<Path> list(Path path) throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return files.sorted().toList();
    }
  }
}
