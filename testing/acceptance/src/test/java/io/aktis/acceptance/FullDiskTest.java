package io.aktis.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.aktis.AktisException;
import io.aktis.AktisSession;
import io.aktis.ObjectRef;
import io.aktis.OutOfDiskException;
import io.aktis.RuntimeEnvException;
import io.aktis.acceptance.RealCluster.Node;
import io.aktis.testkit.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Disks that are full when a cluster starts, or become it while it works. */
final class FullDiskTest {
  private static final int MIB = 1 << 20;
  private static final Duration LIMIT = Duration.ofSeconds(90);

  @TempDir private Path folder;

  @BeforeEach
  void needsRoot() {
    assumeTrue(TinyDisk.obstacle().isEmpty(), TinyDisk.obstacle());
  }

  @Test
  void directory_thatIsFull_isNamed() {
    try (TinyDisk disk = TinyDisk.mount(folder.resolve("disk"), 1);
        Machine machine = Machine.here()) {
      disk.fill();
      assertNamed(machine, disk.directory());
      assertThat(machine.aktis("status").exitCode()).isEqualTo(1);
    }
  }

  @Test
  void directory_thatCannotBeWrittenTo_isNamed() {
    try (TinyDisk disk = TinyDisk.mountReadOnly(folder.resolve("disk"));
        Machine machine = Machine.here()) {
      assertNamed(machine, disk.directory());
    }
  }

  /** For each purpose that a directory can have. */
  private static void assertNamed(Machine machine, Path directory) {
    for (String option : List.of("--spill-dir", "--store-dir", "--control-store")) {
      Program.Result result =
          machine.aktis("start", "--head", "--port", "0", option, directory.toString());
      assertThat(result.exitCode()).as(option + " " + result.text()).isEqualTo(1);
      assertThat(result.err()).as(option).contains(directory.toString()).doesNotContain("\tat ");
    }
  }

  @Test
  void disk_thatIsFullOfSpilledValues_isToldAndAllOfThemCanBeRead() {
    try (TinyDisk disk = TinyDisk.mount(folder.resolve("disk"), 40);
        RealCluster cluster =
            RealCluster.start(
                1, 1, "--spill-dir", disk.directory().toString(), "--object-store-memory", "64m");
        AktisSession session = cluster.open()) {
      List<ObjectRef<byte[]>> held = new ArrayList<>();

      OutOfDiskException failure =
          catchThrowableOfType(
              OutOfDiskException.class,
              () -> {
                while (held.size() < 100) {
                  held.add(session.put(filled(held.size())));
                }
              });

      assertThat(failure).hasMessageContainingAll("64.0 MiB", disk.directory().toString());
      assertThat(held).hasSizeGreaterThan(8);
      for (int i = 0; i < held.size(); i++) {
        assertThat(held.get(i).get()).isEqualTo(filled(i));
      }
      held.subList(0, 4).forEach(ObjectRef::close);
      assertThat(session.put(filled(7)).get()).isEqualTo(filled(7));
    }
  }

  private static byte[] filled(int content) {
    byte[] bytes = new byte[8 * MIB];
    java.util.Arrays.fill(bytes, (byte) content);
    return bytes;
  }

  @Test
  void driver_whoseOnlyNodeHasAFullDisk_isToldSo() throws Exception {
    try (Machine machine = Machine.here();
        TinyDisk disk = TinyDisk.mount(machine.home(), 64)) {
      machine.mustAktis("start", "--head", "--port", "0", "--object-store-memory", "64m");
      disk.fill();

      Program.Result demo = machine.aktis("demo", "--address", "auto", "--limit", "1000");
      Program.Result submit = machine.aktis("submit", code(machine).toString());

      for (Program.Result result : List.of(demo, submit)) {
        assertThat(result.exitCode()).as(result.text()).isEqualTo(1);
        assertThat(result.err()).contains("has 0 bytes free").doesNotContain("\tat ");
      }
      disk.free();
      machine.mustAktis("demo", "--address", "auto", "--limit", "1000");
      machine.mustAktis("stop");
    }
  }

  private static Path code(Machine machine) throws Exception {
    return Files.writeString(machine.file("Hello.java"), "void main() { IO.println(1); }");
  }

  @Test
  void node_whoseDiskIsFull_leavesTheWorkToOthersAndComesBack() throws Exception {
    try (Machine sick = Machine.here();
        TinyDisk disk = TinyDisk.mount(sick.home(), 64);
        RealCluster cluster = RealCluster.start(1, 1)) {
      Node well = cluster.nodes().getFirst();
      Path token = Files.copy(cluster.machine().home().resolve("token"), folder.resolve("token"));
      Node full =
          RealCluster.startOne(
              sick, "64m", "--address", well.address(), "--token-file", token.toString());
      try (AktisSession before = cluster.open()) {
        assertThat(nodesOf(before)).containsExactlyInAnyOrder(well.id(), full.id());

        disk.fill();

        assertThat(nodesOf(before)).containsExactly(well.id());
        assertThat(
                catchThrowableOfType(
                    RuntimeEnvException.class,
                    () -> before.task(Work::node).isolated().onNode(full.id()).remote().get()))
            .hasMessageContainingAll(full.id(), "No space left");
        try (AktisSession after = cluster.open()) {
          assertThat(nodesOf(after)).containsExactly(well.id());
        }

        disk.free();

        awaitUse(before, full);
        try (AktisSession after = cluster.open()) {
          awaitUse(after, full);
        }
      }
      sick.mustAktis("stop", "--grace", "10");
      assertThat(ProcFiles.processesOfNodes(sick.home())).isEmpty();
    }
  }

  /** Where tasks run that are spread over all nodes, in new processes. */
  private static Set<String> nodesOf(AktisSession session) {
    List<ObjectRef<String>> tasks = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      tasks.add(session.task(Work::node).isolated().spread().remote());
    }
    return new HashSet<>(session.get(tasks));
  }

  private static void awaitUse(AktisSession session, Node node) {
    Await.until(
        node + " to be used again",
        LIMIT,
        () -> {
          try {
            return session.task(Work::node).isolated().onNode(node.id()).remote().get() != null;
          } catch (AktisException e) {
            return false;
          }
        },
        () -> "There are " + session.cluster().nodes());
  }
}
