package io.aktis.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.aktis.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes with TLS, those who belong to them, and those who do not. */
final class TlsClusterTest {
  private static final int UNTIL_ENDED_MS = 30_000;
  private static final int SILENCE_MS = 1_000;
  private static final String NO_TLS = "cannot be used: it uses TLS, and this side does not";

  @TempDir private static Path folder;
  private static String certificates;
  private static RealCluster cluster;

  /** A machine that knows nothing of the cluster, but may be told its token. */
  private static Machine elsewhere;

  @BeforeAll
  static void start() {
    elsewhere = Machine.here();
    certificates = folder.resolve("tls").toString();
    elsewhere.mustAktis("tls", "init", "--dir", certificates);
    cluster = RealCluster.start(2, 2, "--tls", certificates);
  }

  /** Fails when anything is left. */
  @AfterAll
  static void stop() {
    try (Machine _ = elsewhere) {
      if (cluster != null) {
        cluster.close();
      }
    }
  }

  private static String address() {
    return cluster.nodes().getFirst().address();
  }

  private static Map<String, String> token(RealCluster of) throws IOException {
    return Map.of("AKTIS_TOKEN", Files.readString(of.machine().home().resolve("token")).strip());
  }

  private static void fails(Program.Result result, String... words) {
    assertThat(result.exitCode()).as(result.text()).isEqualTo(1);
    assertThat(result.err()).contains(words).doesNotContain("\tat io.aktis.");
  }

  // ---- who belongs to it ----------------------------------------------------------------------

  @Test
  void demo_withTls_countsAsInOneProcess() {
    String json =
        cluster.machine().mustAktis("demo", "--limit", "20000", "--json", "--address", "auto");

    assertThat(ThreeNodesTest.Demo.counts(json)).containsOnly(2_262);
  }

  @Test
  void status_withTls_showsWhatTheOtherNodeSays() {
    assertThat((List<?>) cluster.status().get("nodes"))
        .extracting("address", "alive", "total.CPU")
        .containsExactlyInAnyOrderElementsOf(
            cluster.nodes().stream().map(node -> tuple(node.address(), true, 2.0)).toList());
  }

  @Test
  void values_madeOnEachNode_areReadOnEachNode() {
    try (Program driver = cluster.machine().startDriver(Drivers.Everywhere.class)) {
      assertThat(driver.awaitSuccess())
          .contains("nodes 2\n", "bytes " + (2 * (4 << 20)) + "\n", "last [42]\n");
    }
  }

  @Test
  void commands_fromElsewhere_needTokenAndCertificates() throws IOException {
    Map<String, String> variables = new LinkedHashMap<>(token(cluster));
    String example = ThreeNodesTest.Example.PRIMES.file().toString();

    for (String command : List.of("status", "healthcheck")) {
      Program.Result result =
          elsewhere.aktis(variables, command, "--address", address(), "--tls", certificates);
      assertThat(result.exitCode()).as(result.text()).isZero();
    }
    Program.Result run =
        elsewhere.aktis(
            variables, "run", "--address", address(), "--tls", certificates, example, "1000");
    assertThat(run.out()).as(run.text()).contains("168 primes below 1,000");
    variables.put("AKTIS_TLS_DIR", certificates);
    Program.Result demo =
        elsewhere.aktis(variables, "demo", "--limit", "2000", "--address", address());
    assertThat(demo.exitCode()).as(demo.text()).isZero();

    fails(
        elsewhere.aktis(Map.of("AKTIS_TLS_DIR", certificates), "status", "--address", address()),
        "token");
  }

  @Test
  void certificate_thatIsRenewed_isUsedWithoutARestart() {
    elsewhere.mustAktis("tls", "issue", "--ca", certificates, "--dir", certificates, "--renew");

    try (Program driver = cluster.machine().startDriver(Drivers.Brief.class)) {
      assertThat(driver.awaitSuccess()).contains("result " + ((8 << 20) + 1));
    }
    assertThat(read(logOfTheHead())).contains("new connections use the changed certificate");
  }

  // ---- who does not ---------------------------------------------------------------------------

  @Test
  void caller_withoutTls_isRefusedOnBothSides() throws IOException {
    Map<String, String> token = token(cluster);
    String example = ThreeNodesTest.Example.PRIMES.file().toString();

    for (String command : List.of("status", "healthcheck", "demo", "start")) {
      fails(elsewhere.aktis(token, command, "--address", address()), address(), NO_TLS);
    }
    fails(elsewhere.aktis(token, "run", "--address", address(), example), address(), NO_TLS);

    Path log = logOfTheHead();
    Await.until(
        "the head to tell whom it has refused",
        Program.PATIENCE,
        () -> read(log).contains("it does not use TLS, and this side does"),
        () -> read(log));
    assertThat(read(log)).containsPattern("refused /127\\.0\\.0\\.1:\\d+: ");
  }

  @Test
  void caller_ofAnotherCa_isRefused() throws IOException {
    Map<String, String> token = token(cluster);
    String other = folder.resolve("other").toString();
    elsewhere.mustAktis("tls", "init", "--dir", other);

    for (String command : List.of("status", "demo", "start")) {
      fails(
          elsewhere.aktis(token, command, "--address", address(), "--tls", other),
          address() + " cannot be used",
          "it is signed by another CA");
    }
  }

  @Test
  void caller_withAKeyThatOthersMayRead_isToldBeforeItIsUsed() throws IOException {
    Path open = folder.resolve("open");
    elsewhere.mustAktis("tls", "issue", "--ca", certificates, "--dir", open.toString());
    Files.setPosixFilePermissions(
        open.resolve("node-key.pem"), PosixFilePermissions.fromString("rw-r--r--"));

    fails(
        elsewhere.aktis(token(cluster), "demo", "--address", address(), "--tls", open.toString()),
        open.resolve("node-key.pem").toString(),
        "chmod 600");
  }

  @Test
  void ports_ofDaemonsAndWorkers_speakNothingButTls() {
    try (Program driver =
        cluster
            .machine()
            .startDriver(Drivers.Busy.class, Notes.in(cluster.machine(), "busy").path())) {
      driver.awaitLine("busy");
      Set<Integer> ofWorkers = new TreeSet<>();
      Set<Integer> all = new TreeSet<>();
      for (ProcessHandle process : cluster.processes()) {
        Set<Integer> ports = ProcFiles.listeningPortsOf(process.pid());
        all.addAll(ports);
        if (ProcFiles.mainClass(process.pid()).endsWith("WorkerMain")) {
          ofWorkers.addAll(ports);
        }
      }
      assertThat(ofWorkers).isNotEmpty();
      for (RealCluster.Node node : cluster.nodes()) {
        assertThat(all).containsAll(node.ports());
        assertThat(ofWorkers).doesNotContainAnyElementsOf(node.ports());
      }

      for (int port : all) {
        for (byte[] words : List.of(PlainTalk.GRPC, PlainTalk.PEKKO)) {
          assertThat(PlainTalk.with(port, words, UNTIL_ENDED_MS))
              .as("port " + port)
              .matches(PlainTalk::isRefusedByTls);
        }
      }
    }
  }

  @Test
  void cluster_withoutTls_isRefusedByWhoWantsIt() throws IOException {
    try (RealCluster plain = RealCluster.start(1, 1)) {
      RealCluster.Node node = plain.nodes().getFirst();
      Map<String, String> token = token(plain);
      for (String command : List.of("status", "demo", "start")) {
        fails(
            elsewhere.aktis(token, command, "--address", node.address(), "--tls", certificates),
            node.address() + " cannot be used: it does not use TLS, and this side does");
      }
      // So the test of the ports can fail.
      assertThat(ProcFiles.listeningPortsOf(node.pid()))
          .as("those two, and a data port, which there is without TLS only")
          .containsAll(node.ports())
          .hasSize(3);
      assertThat(PlainTalk.with(node.port(), PlainTalk.GRPC, SILENCE_MS))
          .matches(talk -> talk.heard().length() > 9 && !talk.isRefusedByTls());
      assertThat(PlainTalk.with(node.controlPort(), PlainTalk.PEKKO, SILENCE_MS))
          .matches(talk -> !talk.isRefusedByTls());
    }
  }

  private static Path logOfTheHead() {
    String session = cluster.nodes().getFirst().session();
    return cluster.machine().home().resolve("sessions/" + session + "/nodes/1/daemon.log");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
