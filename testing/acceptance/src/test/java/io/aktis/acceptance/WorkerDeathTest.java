package io.aktis.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.ActorHandle;
import io.aktis.AktisException;
import io.aktis.AktisSession;
import io.aktis.ObjectRef;
import io.aktis.OutOfMemoryException;
import io.aktis.WorkerDiedException;
import io.aktis.acceptance.Work.Counter;
import io.aktis.acceptance.Work.Death;
import io.aktis.testkit.Await;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A worker process that dies costs that process, and what ran in it is run again. */
final class WorkerDeathTest {
  private static RealCluster cluster;

  @BeforeAll
  static void start() {
    cluster = RealCluster.start(1, 3, "--worker-jvm-option", "-Xmx96m");
  }

  /** Fails when anything is left. */
  @AfterAll
  static void stop() {
    cluster.close();
  }

  @ParameterizedTest
  @EnumSource
  void task_thatEndsItsProcess_costsThatProcessOnly(Death death) {
    Notes starts = Notes.in(cluster.machine(), "starts-" + death);
    try (AktisSession other = cluster.open();
        AktisSession session = cluster.open()) {
      ActorHandle<Counter> counter = other.actor(Counter::new).remote();
      long pid = counter.call(Counter::pid).get();

      ObjectRef<Integer> dying =
          session
              .task(Work::die, death, starts.path())
              .maxRetries(2)
              .named("dies by " + death)
              .remote();

      Class<? extends AktisException> failure =
          death == Death.FULL_HEAP ? OutOfMemoryException.class : WorkerDiedException.class;
      assertThatThrownBy(dying::get)
          .isInstanceOf(failure)
          .hasMessageStartingWith("Worker w")
          .hasMessageContaining(
              switch (death) {
                case EXIT -> "exit code 7";
                case HALT -> "exit code 8";
                case NATIVE_CRASH -> "signal 6";
                case FULL_HEAP -> "OutOfMemoryError";
              });
      assertThat(starts.starts()).hasSize(3).extracting(Notes.Start::pid).doesNotHaveDuplicates();
      assertThat(session.task(Math::max, 1, 2).remote().get()).isEqualTo(2);
      assertThat(counter.call(Counter::pid).get()).isEqualTo(pid);
    }
  }

  @Test
  void task_whoseWorkerIsKilled_runsAgain() {
    Notes starts = Notes.in(cluster.machine(), "killed");
    Path go = cluster.machine().file("killed-go");
    try (AktisSession session = cluster.open()) {
      ObjectRef<Long> task = session.task(Work::waitFor, starts.path(), go.toString()).remote();
      Notes.Start first = starts.await(1);
      ProcessHandle.of(first.pid()).orElseThrow().destroyForcibly();
      Notes.Start second = starts.await(2);
      Notes.touch(go);

      assertThat(task.get()).isEqualTo(second.pid()).isNotEqualTo(first.pid());
      assertThat(task.attempts()).isEqualTo(2);
    }
  }

  @Test
  void child_ofATask_endsWithItsWorker() {
    try (AktisSession session = cluster.open()) {
      long[] pids = session.task(Work::child).remote().get();
      assertThat(isAlive(pids[1])).isTrue();

      ProcessHandle.of(pids[0]).orElseThrow().destroyForcibly();

      Await.until("the child to be gone", () -> !isAlive(pids[1]));
    }
  }

  @Test
  void child_ofATask_endsWithItsJob() {
    long[] pids;
    try (AktisSession session = cluster.open()) {
      pids = session.task(Work::child).remote().get();
    }

    Await.until("worker and child to be gone", () -> !isAlive(pids[0]) && !isAlive(pids[1]));
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
  }

  @Test
  void actor_whoseWorkerIsKilled_isMadeAnew() {
    try (AktisSession session = cluster.open()) {
      ActorHandle<Counter> counter =
          session.actor(Counter::new).maxRestarts(1).maxTaskRetries(1).remote();
      counter.call(Counter::add, 5).get();
      long pid = counter.call(Counter::pid).get();
      ProcessHandle.of(pid).orElseThrow().destroyForcibly();

      assertThat(counter.call(Counter::add, 1).get()).isIn(1, 6);
      assertThat(counter.call(Counter::add, 1).get()).isEqualTo(2);
      assertThat(counter.call(Counter::pid).get()).isNotEqualTo(pid);
    }
  }
}
