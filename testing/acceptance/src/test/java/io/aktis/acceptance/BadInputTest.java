package io.aktis.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What people get wrong is answered with what, where, and what is allowed. */
final class BadInputTest {
  private static RealCluster cluster;

  @BeforeAll
  static void start() {
    cluster = RealCluster.start(1, 1);
  }

  /** Fails when anything is left. */
  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static void fails(int exitCode, Program.Result result, String... words) {
    assertThat(result.exitCode()).as(result.text()).isEqualTo(exitCode);
    assertThat(result.err()).contains(words).doesNotContain("\tat io.aktis.");
  }

  private static Program.Result onCluster(Path program) {
    return cluster.machine().aktis("run", "--address", "auto", program.toString());
  }

  private static Path write(String name, String text) throws IOException {
    return Files.writeString(cluster.machine().file(name), text);
  }

  @Test
  void port_inUse_isNamed() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());
      fails(1, cluster.machine().aktis("start", "--head", "--port", port), "cannot listen", port);
    }
  }

  @Test
  void directory_thatCannotBeMade_isNamed() throws IOException {
    String file = write("a-file", "").toString();
    Map<String, String> home = Map.of("AKTIS_HOME_DIR", file + "/home");
    fails(1, cluster.machine().aktis(home, "start", "--head", "--port", "0"), file);
    fails(
        1,
        cluster.machine().aktis("start", "--head", "--port", "0", "--spill-dir", "/proc/self"),
        "/proc/self");
  }

  @Test
  void sharedMemory_thatIsSmall_isToldAndAnsweredWithAFile() {
    try (Machine container =
        Machine.behind(
            "unshare",
            "--mount",
            "sh",
            "-c",
            "mount -t tmpfs -o size=64m tmpfs /dev/shm && exec \"$@\"",
            "sh")) {
      Program.Result started = container.aktis("start", "--head", "--port", "0");
      try {
        assertThat(started.exitCode()).as(started.text()).isZero();
        assertThat(started.err())
            .containsOnlyOnce("Note: /dev/shm has only 64 MiB free")
            .contains(container.home().toString(), "--shm-size", "--store-dir");
        container.mustAktis("demo", "--address", "auto", "--limit", "10000", "--json");
      } finally {
        container.mustAktis("stop");
      }
    }
  }

  @Test
  void token_thatIsWrong_isRefusedToCommandsNodesAndDrivers() {
    Map<String, String> wrong = Map.of("AKTIS_TOKEN", "a-token-that-is-not-the-right-one");
    String address = cluster.nodes().getFirst().address();
    fails(1, cluster.machine().aktis(wrong, "status", "--address", address), "token");
    fails(1, cluster.machine().aktis(wrong, "start", "--address", address), "token");
    fails(1, cluster.machine().aktis(wrong, "demo", "--address", address), "token");
  }

  @Test
  void address_whereNobodyListens_isNamed() {
    for (String command : new String[] {"status", "demo"}) {
      fails(1, cluster.machine().aktis(command, "--address", "127.0.0.1:1"), "127.0.0.1:1");
    }
    fails(1, cluster.machine().aktis("start", "--address", "127.0.0.1:1"), "127.0.0.1:1");
  }

  @Test
  void host_thatIsNone_isNamed() {
    String host = "nowhere.invalid";
    fails(2, cluster.machine().aktis("start", "--head", "--port", "0", "--host", host), host);
    fails(1, cluster.machine().aktis("demo", "--address", host + ":6380"), host);
    fails(1, cluster.machine().aktis("status", "--address", host + ":6380"), host);
  }

  @Test
  void session_thatIsNotThere_isNamed() {
    assertThat(cluster.machine().aktis("stop", "--session", "0123456789ab").text())
        .contains("0123456789ab");
    assertThat(cluster.nodes().getFirst().isAlive()).isTrue();
  }

  @Test
  void program_thatIsNotThere_isNamed() {
    fails(3, onCluster(Path.of("Missing.java")), "Missing.java");
    fails(3, onCluster(Path.of("missing.jar")), "missing.jar");
  }

  @Test
  void program_withoutAMainMethod_isNamed() throws IOException {
    fails(3, onCluster(write("NoMain.java", "class NoMain {}")), "NoMain", "main");
  }

  @Test
  void class_thatNoWorkerHas_isNamedWhereTheTaskFails() throws IOException {
    Path hidden =
        write("Hidden.java", "public class Hidden { public static int one() { return 1; } }");
    assertThat(
            javax.tools.ToolProvider.getSystemJavaCompiler()
                .run(
                    null,
                    null,
                    null,
                    "-d",
                    hidden.getParent().resolve("hidden").toString(),
                    hidden.toString()))
        .isZero();
    Path program =
        write(
            "UsesHidden.java",
            """
            import io.aktis.Aktis;

            class UsesHidden {
              static void main() {
                try (var session = Aktis.init()) {
                  IO.println(session.task(UsesHidden::one).remote().get());
                }
              }

              static int one() throws Exception {
                return (int) Class.forName("Hidden").getMethod("one").invoke(null);
              }
            }
            """);

    fails(1, onCluster(program), "ClassNotFoundException: Hidden", "UsesHidden.one");
  }

  @Test
  void cluster_onTheLoopbackOfVersion6_works() {
    try (RealCluster six = RealCluster.start(2, 1, "--host", "::1")) {
      assertThat(six.nodes()).allMatch(node -> node.address().startsWith("[::1]:"));
      try (Program driver = six.machine().startDriver(Drivers.Brief.class)) {
        assertThat(driver.awaitSuccess()).contains("result " + ((8 << 20) + 1));
      }
    }
  }
}
