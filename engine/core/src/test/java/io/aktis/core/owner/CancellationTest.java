package io.aktis.core.owner;

import static io.aktis.core.owner.OwnerBench.failureOf;
import static io.aktis.core.owner.OwnerBench.inline;
import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.core.task.TaskMachine;
import io.aktis.core.task.TaskState;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Cancelling work in each of its states, and what it has submitted. */
class CancellationTest {
  private final OwnerBench bench = new OwnerBench();

  @Test
  void cancel_ofATaskThatWaitsForArguments_meansItNeverRuns() {
    Task producer = bench.submit("producer");
    Task task = bench.task("t").with(producer).submit();
    bench.cancel(task);
    assertAnswer(task, OwnerEffect.CancelAnswer.NEVER_STARTED);
    bench.grant();
    bench.succeed(producer);
    assertThat(bench.pushed()).containsExactly(producer);
  }

  @Test
  void cancel_ofAQueuedTask_meansItNeverRuns() {
    Task task = bench.submit("t");
    bench.cancel(task);
    assertAnswer(task, OwnerEffect.CancelAnswer.NEVER_STARTED);
    bench.grant();
    assertThat(bench.pushed()).isEmpty();
    assertThat(failureOf(task)).isEqualTo(FailureKind.CANCELLED);
  }

  @Test
  void cancel_ofATaskAtItsWorker_interruptsIt() {
    Task task = bench.submit("t");
    bench.grant();
    bench.cancel(task);
    assertThat(bench.effects(OwnerEffect.Interrupt.class))
        .containsExactly(new OwnerEffect.Interrupt(task, 1, "ticket"));
    assertThat(task.machine().isDone()).isFalse();
  }

  @Test
  void task_thatThrowsAfterItsCancel_isCancelledAndNotRetried() {
    Task task = bench.task("t").retries(3).submit();
    bench.grant();
    bench.cancel(task);
    bench.fail(task, true);
    assertThat(failureOf(task)).isEqualTo(FailureKind.CANCELLED);
  }

  @Test
  void task_thatReturnsAfterItsCancel_hasItsResult() {
    Task task = bench.submit("t");
    bench.grant();
    bench.cancel(task);
    bench.succeed(task);
    assertThat(task.machine().state()).isEqualTo(TaskState.SUCCEEDED);
  }

  @Test
  void task_thatIsLostAfterItsCancel_isCancelled() {
    Task task = bench.task("t").retries(3).submit();
    Lease lease = bench.grant();
    bench.cancel(task);
    bench.loseLease(lease, task);
    assertThat(failureOf(task)).isEqualTo(FailureKind.CANCELLED);
  }

  @Test
  void task_thatIsWithdrawn_isCancelledAndFreesItsLease() {
    Task task = bench.submit("t");
    Task next = bench.submit("next");
    Lease lease = bench.grant();
    bench.cancel(task);
    bench.tell(new OwnerEvent.Withdrawn(task, 1));
    assertThat(failureOf(task)).isEqualTo(FailureKind.CANCELLED);
    assertThat(next.lease()).isEqualTo(lease);
  }

  @Test
  void task_thatIsGivenUp_isCancelledWhileItsLeaseStaysTakenUntilItEnds() {
    Task task = bench.submit("t");
    Task next = bench.submit("next");
    Lease lease = bench.grant();
    bench.cancel(task);
    bench.tell(new OwnerEvent.GivenUp(task, 1, "it ignored the interrupt", false));
    assertThat(failureOf(task)).isEqualTo(FailureKind.CANCELLED);
    assertThat(next.machine().state()).isEqualTo(TaskState.QUEUED);

    bench.succeed(task, 1, inline());
    assertThat(failureOf(task)).isEqualTo(FailureKind.CANCELLED);
    assertThat(next.lease()).isEqualTo(lease);
  }

  private final Object process = new Object();

  private Task runningThere(String name, int retries) {
    Task task = bench.task(name).retries(retries).submit();
    bench.grant();
    Objects.requireNonNull(task.lease()).slot(process);
    return task;
  }

  @Test
  void task_thatIsGivenUp_takesItsProcessAlongAndItsNeighboursRunAgainForFree() {
    Task task = runningThere("deaf", 0);
    Task neighbour = runningThere("neighbour", 1);
    Lease lease = Objects.requireNonNull(neighbour.lease());

    bench.tell(new OwnerEvent.GivenUp(task, 1, "it ignored the interrupt", false));

    assertThat(bench.effects(OwnerEffect.KillProcess.class)).hasSize(1);
    Outcome.Failure killed = Outcome.Failure.of(FailureKind.WORKER_DIED, "killed");
    for (int i = 0; i < 5; i++) {
      bench.tell(
          new OwnerEvent.LeaseLost(lease, TaskMachine.Loss.BYSTANDER, List.of(neighbour), killed));
      lease = Objects.requireNonNull(bench.grant());
    }
    bench.loseLease(lease, neighbour);
    assertThat(neighbour.machine().state()).isEqualTo(TaskState.QUEUED);
    bench.loseLease(Objects.requireNonNull(bench.grant()), neighbour);
    assertThat(neighbour.machine().state()).isEqualTo(TaskState.FAILED);
  }

  @Test
  void task_thatIsGivenUp_leavesItsProcessToNeighboursThatMustNotRunTwice() {
    Task task = runningThere("deaf", 3);
    runningThere("once", 0);

    bench.tell(new OwnerEvent.GivenUp(task, 1, "it ignored the interrupt", false));

    assertThat(failureOf(task)).isEqualTo(FailureKind.CANCELLED);
    assertThat(bench.effects(OwnerEffect.KillProcess.class)).isEmpty();
  }

  @Test
  void task_thatIsGivenUpBesideActors_leavesItsProcessToThem() {
    Task task = runningThere("deaf", 3);

    bench.tell(new OwnerEvent.GivenUp(task, 1, "it ignored the interrupt", true));

    assertThat(bench.effects(OwnerEffect.KillProcess.class)).isEmpty();
  }

  @Test
  void task_thatEndsBeforeItIsGivenUp_costsNoProcess() {
    Task task = runningThere("quick", 3);
    bench.cancel(task);
    bench.succeed(task);

    bench.tell(new OwnerEvent.GivenUp(task, 1, "it ignored the interrupt", false));

    assertThat(bench.effects(OwnerEffect.KillProcess.class)).isEmpty();
  }

  @Test
  void cancel_ofWhatIsDone_saysSo() {
    Task task = bench.submit("t");
    bench.grant();
    bench.succeed(task);
    bench.cancel(task);
    assertAnswer(task, OwnerEffect.CancelAnswer.ALREADY_DONE);
    assertThat(task.machine().state()).isEqualTo(TaskState.SUCCEEDED);
  }

  @Test
  void cancel_ofATaskThatIsMadeAgain_isTakenBackWithTheRest() {
    Task task = bench.task("t").retries(1).submit();
    bench.grant();
    bench.fail(task, true);
    bench.cancel(task);
    bench.fail(task, true);
    assertThat(failureOf(task)).isEqualTo(FailureKind.CANCELLED);
  }

  @Test
  void cancel_withChildren_reachesTheWholeTree() {
    Task root = bench.submit("root");
    bench.grant();
    Task child = bench.task("child").parent(root).submit();
    Task grandchild = bench.task("grandchild").parent(child).submit();
    Task stranger = bench.submit("stranger");
    bench.cancel(root);
    assertThat(failureOf(child)).isEqualTo(FailureKind.CANCELLED);
    assertThat(failureOf(grandchild)).isEqualTo(FailureKind.CANCELLED);
    assertThat(stranger.machine().isDone()).isFalse();
  }

  @Test
  void cancel_withoutChildren_leavesThem() {
    Task root = bench.submit("root");
    bench.grant();
    Task child = bench.task("child").parent(root).submit();
    bench.tell(new OwnerEvent.CancelAsked(root, false, "", null));
    assertThat(child.machine().isDone()).isFalse();
  }

  @Test
  void cancel_failsThoseThatDependOnIt() {
    Task task = bench.submit("t");
    Task dependent = bench.task("dependent").with(task).submit();
    bench.cancel(task);
    assertThat(failureOf(dependent)).isEqualTo(FailureKind.CANCELLED);
  }

  @Test
  void call_thatIsWithdrawnAtItsActor_isCancelled() {
    Actor actor = bench.alive("a", true, 0);
    Task running = bench.call(actor, "running").submit();
    Task call = bench.call(actor, "call").submit();
    bench.cancel(call);
    bench.tell(new OwnerEvent.Withdrawn(call, 1));
    assertThat(failureOf(call)).isEqualTo(FailureKind.CANCELLED);
    bench.succeed(running);
    assertThat(actor.inFlight).isEmpty();
  }

  private void assertAnswer(Task task, OwnerEffect.CancelAnswer answer) {
    assertThat(bench.effects(OwnerEffect.CancelAnswered.class))
        .isEqualTo(List.of(new OwnerEffect.CancelAnswered("ticket", task, answer)));
  }
}
