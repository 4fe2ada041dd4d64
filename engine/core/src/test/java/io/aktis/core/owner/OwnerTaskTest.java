package io.aktis.core.owner;

import static io.aktis.core.owner.OwnerBench.NODE_A;
import static io.aktis.core.owner.OwnerBench.failureOf;
import static io.aktis.core.owner.OwnerBench.inline;
import static io.aktis.core.owner.OwnerBench.stored;
import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.core.task.TaskMachine;
import io.aktis.core.task.TaskState;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The walk of a task as its owner sees it: arguments, results, failures, retries. */
class OwnerTaskTest {
  private final OwnerBench bench = new OwnerBench();

  @Test
  void task_withoutArguments_asksForALeaseAndRuns() {
    Task task = bench.submit("t");
    assertThat(bench.effects(OwnerEffect.AskLease.class)).hasSize(1);
    Lease lease = bench.grant();
    assertThat(bench.effects(OwnerEffect.Push.class))
        .containsExactly(new OwnerEffect.Push(task, 1, lease));

    bench.succeed(task);
    assertThat(task.machine().state()).isEqualTo(TaskState.SUCCEEDED);
    assertThat(task.results()[0].outcome()).isEqualTo(inline());
    assertThat(bench.effects(OwnerEffect.Done.class)).hasSize(1);
    assertThat(bench.machine.liveCount()).isZero();
  }

  @Test
  void task_whoseArgumentIsMissing_waitsUntilItExists() {
    Task producer = bench.submit("producer");
    Task consumer = bench.task("consumer").with(producer).submit();
    assertThat(consumer.machine().state()).isEqualTo(TaskState.WAITING);
    assertThat(bench.machine.why(consumer)).contains("1 of its arguments");

    bench.grant();
    bench.succeed(producer);
    assertThat(consumer.machine().state()).isEqualTo(TaskState.PUSHED);
  }

  @Test
  void task_withTheSameArgumentTwice_startsWhenItExists() {
    Task producer = bench.submit("producer");
    OwnedObject value = producer.results()[0];
    Task consumer = bench.task("consumer").with(value, value).submit();
    bench.grant();
    bench.succeed(producer);
    assertThat(consumer.machine().state()).isEqualTo(TaskState.PUSHED);
  }

  @Test
  void failure_ofAnArgument_failsTheWholeChainWithTheNamesOfAll() {
    Task first = bench.submit("first");
    Task second = bench.task("second").with(first).submit();
    Task third = bench.task("third").with(second).submit();
    bench.grant();
    bench.fail(first);

    assertThat(third.machine().state()).isEqualTo(TaskState.FAILED);
    Outcome.Failure failure = (Outcome.Failure) third.results()[0].outcome();
    assertThat(failure.message()).contains("first threw", "second", "third");
    assertThat(bench.pushed()).containsExactly(first);
    assertThat(bench.machine.liveCount()).isZero();
  }

  @Test
  void task_whoseArgumentHasFailedBefore_failsAtOnce() {
    Task first = bench.submit("first");
    bench.grant();
    bench.fail(first);
    Task second = bench.task("second").with(first).submit();
    assertThat(failureOf(second)).isEqualTo(FailureKind.TASK_FAILED);
  }

  @Test
  void failure_thatIsRetryable_runsAgainAsOftenAsTheBudgetSays() {
    Task task = bench.task("t").retries(2).submit();
    bench.grant();
    bench.fail(task, true);
    bench.fail(task, true);
    assertThat(task.machine().state()).isEqualTo(TaskState.PUSHED);
    bench.fail(task, true);
    assertThat(failureOf(task)).isEqualTo(FailureKind.TASK_FAILED);
    assertThat(((Outcome.Failure) task.results()[0].outcome()).attempts()).isEqualTo(3);
  }

  @Test
  void failure_thatIsNotRetryable_leavesTheBudgetAlone() {
    Task task = bench.task("t").retries(5).submit();
    bench.grant();
    bench.fail(task, false);
    assertThat(task.machine().state()).isEqualTo(TaskState.FAILED);
  }

  @Test
  void loss_beforeTheStart_isNotCharged() {
    Task task = bench.task("t").retries(0).submit();
    for (int i = 0; i < 5; i++) {
      Lease lease = bench.grant();
      bench.loseLease(lease);
    }
    bench.grant();
    bench.succeed(task);
    assertThat(task.machine().state()).isEqualTo(TaskState.SUCCEEDED);
    assertThat(task.machine().starts()).isEqualTo(1);
  }

  @Test
  void loss_whileRunning_isChargedAgainstTheBudget() {
    Task task = bench.task("t").retries(1).submit();
    bench.loseLease(bench.grant(), task);
    assertThat(task.machine().state()).isEqualTo(TaskState.QUEUED);
    bench.loseLease(bench.grant(), task);
    assertThat(failureOf(task)).isEqualTo(FailureKind.NODE_DIED);
  }

  @Test
  void killForMemory_hasABudgetOfItsOwn() {
    Task task = bench.task("t").retries(9).submit();
    for (int i = 0; i <= TaskMachine.MEMORY_RETRIES; i++) {
      killForMemory(task);
      bench.pass(60_000);
    }
    assertThat(failureOf(task)).isEqualTo(FailureKind.OUT_OF_MEMORY);
  }

  private void killForMemory(Task task) {
    bench.tell(
        new OwnerEvent.LeaseLost(
            bench.grant(),
            TaskMachine.Loss.OUT_OF_MEMORY,
            List.of(task),
            Outcome.Failure.of(FailureKind.OUT_OF_MEMORY, "too big")));
  }

  @Test
  void killForMemory_runsAgainAfterAPauseThatGrows() {
    Task task = bench.task("t").retries(9).submit();
    for (long pauseMs : new long[] {1_000, 2_000}) {
      killForMemory(task);
      bench.pass(pauseMs - 1);
      assertThat(task.machine().state()).isEqualTo(TaskState.WAITING);
      assertThat(bench.machine.why(task)).contains("memory ran out");

      bench.pass(1);
      assertThat(task.machine().state()).isEqualTo(TaskState.QUEUED);
    }
    bench.grant();
    bench.succeed(task);
    assertThat(task.machine().state()).isEqualTo(TaskState.SUCCEEDED);
    assertThat(task.machine().starts()).isEqualTo(3);
  }

  @Test
  void pauseAfterAKill_ofATaskThatIsCancelledMeanwhile_isForgotten() {
    Task task = bench.task("t").retries(9).submit();
    killForMemory(task);

    bench.tell(new OwnerEvent.CancelAsked(task, true, "enough", null));
    bench.pass(60_000);

    assertThat(failureOf(task)).isEqualTo(FailureKind.CANCELLED);
  }

  @Test
  void report_ofAnAttemptThatIsLost_changesNothing() {
    Task task = bench.task("t").retries(1).submit();
    bench.loseLease(bench.grant(), task);
    bench.succeed(task, 1, inline());
    assertThat(task.machine().state()).isEqualTo(TaskState.QUEUED);
    assertThat(task.results()[0].outcome()).isNull();
  }

  @Test
  void report_ofAnAttemptThatIsLost_leavesTheLeaseOfTheNextAlone() {
    Task task = bench.task("t").retries(1).submit();
    bench.loseLease(bench.grant(), task);
    Lease second = bench.grant();
    Task other = bench.submit("other");
    bench.succeed(task, 1, inline());

    assertThat(task.lease()).isEqualTo(second);
    assertThat(other.machine().state()).isEqualTo(TaskState.QUEUED);
    bench.succeed(task, 2, inline());
    assertThat(other.lease()).isEqualTo(second);
  }

  @Test
  void report_thatComesTooLate_hasItsCopiesDeleted() {
    Task task = bench.submit("t");
    bench.grant();
    bench.tell(new OwnerEvent.GivenUp(task, 1, "ignored the interrupt", false));
    bench.succeed(task, 1, stored(NODE_A));
    assertThat(bench.effects(OwnerEffect.DeleteCopy.class))
        .containsExactly(new OwnerEffect.DeleteCopy(task.results()[0], NODE_A));
  }

  @Test
  void timeLimit_whenItIsOver_cancels() {
    Task task = bench.task("t").within(100).submit();
    bench.pass(99);
    assertThat(task.machine().isDone()).isFalse();
    bench.pass(1);
    assertThat(failureOf(task)).isEqualTo(FailureKind.CANCELLED);
  }

  @Test
  void timeLimit_ofATaskThatIsDone_doesNothing() {
    Task task = bench.task("t").within(100).submit();
    bench.grant();
    bench.succeed(task);
    bench.forgetEffects();
    bench.pass(100);
    assertThat(bench.effects(OwnerEffect.Settle.class)).isEmpty();
  }

  @Test
  void severalResults_areSettledEach() {
    Task task = bench.task("t").results(2).submit();
    bench.grant();
    bench.succeed(task, inline(), stored(NODE_A));
    assertThat(task.results()[0].state()).isEqualTo(OwnedObject.State.INLINE);
    assertThat(task.results()[1].state()).isEqualTo(OwnedObject.State.STORED);
  }

  @Test
  void job_whenItEnds_failsWhatIsNotDoneAndWhatComesLater() {
    Task running = bench.submit("running");
    bench.grant();
    Task waiting = bench.task("waiting").with(running).submit();
    Outcome.Failure over = Outcome.Failure.of(FailureKind.SESSION_CLOSED, "over");
    bench.tell(new OwnerEvent.JobEnded(over));

    assertThat(failureOf(running)).isEqualTo(FailureKind.SESSION_CLOSED);
    assertThat(failureOf(waiting)).isEqualTo(FailureKind.SESSION_CLOSED);
    assertThat(bench.effects(OwnerEffect.Interrupt.class)).hasSize(1);
    assertThat(failureOf(bench.submit("later"))).isEqualTo(FailureKind.SESSION_CLOSED);
    assertThat(bench.machine.liveCount()).isZero();
  }

  @Test
  void job_whenItHasEnded_givesItsLeasesBackAsTheyBecomeFree() {
    Task running = bench.submit("running");
    Lease lease = bench.grant();
    bench.tell(new OwnerEvent.JobEnded(Outcome.Failure.of(FailureKind.SESSION_CLOSED, "over")));
    bench.succeed(running, 1, inline());
    bench.pass(1_000);
    assertThat(bench.effects(OwnerEffect.GiveBack.class))
        .containsExactly(new OwnerEffect.GiveBack(lease));
  }
}
