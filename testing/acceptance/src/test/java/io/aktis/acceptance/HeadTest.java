package io.aktis.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.ActorHandle;
import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.NodeInfo;
import io.aktis.acceptance.RealCluster.Node;
import io.aktis.acceptance.Work.Counter;
import io.aktis.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Heads that are killed: started again, or followed by another node. Each on its own cluster. */
final class HeadTest {
  /** Until a node is known to be dead, another is the head, and some more on a busy machine. */
  private static final Duration MOVE = Duration.ofSeconds(90);

  private static final Pattern EPOCH = Pattern.compile("\\(epoch (\\d+)\\)");

  private static Path endless(Machine machine) throws IOException {
    return Files.writeString(
        machine.file("Endless.java"),
        """
        class Endless {
          static void main() throws Exception {
            System.out.println("driver " + ProcessHandle.current().pid());
            Thread.currentThread().join();
          }
        }
        """);
  }

  private static Path brief(Machine machine) throws IOException {
    return Files.writeString(
        machine.file("Brief.java"),
        """
        class Brief {
          static void main() {
            System.out.println("brief and good");
          }
        }
        """);
  }

  private static Map<String, Object> statusAt(RealCluster cluster, Node node) {
    return RealCluster.parse(
        cluster.machine().mustAktis("status", "--json", "--address", node.address()));
  }

  private static long epochAt(RealCluster cluster, Node node) {
    String status = cluster.machine().mustAktis("status", "--address", node.address());
    Matcher epoch = EPOCH.matcher(status);
    return epoch.find() ? Long.parseLong(epoch.group(1)) : 0;
  }

  private static Map<String, Object> job(RealCluster cluster, Node at, String id) {
    return RealCluster.parse(
        cluster.machine().mustAktis("job", "status", id, "--json", "--address", at.address()));
  }

  /** Waits until a head serves in an epoch, as a node tells. */
  private static void awaitEpoch(RealCluster cluster, Node at, long epoch) {
    Await.until(
        "head number " + epoch,
        MOVE,
        () -> epochAt(cluster, at) == epoch,
        () -> "The status is " + statusAt(cluster, at));
  }

  private static void awaitGone(String pid) {
    Await.until(
        "process " + pid + " to be gone",
        Duration.ofSeconds(30),
        () -> ProcessHandle.of(Long.parseLong(pid)).filter(ProcessHandle::isAlive).isEmpty(),
        () -> "");
  }

  private static void isLost(Map<String, Object> job) {
    assertThat(job).containsEntry("state", "FAILED").containsEntry("exitCode", null);
    assertThat((String) job.get("reason")).contains("the head that ran it has ended");
  }

  private static void awaitNodes(AktisSession session, Node... nodes) {
    List<String> wanted = java.util.Arrays.stream(nodes).map(Node::id).toList();
    Await.until(
        "the driver to know " + wanted,
        MOVE,
        () -> session.cluster().nodes().stream().map(NodeInfo::id).toList().containsAll(wanted),
        () -> "It knows " + session.cluster().nodes());
  }

  // ---- the store in the directory of the session ----------------------------------------------

  @Test
  void head_thatIsKilledUnderLoadAndStartedAgain_goesOn() throws IOException {
    try (RealCluster cluster = RealCluster.start(3, 2)) {
      Machine machine = cluster.machine();
      Node head = cluster.nodes().getFirst();
      Node second = cluster.nodes().get(1);
      assertThat(machine.mustAktis("submit", "--wait", brief(machine).toString()))
          .isEqualTo("brief and good\n");
      try (AktisSession session = cluster.open(); // the head is its first address
          Load load = Load.on(session, second);
          Program waiting =
              machine.startAktis(Map.of(), "submit", "--wait", endless(machine).toString())) {
        String driver = waiting.awaitLine("driver ");
        load.awaitMore(20);

        head.signal("KILL");

        load.awaitMore(20);
        awaitGone(driver);
        Node fourth = cluster.startMore("--address", second.address());
        awaitNodes(session, second, fourth);
        assertThat(session.task(Work::node).onNode(fourth.id()).remote().get(MOVE))
            .isEqualTo(fourth.id());
        load.awaitMore(20);
        assertThat(machine.aktis("job", "list", "--address", second.address()).err())
            .contains("has no head now");

        Node again = cluster.startMore("--head");

        assertThat(again.session()).isEqualTo(head.session());
        awaitEpoch(cluster, second, 2);
        assertThat(statusAt(cluster, second)).containsEntry("head", again.address());
        awaitNodes(session, again, second, fourth);
        assertThat(session.task(Work::node).onNode(again.id()).remote().get(MOVE))
            .isEqualTo(again.id());
        load.awaitMore(20);
        assertThat(job(cluster, second, "job-1")).containsEntry("state", "SUCCEEDED");
        isLost(job(cluster, second, "job-2"));
        assertThat(machine.mustAktis("job", "logs", "job-1", "--address", second.address()))
            .isEqualTo("brief and good\n");
        assertThat(machine.mustAktis("job", "logs", "job-2")).startsWith("driver " + driver);
        assertThat(
                RealCluster.parse(
                    machine.mustAktis("submit", "--wait", "--json", brief(machine).toString())))
            .containsEntry("id", "job-3")
            .containsEntry("state", "SUCCEEDED");
        assertThat(waiting.awaitEnd().exitCode()).isEqualTo(1);
      }
      assertThat((List<?>) statusAt(cluster, second).get("nodes"))
          .hasSize(4)
          .extracting("alive")
          .containsOnly(true);
    }
  }

  @Test
  void cluster_thatIsKilledAsAWhole_beginsAnewWithItsJobs() throws IOException {
    try (RealCluster cluster = RealCluster.start(2, 1)) {
      Machine machine = cluster.machine();
      machine.mustAktis("submit", "--wait", brief(machine).toString());
      cluster.nodes().forEach(node -> node.signal("KILL"));
      Await.until(
          "the daemons to be gone",
          Duration.ofSeconds(30),
          () -> cluster.nodes().stream().noneMatch(Node::isAlive),
          () -> "");

      Node again = cluster.startMore("--head");

      assertThat(again.session()).isEqualTo(cluster.nodes().getFirst().session());
      assertThat(epochAt(cluster, again)).isEqualTo(2);
      assertThat((List<?>) statusAt(cluster, again).get("nodes")).hasSize(1);
      assertThat(machine.mustAktis("job", "logs", "job-1")).isEqualTo("brief and good\n");
      assertThat(machine.mustAktis("submit", brief(machine).toString())).startsWith("job-2 ");
    }
  }

  @Test
  void store_inADirectoryOfItsOwn_outlivesAnOrderlyStop() throws IOException {
    try (Machine files = Machine.here();
        RealCluster cluster =
            RealCluster.start(1, 1, "--control-store", files.file("kept").toString())) {
      String kept = files.file("kept").toString();
      Machine machine = cluster.machine();
      Node first = cluster.nodes().getFirst();
      machine.mustAktis("submit", "--wait", brief(machine).toString());
      Program.Result second =
          machine.aktis("start", "--head", "--port", "0", "--control-store", kept);
      assertThat(second.exitCode()).isEqualTo(1);
      assertThat(second.err()).contains(kept + "/rocksdb is in use by another process");
      machine.mustAktis("stop");

      Node again = cluster.startMore("--head", "--control-store", kept);

      assertThat(again.session()).isEqualTo(first.session());
      assertThat(epochAt(cluster, again)).isEqualTo(2);
      assertThat(machine.mustAktis("job", "logs", "job-1")).isEqualTo("brief and good\n");
    }
  }

  // ---- a store that nodes share ---------------------------------------------------------------

  @Test
  void head_thatIsKilledUnderLoad_isFollowedByACandidate() throws IOException {
    Assumptions.assumeTrue(Redis.obstacle().isEmpty(), Redis.obstacle());
    try (Machine files = Machine.here();
        Redis redis = Redis.start(Files.createDirectories(files.file("redis")));
        RealCluster cluster = RealCluster.start(3, 2, "--control-store", redis.url())) {
      Machine machine = cluster.machine();
      Node head = cluster.nodes().getFirst();
      Node second = cluster.nodes().get(1);
      machine.mustAktis("submit", "--wait", brief(machine).toString());
      try (AktisSession session = cluster.open();
          Load load = Load.on(session, second);
          Program waiting =
              machine.startAktis(Map.of(), "submit", "--wait", endless(machine).toString())) {
        String driver = waiting.awaitLine("driver ");
        load.awaitMore(20);
        ActorHandle<Counter> counter =
            session.actor(Counter::new).named("counter").cpus(0).onNode(second.id()).remote();
        assertThat(counter.call(Counter::add, 1).get(MOVE)).isEqualTo(1);
        long before = epochAt(cluster, second);

        head.signal("KILL");

        load.awaitMore(20);
        awaitEpoch(cluster, second, before + 1);
        Map<String, Object> status = statusAt(cluster, second);
        assertThat(status.get("head")).isIn(second.address(), cluster.nodes().get(2).address());
        awaitGone(driver);
        Program.Result waited = waiting.awaitEnd();
        assertThat(waited.exitCode()).isEqualTo(1);
        // Which one depends on whether it still waits for a head when there is one again.
        assertThat(waited.err())
            .containsAnyOf("the head that ran it has ended", "and job-2 ends with it");
        assertThat(job(cluster, second, "job-1")).containsEntry("state", "SUCCEEDED");
        isLost(job(cluster, second, "job-2"));
        load.awaitMore(20);
        isFoundByOthers(second, 2);

        // Who was the head comes back as one that can be it, though it was told to be the head.
        Node again = cluster.startMore("--head", "--control-store", redis.url());
        assertThat(again.session()).isEqualTo(head.session());
        awaitNodes(session, again);
        assertThat(statusAt(cluster, again)).containsEntry("head", status.get("head"));
        assertThat(epochAt(cluster, again)).isEqualTo(before + 1);
        assertThat(
                RealCluster.parse(
                    machine.mustAktis(
                        "submit",
                        "--wait",
                        "--json",
                        "--address",
                        again.address(),
                        brief(machine).toString())))
            .containsEntry("id", "job-3")
            .containsEntry("state", "SUCCEEDED");
        load.awaitMore(20);
      }
    }
  }

  /**
   * Another program finds the actor by its name, which only its own knew when the head was lost.
   */
  private static void isFoundByOthers(Node at, int sum) {
    try (AktisSession other = Aktis.open(options -> options.address("aktis://" + at.address()));
        ActorHandle<Counter> found = other.getActor(Counter.class, "counter")) {
      assertThat(found.call(Counter::add, 1).get(MOVE)).isEqualTo(sum);
      assertThatThrownBy(() -> other.actor(Counter::new).named("counter").remote())
          .hasMessageContaining("there is an actor named 'counter'");
    }
  }

  @Test
  void heads_thatAreStartedAtOnce_makeOneCluster() {
    Assumptions.assumeTrue(Redis.obstacle().isEmpty(), Redis.obstacle());
    try (Machine files = Machine.here();
        Redis redis = Redis.start(files.file(""))) {
      try (RealCluster cluster = RealCluster.start(1, 1, "--control-store", redis.url())) {
        cluster.nodes().getFirst().signal("KILL");
        List<CompletableFuture<Node>> starting =
            List.of(
                CompletableFuture.supplyAsync(() -> startHead(cluster, redis)),
                CompletableFuture.supplyAsync(() -> startHead(cluster, redis)));
        Node one = starting.get(0).join();
        Node two = starting.get(1).join();

        assertThat(one.session()).isEqualTo(two.session());
        Await.until(
            "both to see two nodes",
            MOVE,
            () ->
                ((List<?>) statusAt(cluster, one).get("nodes")).size() == 2
                    && ((List<?>) statusAt(cluster, two).get("nodes")).size() == 2,
            () -> statusAt(cluster, one) + " " + statusAt(cluster, two));
        assertThat(statusAt(cluster, one).get("head"))
            .isEqualTo(statusAt(cluster, two).get("head"));
        assertThat(epochAt(cluster, one)).isEqualTo(2);
      }
    }
  }

  private static Node startHead(RealCluster cluster, Redis redis) {
    return cluster.startMore("--head", "--control-store", redis.url());
  }

  @Test
  void store_thatIsNotShared_makesNoCandidate() {
    try (RealCluster cluster = RealCluster.start(1, 1)) {
      Program.Result result =
          cluster.machine().aktis("start", "--address", "auto", "--control-store", "kept");

      assertThat(result.exitCode()).isEqualTo(2);
      assertThat(result.err()).contains("that others share: redis://HOST:PORT");
    }
  }
}
