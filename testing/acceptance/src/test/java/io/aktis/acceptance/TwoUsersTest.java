package io.aktis.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.aktis.acceptance.RealCluster.Node;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two users of one machine, neither of whom says where clusters leave their files. */
final class TwoUsersTest {
  private static final int FIRST_UID = 50_000;
  private static final int UIDS = 10_000;

  @TempDir private Path folder;

  private final List<Node> started = new ArrayList<>();
  private Machine first;
  private Machine second;

  @BeforeEach
  void make() {
    assumeTrue(System.getProperty("user.name").equals("root"), "to be others takes root");
    int uid = FIRST_UID + 2 * ThreadLocalRandom.current().nextInt(UIDS / 2);
    CodeCopy code = new CodeCopy(folder);
    first = Machine.ofUser(uid, code);
    second = Machine.ofUser(uid + 1, code);
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    if (first == null) {
      return;
    }
    try (Machine one = first;
        Machine two = second) {
      one.mustAktis("stop");
      two.mustAktis("stop");
      assertThat(ProcFiles.processesOfNodes(one.home())).isEmpty();
      assertThat(ProcFiles.processesOfNodes(two.home())).isEmpty();
      try (Stream<Path> files = Files.list(Path.of("/dev/shm"))) {
        assertThat(files)
            .noneMatch(
                file -> started.stream().anyMatch(node -> ("" + file).contains(node.session())));
      }
    }
  }

  private Node start(Machine machine, String... more) {
    Node node = RealCluster.startOne(machine, "64m", more);
    started.add(node);
    return node;
  }

  private static String sessionOf(Machine machine) {
    return (String) RealCluster.parse(machine.mustAktis("status", "--json")).get("session");
  }

  private static void fails(Program.Result result, String word) {
    assertThat(result.exitCode()).as(result.text()).isEqualTo(1);
    assertThat(result.err()).contains(word);
  }

  @Test
  void clusters_ofTwoUsers_neverTouchEachOther() {
    Node one = start(first, "--head");
    fails(second.aktis("status"), "no cluster of yours");
    fails(second.aktis("demo", "--address", "auto"), "no cluster of yours");
    fails(second.aktis("status", "--address", one.address()), "token");
    fails(second.aktis("demo", "--address", one.address()), "token");
    fails(second.aktis("start", "--address", one.address()), "token");
    second.mustAktis("stop");
    assertThat(one.isAlive()).isTrue();

    Node two = start(second, "--head");

    assertThat(sessionOf(first)).isEqualTo(one.session());
    assertThat(sessionOf(second)).isEqualTo(two.session());
    assertThat(second.aktis("stop", "--session", one.session()).text()).contains(one.session());
    first.mustAktis("demo", "--address", "auto", "--limit", "1000", "--json");
    second.mustAktis("demo", "--address", "auto", "--limit", "1000", "--json");
    first.mustAktis("stop");
    assertThat(ProcFiles.processesOfNodes(first.home())).isEmpty();
    assertThat(two.isAlive()).isTrue();
    second.mustAktis("demo", "--address", "auto", "--limit", "1000", "--json");
  }

  @Test
  void cluster_thatAnotherUserWasAskedInto_hasANodeOfEach() throws Exception {
    Node one = start(first, "--head");
    Path token = Files.copy(first.home().resolve("token"), second.file("token"));
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-r--r--"));

    Node two = start(second, "--address", one.address(), "--token-file", token.toString());

    assertThat(two.session()).isEqualTo(one.session());
    assertThat((List<?>) RealCluster.parse(first.mustAktis("status", "--json")).get("nodes"))
        .hasSize(2);
    assertThat(first.startDriver(Drivers.Everywhere.class).awaitSuccess())
        .contains("nodes 2", "bytes 8388608");
    second.mustAktis("stop");
    assertThat(ProcFiles.processesOfNodes(second.home())).isEmpty();
    assertThat(one.isAlive()).isTrue();
    first.mustAktis("demo", "--address", "auto", "--limit", "1000", "--json");
  }
}
