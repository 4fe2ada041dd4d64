package io.aktis.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import io.aktis.cluster.session.SessionDirectory;
import io.aktis.cluster.tls.ClusterCa;
import io.aktis.cluster.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How certificates are made, and used by the commands; a stand-in is the daemon. */
@Timeout(60)
final class TlsCommandsTest {
  private static final String HOME = "aktis.home.dir";
  private static final String MAIN = "aktis.node.main";
  private static final String TLS = "aktis.tls.dir";

  @TempDir private Path folder;
  private Path home;
  private Path stores;
  private Path tls;

  @BeforeEach
  void useAHomeOfItsOwn() throws IOException {
    home = folder.resolve("home");
    stores = Files.createDirectory(folder.resolve("stores"));
    tls = folder.resolve("tls");
    System.setProperty(HOME, home.toString());
    System.setProperty(MAIN, StandInNode.class.getName());
    SessionDirectory.open().token();
  }

  @AfterEach
  void leaveNothing() throws IOException {
    System.clearProperty(TLS);
    List<String> left = new ArrayList<>();
    for (Path used : List.of(folder.resolve("elsewhere"), home)) {
      System.setProperty(HOME, used.toString());
      for (String session : names(used.resolve("sessions"))) {
        Cli.run("stop", "--session", session, "--grace", "0s");
      }
      left.addAll(names(used.resolve("sessions")));
      left.addAll(names(used.resolve("stores")));
    }
    left.addAll(names(folder.resolve("stores")));
    System.clearProperty(HOME);
    System.clearProperty(MAIN);
    assertThat(left).isEmpty();
  }

  // ---- certificates -----------------------------------------------------------------------

  @Test
  void init_inAnEmptyPlace_makesFilesOfTheOwnerAndSaysWhatToDo() throws IOException {
    Cli.Result made =
        Cli.run("tls", "init", "--dir", tls.toString(), "--days", "90", "--host", "a", "::1");

    assertThat(made.err()).isEmpty();
    assertThat(made.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(made.out())
        .startsWith("Made in " + tls + ":\n")
        .containsPattern("  node\\.pem       a certificate, valid until 20\\d\\d-\\d\\d-\\d\\d\n")
        .contains("  aktis start --head --tls " + tls + "\n")
        .contains("  aktis start --address HOST:PORT --tls " + tls + "\n");
    assertThat(names(tls)).containsExactly("ca-key.pem", "ca.pem", "node-key.pem", "node.pem");
    for (String name : names(tls)) {
      assertThat(Files.getPosixFilePermissions(tls.resolve(name)))
          .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }
  }

  @Test
  void init_withoutADirectory_usesTheUsualOne() throws IOException {
    Cli.Result made = Cli.run("tls", "init");

    assertThat(made.out()).contains("Made in " + home.resolve("tls"), "aktis start --head --tls\n");
    assertThat(startHead("--tls")).containsKey("session");
    assertThat(Cli.run("healthcheck").out()).isEqualTo("ready\n");

    System.setProperty(TLS, tls.toString());
    assertThat(Cli.run("tls", "init").out()).contains("Made in " + tls);
  }

  @Test
  void init_whereThereIsACa_refuses() throws IOException {
    init(tls);
    byte[] before = Files.readAllBytes(tls.resolve("ca.pem"));

    Cli.Result again = Cli.run("tls", "init", "--dir", tls.toString());

    assertThat(again)
        .isEqualTo(
            new Cli.Result(
                1,
                "",
                "aktis tls init: "
                    + tls.resolve("ca.pem")
                    + " exists already; it is not overwritten\n"));
    assertThat(Files.readAllBytes(tls.resolve("ca.pem"))).isEqualTo(before);
  }

  @Test
  void init_withWhatMakesNoSense_saysWhatIsAllowed() throws IOException {
    String dir = tls.toString();
    Cli.Result host = Cli.run("tls", "init", "--dir", dir, "--host", "a:6380");
    assertThat(host.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(host.err()).contains("without port, not 'a:6380'");
    Cli.Result days = Cli.run("tls", "init", "--dir", dir, "--days", "0");
    assertThat(days.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(days.err()).contains("'0' is not a whole number from 1 to 3,650");
    assertThat(Cli.run("tls").exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(tls).doesNotExist();

    Path file = Files.writeString(folder.resolve("file"), "");
    Cli.Result place = Cli.run("tls", "init", "--dir", file.resolve("tls").toString());
    assertThat(place.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(place.err()).contains("the directory " + file.resolve("tls") + " cannot be made");
  }

  @Test
  void issue_ofACertificate_isOfTheSameCaAndReplacesOnlyWhenTold() throws IOException {
    init(tls);
    Path other = folder.resolve("other");
    List<String> line =
        List.of("tls", "issue", "--ca", tls.toString(), "--dir", other.toString(), "--days", "90");

    Cli.Result made = Cli.run(line.toArray(String[]::new));

    assertThat(made.err()).isEmpty();
    assertThat(made.out()).startsWith("Made in " + other + ":\n");
    assertThat(names(other)).containsExactly("ca.pem", "node-key.pem", "node.pem");
    assertThat(other.resolve("ca.pem")).hasSameTextualContentAs(tls.resolve("ca.pem"));
    String first = Files.readString(other.resolve("node.pem"));

    Cli.Result again = Cli.run(line.toArray(String[]::new));
    assertThat(again.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(again.err()).contains(other.resolve("node.pem") + " exists already", "--renew");
    assertThat(other.resolve("node.pem")).hasContent(first);

    List<String> renew = new ArrayList<>(line);
    renew.add("--renew");
    assertThat(Cli.run(renew.toArray(String[]::new)).out()).startsWith("Renewed in " + other);
    assertThat(Files.readString(other.resolve("node.pem"))).isNotEqualTo(first);
  }

  @Test
  void issue_withoutACa_namesWhatIsMissing() {
    Cli.Result result = Cli.run("tls", "issue", "--dir", folder.resolve("other").toString());

    assertThat(result.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(result.err()).contains(home.resolve("tls/ca.pem") + " does not exist");
    assertThat(folder.resolve("other")).doesNotExist();
  }

  // ---- a cluster --------------------------------------------------------------------------

  @Test
  void cluster_withTls_isUsedByItsUserWithoutSayingSo() throws IOException {
    init(tls);
    Map<String, Object> head = startHead("--tls", tls.toString());

    Map<String, Object> joined = json(start("--address", "auto", "--json"));

    assertThat(joined).containsEntry("session", head.get("session"));
    assertThat(Cli.run("status", "--address", (String) joined.get("address")).err()).isEmpty();
    assertThat(Cli.run("healthcheck")).isEqualTo(new Cli.Result(0, "ready\n", ""));
    Cli.Result stopped = Cli.run("stop");
    assertThat(stopped.err()).as("told by a connection with TLS").isEmpty();
    assertThat(stopped.out()).contains("Node 1 of", "Node 2 of").doesNotContain("killed");
  }

  @Test
  void cluster_withTls_isUsedFromElsewhereWithItsCertificates() throws IOException {
    init(tls);
    String address = (String) startHead("--tls", tls.toString()).get("address");
    beElsewhere();

    for (String command : List.of("status", "healthcheck")) {
      assertThat(Cli.run(command, "--address", address, "--tls", tls.toString()).exitCode())
          .isEqualTo(ExitCode.OK);
      Cli.Result plain = Cli.run(command, "--address", address);
      assertThat(plain.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(plain.err())
          .isEqualTo(
              ("aktis %s: %s cannot be used: it uses TLS, and this side does not; --tls DIR or"
                      + " AKTIS_TLS_DIR says where its certificates are\n")
                  .formatted(command, address));
    }
    assertThat(start("--address", address).err())
        .contains(address + " cannot be used: it uses TLS, and this side does not");
    assertThat(Cli.run("demo", "--address", address).err())
        .contains(address + " cannot be used: it uses TLS, and this side does not");
    System.setProperty(TLS, tls.toString());
    assertThat(Cli.run("healthcheck", "--address", address).out()).isEqualTo("ready\n");
    assertThat(start("--address", address, "--json").exitCode()).isEqualTo(ExitCode.OK);
    assertThat(Cli.run("stop").err()).isEmpty();
  }

  @Test
  void cluster_ofAnotherCa_isRefused() throws IOException {
    init(tls);
    Path other = folder.resolve("other");
    init(other);
    String address = (String) startHead("--tls", tls.toString()).get("address");

    for (String command : List.of("status", "healthcheck", "start")) {
      Cli.Result result = Cli.run(command, "--address", address, "--tls", other.toString());
      assertThat(result.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(result.err())
          .contains(
              address
                  + " cannot be used: the certificate of 'CN=node.aktis.internal' is refused:"
                  + " it is signed by another CA");
    }
  }

  @Test
  void cluster_withoutTls_isRefusedByWhoWantsIt() throws IOException {
    init(tls);
    String address = (String) startHead().get("address");

    for (String command : List.of("status", "healthcheck", "start")) {
      Cli.Result result = Cli.run(command, "--address", address, "--tls", tls.toString());
      assertThat(result.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(result.err())
          .contains(address + " cannot be used: it does not use TLS, and this side does");
    }
  }

  @Test
  void start_onAllAddresses_warnsOnlyWithoutTls() throws IOException {
    init(tls);
    String[] all = {"--head", "--port", "0", "--host", "0.0.0.0", "--advertise-host", "127.0.0.1"};

    assertThat(start(all).err()).contains("without --tls the traffic, token included");

    List<String> encrypted = new ArrayList<>(List.of(all));
    encrypted.addAll(List.of("--tls", tls.toString()));
    Cli.Result result = start(encrypted.toArray(String[]::new));
    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .contains("and --tls and copies of " + tls.resolve("ca.pem"), tls + "/node-key.pem)");
  }

  // ---- files that cannot be used ----------------------------------------------------------

  @Test
  void certificates_thatAreMissing_areNamed() throws IOException {
    Path none = folder.resolve("none");
    String[] dir = {"--tls", none.toString()};
    for (String command : List.of("status", "healthcheck", "demo", "start")) {
      Cli.Result result = Cli.run(command, "--address", "127.0.0.1:1", dir[0], dir[1]);
      assertThat(result.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(result.err())
          .contains(none.resolve("ca.pem") + " does not exist; 'aktis tls init' makes");
      System.clearProperty(TLS); // which the demo has set
    }
    assertThat(start("--head", "--port", "0", dir[0], dir[1]).err())
        .isEqualTo(
            "aktis start: "
                + none.resolve("ca.pem")
                + " does not exist; 'aktis tls init' makes the files of TLS\n");
    assertThat(names(home.resolve("sessions"))).isEmpty();
  }

  @Test
  void key_thatOthersMayRead_isRefused() throws IOException {
    init(tls);
    Path key = tls.resolve("node-key.pem");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));

    assertRefused("others than its owner may use the private key " + key + " (rw-r--r--)");
  }

  @Test
  void file_thatCannotBeRead_isNamed() throws IOException {
    init(tls);
    Files.delete(tls.resolve("node.pem"));
    Files.createDirectory(tls.resolve("node.pem")); // also root cannot read it

    assertRefused(tls.resolve("node.pem") + " cannot be read: ");
  }

  @Test
  void certificate_thatHasExpired_isRefused() throws IOException {
    init(tls);
    ClusterCa.issue(tls, tls, List.of(), Duration.ofMillis(1));

    assertRefused("in " + tls.resolve("node.pem") + " expired at 20");
  }

  @Test
  void certificate_ofAnotherCa_isRefused() throws IOException {
    init(tls);
    TlsFiles other = ClusterCa.init(folder.resolve("other"), List.of());
    Files.copy(other.ca(), tls.resolve("ca.pem"), StandardCopyOption.REPLACE_EXISTING);

    assertRefused("does not fit the CA of " + tls.resolve("ca.pem") + ": it is signed by another");
  }

  @Test
  void demo_withTlsAndWithoutACluster_isAUsageError() {
    Cli.Result result = Cli.run("demo", "--address", "local", "--tls", tls.toString());

    assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("--tls is for clusters");
  }

  private void assertRefused(String why) throws IOException {
    Cli.Result head = start("--head", "--port", "0", "--tls", tls.toString());
    assertThat(head.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(head.err()).startsWith("aktis start: ").contains(why);
    Cli.Result status = Cli.run("status", "--address", "127.0.0.1:1", "--tls", tls.toString());
    assertThat(status.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(status.err()).startsWith("aktis status: ").contains(why);
    assertThat(names(home.resolve("sessions"))).isEmpty();
  }

  // ---- helpers ----------------------------------------------------------------------------

  private static void init(Path directory) {
    assertThat(Cli.run("tls", "init", "--dir", directory.toString()).err()).isEmpty();
  }

  /** As a user on another machine who has nothing but the token. */
  private void beElsewhere() throws IOException {
    Path there = Files.createDirectory(folder.resolve("elsewhere"));
    Files.copy(home.resolve("token"), there.resolve("token"), StandardCopyOption.COPY_ATTRIBUTES);
    stores = Files.createDirectory(there.resolve("stores"));
    System.setProperty(HOME, there.toString());
  }

  private Cli.Result start(String... options) {
    List<String> line = new ArrayList<>(List.of("start", "--store-dir", stores.toString()));
    line.addAll(List.of("--object-store-memory", "64MiB"));
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

  private static List<String> names(Path path) throws IOException {
    if (!Files.exists(path)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(path)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
