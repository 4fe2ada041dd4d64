package io.aktis.cluster.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.cluster.control.ControlPlace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SessionDirectoryTest {
  @TempDir private Path folder;
  private Path base;
  private long uid;

  @BeforeEach
  void findOutWhoWeAre() throws IOException {
    base = folder.resolve("a/b");
    uid = ((Integer) Files.getAttribute(folder, "unix:uid")).longValue();
  }

  @Test
  void directory_thatIsNew_isOpenToItsOwnerAlone() throws IOException {
    SessionDirectory.open(base, uid);

    assertThat(Files.getPosixFilePermissions(base))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
  }

  @Test
  void directory_ofSomebodyElse_isRefused() throws IOException {
    SessionDirectory.open(base, uid);

    assertThatThrownBy(() -> SessionDirectory.open(base, uid + 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(base.toString())
        .hasMessageContaining("it belongs to user " + uid + ", and you are user " + (uid + 1));
  }

  @Test
  void directory_thatOthersCanWriteTo_isRefused() throws IOException {
    SessionDirectory.open(base, uid);
    Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwxrwxrwx"));

    assertThatThrownBy(() -> SessionDirectory.open(base, uid))
        .hasMessageContaining("others may write to it; 'chmod 700 " + base);
  }

  @Test
  void directory_thatIsALinkOrAFile_isRefused() throws IOException {
    Path real = Files.createDirectory(folder.resolve("real"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), real);
    Path file = Files.writeString(folder.resolve("file"), "");

    assertThatThrownBy(() -> SessionDirectory.open(link, uid))
        .hasMessageContaining("cannot use the directory " + link);
    assertThatThrownBy(() -> SessionDirectory.open(file, uid))
        .hasMessageContaining("cannot use the directory " + file);
  }

  @Test
  void token_askedForByManyAtOnce_isOne() throws Exception {
    SessionDirectory directory = SessionDirectory.open(base, uid);

    Set<String> tokens = new HashSet<>(atOnce(16, directory::token));

    assertThat(tokens).hasSize(1);
    assertThat(tokens.iterator().next()).matches("[0-9a-f]{64}");
  }

  @Test
  void nodes_addedByManyAtOnce_haveDirectoriesOfTheirOwn() throws Exception {
    SessionDirectory directory = SessionDirectory.open(base, uid);

    List<NodeDirectory> nodes = atOnce(8, () -> directory.addNode("s"));

    assertThat(nodes)
        .extracting(NodeDirectory::number)
        .containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6, 7, 8);
    assertThat(directory.liveNodes()).hasSize(8);
    assertThat(directory.removeStale()).isEmpty();
  }

  @Test
  void node_whoseProcessIsAnotherWithItsNumber_isStale() throws IOException {
    SessionDirectory directory = SessionDirectory.open(base, uid);
    NodeDirectory live = directory.addNode("live");
    NodeDirectory stale = directory.addNode("stale");
    ProcessMark self = ProcessMark.current();
    stale.writeProcess(new ProcessMark(self.pid(), self.birth() + "0"), true);
    directory.setCurrent(new SessionDirectory.Current("stale", "127.0.0.1:1"));

    assertThat(directory.liveNodes()).containsExactly(live);
    assertThat(directory.removeStale()).containsExactly(stale.path());
    assertThat(stale.path().getParent().getParent()).doesNotExist();
    assertThat(directory.current()).isEmpty();
    assertThat(directory.nodes()).containsExactly(live);
  }

  @Test
  void node_withoutAProcessFile_isStale() throws IOException {
    SessionDirectory directory = SessionDirectory.open(base, uid);
    NodeDirectory node = directory.addNode("s");
    Files.delete(node.path().resolve("process"));

    assertThat(directory.removeStale()).containsExactly(node.path());
  }

  @Test
  void mark_ofAProcess_endsWithIt() throws Exception {
    Process process = new ProcessBuilder("sleep", "600").start();
    ProcessMark mark = ProcessMark.of(process.toHandle());
    assertThat(mark.process()).contains(process.toHandle());

    process.destroyForcibly().waitFor();

    assertThat(mark.process()).isEmpty();
    assertThat(ProcessMark.of(process.toHandle()).process()).isEmpty();
  }

  @Test
  void files_behindALink_areNotDeletedWithIt() throws IOException {
    Path precious = Files.createDirectory(folder.resolve("precious"));
    Path file = Files.writeString(precious.resolve("file"), "text");
    NodeDirectory node = SessionDirectory.open(base, uid).addNode("s");
    Files.createSymbolicLink(node.path().resolve("link"), precious);

    node.delete();

    assertThat(node.path()).doesNotExist();
    assertThat(file).hasContent("text");
  }

  @Test
  void number_ofANodeThatIsGone_isNotUsedAgainInItsSession() {
    SessionDirectory directory = SessionDirectory.open(base, uid);
    NodeDirectory first = directory.addNode("s");
    NodeDirectory second = directory.addNode("s");

    directory.removeNode(second, false);

    assertThat(directory.addNode("s").number()).isEqualTo(3);
    assertThat(first.number()).isEqualTo(1);
    assertThat(directory.addNode("t").number()).isEqualTo(1);
  }

  // ---- what a head leaves for the next one ------------------------------------------------

  private static NodeDirectory deadHead(SessionDirectory directory, String session)
      throws IOException {
    NodeDirectory node = directory.addNode(session);
    Files.createDirectories(directory.control(session));
    Files.delete(node.path().resolve("process"));
    return node;
  }

  @Test
  void control_ofASessionWhoseNodesHaveDied_isKeptUntilItIsForgotten() throws IOException {
    SessionDirectory directory = SessionDirectory.open(base, uid);
    NodeDirectory dead = deadHead(directory, "dead");
    directory.setCurrent(new SessionDirectory.Current("dead", "127.0.0.1:1"));
    NodeDirectory other = directory.addNode("other");

    assertThat(directory.removeStale()).containsExactly(dead.path());

    assertThat(directory.control("dead")).isDirectory();
    assertThat(directory.resumable()).hasValue("dead");
    assertThat(directory.current()).isPresent();
    assertThat(directory.addNode("dead").number()).as("numbers go on").isEqualTo(2);
    assertThat(directory.forget("other")).as("it has a node").isEmpty();
    directory.removeNode(other, true);
    directory.removeNode(new NodeDirectory(dead.path().resolveSibling("2")), false);
    assertThat(directory.forget(null)).containsExactly("dead");
    assertThat(directory.control("dead").getParent()).doesNotExist();
    assertThat(directory.resumable()).isEmpty();
    assertThat(directory.current()).isEmpty();
  }

  @Test
  void session_whoseHeadLivesOrIsStarting_isNotResumed() throws IOException {
    SessionDirectory directory = SessionDirectory.open(base, uid);
    directory.addNode("starting");
    Files.createDirectories(directory.control("starting"));

    assertThat(directory.resumable()).isEmpty();
  }

  @Test
  void session_ofSeveralThatHaveDied_isTheLastOne() throws IOException {
    SessionDirectory directory = SessionDirectory.open(base, uid);
    for (String session : List.of("a", "b", "c")) {
      deadHead(directory, session);
    }
    directory.setCurrent(new SessionDirectory.Current("b", "127.0.0.1:1"));
    directory.removeStale();

    assertThat(directory.resumable()).hasValue("b");
  }

  @Test
  void session_ofAControlStore_isThatOfItsFirstUse() {
    SessionDirectory directory = SessionDirectory.open(base, uid);
    Path store = folder.resolve("store");

    assertThat(directory.sessionOf(store, "one")).isEqualTo("one");
    assertThat(directory.sessionOf(store, "two")).isEqualTo("one");
  }

  @Test
  void plan_ofAHead_goesOnWithTheSessionThatIsThere() throws IOException {
    SessionDirectory directory = SessionDirectory.open(base, uid);
    HeadPlan fresh = HeadPlan.ofHead(directory, null);
    assertThat(fresh.isKnown()).isFalse();
    assertThat(fresh.control().orElseThrow().directory())
        .hasValue(directory.control(fresh.session()));
    deadHead(directory, "dead");
    directory.removeStale();

    assertThat(HeadPlan.ofHead(directory, null).session()).isEqualTo("dead");
    assertThat(HeadPlan.ofHead(directory, null).isKnown()).isTrue();
    ControlPlace own = ControlPlace.ofDirectory(folder.resolve("store"));
    HeadPlan first = HeadPlan.ofHead(directory, own);
    assertThat(first.isKnown()).isFalse();
    assertThat(HeadPlan.ofHead(directory, own).session()).isEqualTo(first.session());
    assertThat(HeadPlan.ofHead(directory, ControlPlace.parse("memory")).isKnown()).isFalse();
    Files.writeString(folder.resolve("store").resolve("session"), "../../etc");
    assertThatThrownBy(() -> HeadPlan.ofHead(directory, own))
        .hasMessageContaining("tells '../../etc' as its session, which is no id");
  }

  @Test
  void reason_ofAFailureInLines_isOneLine() throws IOException {
    NodeDirectory node = SessionDirectory.open(base, uid).addNode("s");

    node.writeFailed("the disk\n  is on fire");

    assertThat(node.failed()).contains("the disk is on fire");
    assertThat(node.ready()).isEmpty();
    assertThat(node.settings()).isEmpty();
  }

  private static <T> List<T> atOnce(int count, Callable<T> call) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<T> results = new java.util.ArrayList<>();
      List<Future<T>> futures = threads.invokeAll(java.util.Collections.nCopies(count, call));
      for (Future<T> future : futures) {
        results.add(future.get());
      }
      return results;
    }
  }
}
