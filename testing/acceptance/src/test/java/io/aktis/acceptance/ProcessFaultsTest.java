package io.aktis.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.ActorHandle;
import io.aktis.AktisSession;
import io.aktis.ObjectRef;
import io.aktis.acceptance.RealCluster.Node;
import io.aktis.acceptance.Work.Counter;
import io.aktis.testkit.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Daemons and drivers that die, or stand still: each test on a cluster of its own. */
final class ProcessFaultsTest {
  private static final Duration RECOVERY = Duration.ofSeconds(30);

  @Test
  void daemon_thatIsKilled_takesItsWorkersAndItsTasksRunElsewhere() {
    try (RealCluster cluster = RealCluster.start(3, 1);
        AktisSession session = cluster.open()) {
      Node victim = cluster.nodes().get(1);
      Notes starts = Notes.in(cluster.machine(), "starts");
      Path go = cluster.machine().file("go");
      ObjectRef<byte[]> lost =
          session.task(Work::bytes, 4 << 20, starts.path()).preferNode(victim.id()).remote();
      assertThat(session.task(Work::last, lost).preferNode(victim.id()).remote().get())
          .isEqualTo(42);
      ObjectRef<Long> running =
          session
              .task(Work::waitFor, starts.path(), go.toString())
              .preferNode(victim.id())
              .remote();
      assertThat(starts.await(2).node()).isEqualTo(victim.id());
      long worker = starts.starts().get(1).pid();

      victim.signal("KILL");

      Await.until(
          "the worker of the daemon to be gone",
          Duration.ofSeconds(5),
          () -> ProcessHandle.of(worker).filter(ProcessHandle::isAlive).isEmpty(),
          () -> "");
      assertThat(starts.await(3).node()).isNotEqualTo(victim.id());
      Notes.touch(go);
      assertThat(running.get(Program.PATIENCE)).isNotEqualTo(worker);
      assertThat(lost.get(Program.PATIENCE)).hasSize(4 << 20).endsWith(42);
      assertThat(lost.attempts()).isEqualTo(2);
    }
  }

  @Test
  void driver_thatIsKilled_leavesTheClusterWithinSeconds() {
    try (RealCluster cluster = RealCluster.start(2, 2);
        Program driver =
            cluster
                .machine()
                .startDriver(Drivers.Busy.class, Notes.in(cluster.machine(), "busy").path())) {
      driver.awaitLine("busy");
      assertThat(cluster.workers()).isPositive();
      assertThat(freeCpus(cluster)).isLessThan(4);

      driver.kill();

      cluster.awaitNoWorkers(Duration.ofSeconds(15));
      Await.until(
          "all CPUs to be free",
          Duration.ofSeconds(15),
          () -> freeCpus(cluster) == 4,
          () -> "The status is " + cluster.status());
      try (AktisSession session = cluster.open()) {
        assertThat(storeUsed(session)).isZero();
      }
    }
  }

  @Test
  void daemon_thatStandsStillForSeconds_losesNothing() {
    try (RealCluster cluster = RealCluster.start(2, 1);
        AktisSession session = cluster.open()) {
      Node paused = cluster.nodes().get(1);
      ActorHandle<Counter> counter =
          session.actor(Counter::new).onNode(paused.id()).cpus(0).remote();
      counter.call(Counter::add, 1).get();
      Notes starts = Notes.in(cluster.machine(), "starts");
      Path go = cluster.machine().file("go");
      ObjectRef<Long> running =
          session.task(Work::waitFor, starts.path(), go.toString()).onNode(paused.id()).remote();
      starts.await(1);

      paused.signal("STOP");
      try {
        LockSupport.parkNanos(Duration.ofSeconds(5).toNanos());
      } finally {
        paused.signal("CONT");
      }

      Notes.touch(go);
      assertThat(running.get(RECOVERY)).isEqualTo(starts.starts().getFirst().pid());
      assertThat(counter.call(Counter::add, 1).get(RECOVERY)).isEqualTo(2);
      assertThat(session.task(Work::node).onNode(paused.id()).remote().get(RECOVERY))
          .isEqualTo(paused.id());
      assertThat((List<?>) cluster.status().get("nodes")).extracting("alive").containsOnly(true);
    }
  }

  @Test
  void head_thatIsKilled_leavesTheWorkOfOtherNodesAlone() {
    try (RealCluster cluster = RealCluster.start(3, 1);
        AktisSession session = cluster.open()) {
      Node head = cluster.nodes().getFirst();
      Node other = cluster.nodes().get(1);
      ActorHandle<Counter> counter =
          session.actor(Counter::new).onNode(other.id()).cpus(0).remote();
      counter.call(Counter::add, 1).get();
      Notes starts = Notes.in(cluster.machine(), "starts");
      Path go = cluster.machine().file("go");
      ObjectRef<Long> running =
          session.task(Work::waitFor, starts.path(), go.toString()).onNode(other.id()).remote();
      starts.await(1);

      head.signal("KILL");

      assertThat(counter.call(Counter::add, 1).get(RECOVERY)).isEqualTo(2);
      Node third = cluster.nodes().get(2);
      assertThat(session.task(Work::node).onNode(third.id()).remote().get(RECOVERY))
          .isEqualTo(third.id());
      Notes.touch(go);
      assertThat(running.get(RECOVERY)).isEqualTo(starts.starts().getFirst().pid());
      assertThat(starts.starts()).hasSize(1);
    }
  }

  private static double freeCpus(RealCluster cluster) {
    return ((List<?>) cluster.status().get("nodes"))
        .stream()
            .map(node -> (Map<?, ?>) ((Map<?, ?>) node).get("available"))
            .mapToDouble(free -> ((Number) free.get("CPU")).doubleValue())
            .sum();
  }

  private static long storeUsed(AktisSession session) {
    return session.cluster().nodes().stream().mapToLong(node -> node.storeUsedBytes()).sum();
  }
}
