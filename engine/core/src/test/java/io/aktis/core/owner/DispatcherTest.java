package io.aktis.core.owner;

import static io.aktis.core.owner.OwnerBench.DRIVER;
import static io.aktis.core.owner.OwnerBench.GRACE_MS;
import static io.aktis.core.owner.OwnerBench.NODE_A;
import static io.aktis.core.owner.OwnerBench.NODE_B;
import static io.aktis.core.owner.OwnerBench.failureOf;
import static io.aktis.core.owner.OwnerBench.inGroup;
import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.core.id.ActorId;
import io.aktis.core.id.BundleId;
import io.aktis.core.id.GroupId;
import io.aktis.core.id.LeaseId;
import io.aktis.core.resource.LabelSelector;
import io.aktis.core.schedule.Strategy;
import io.aktis.core.task.TaskState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** How tasks come to leases: reuse, sending ahead and recalling, refusals, idle leases, grace. */
class DispatcherTest {
  private static final ShapeKey SPREAD =
      new ShapeKey(io.aktis.core.resource.Demand.TASK, Strategy.SPREAD, LabelSelector.ANY, null);
  private static final BundleId BUNDLE = BundleId.any(new GroupId(1, 1));

  private final OwnerBench bench = new OwnerBench();

  // ---- asking and reuse -------------------------------------------------------------------------

  @Test
  void queue_asksForFewLeasesAtATime() {
    List<Task> tasks = submit(10);
    assertThat(bench.openAsks()).isEqualTo(4);
    bench.grant();
    assertThat(tasks.getFirst().machine().state()).isEqualTo(TaskState.PUSHED);
    assertThat(bench.openAsks()).isEqualTo(4);
  }

  @Test
  void lease_whoseTaskIsDone_takesTheNextInOrder() {
    List<Task> tasks = submit(3);
    bench.choice = new NodeChooser.Choice.Busy("full", List.of(), List.of());
    Lease lease = bench.grant();
    for (Task task : tasks) {
      assertThat(task.lease()).isEqualTo(lease);
      bench.succeed(task);
    }
    assertThat(bench.effects(OwnerEffect.MarkIdle.class)).hasSize(1);
  }

  @Test
  void lease_thatIsIdle_isTakenWithoutAsking() {
    Lease lease = idleLease();
    bench.forgetEffects();
    Task next = bench.submit("next");
    assertThat(next.lease()).isEqualTo(lease);
    assertThat(bench.effects(OwnerEffect.MarkBusy.class)).hasSize(1);
    assertThat(bench.effects(OwnerEffect.AskLease.class)).isEmpty();
  }

  @Test
  void lease_thatIsIdleNearTheArguments_isTakenFirst() {
    bench.submit("a");
    Lease near = Objects.requireNonNull(bench.grant());
    bench.choice = new NodeChooser.Choice.Ask(NODE_B);
    bench.submit("b");
    bench.grant();
    List<Task> running = bench.pushed();
    bench.succeed(running.get(0));
    bench.succeed(running.get(1)); // the other lease lies on top of the idle ones
    Task next = bench.task("next").with(bench.putAt(NODE_A)).submit();
    assertThat(next.lease()).isEqualTo(near);
  }

  @Test
  void lease_thatIsGrantedTooLate_isGivenBack() {
    Task task = bench.submit("t");
    bench.cancel(task);
    bench.grant();
    assertThat(bench.effects(OwnerEffect.GiveBack.class)).hasSize(1);
    assertThat(bench.effects(OwnerEffect.Push.class)).isEmpty();
  }

  @Test
  void lease_thatLiesIdle_isGivenBackAfterAWhile() {
    Lease lease = idleLease();
    bench.pass(Dispatcher.IDLE_MS);
    assertThat(bench.effects(OwnerEffect.GiveBack.class))
        .containsExactly(new OwnerEffect.GiveBack(lease));
    bench.pass(1_000);
    assertThat(bench.effects(OwnerEffect.GiveBack.class)).hasSize(1);
  }

  @Test
  void lease_thatIsReclaimed_isGivenBackAtOnceUnlessItIsInUse() {
    Lease lease = idleLease();
    bench.tell(new OwnerEvent.Reclaimed(List.of(lease.id(), new LeaseId(1, 99))));
    assertThat(bench.effects(OwnerEffect.GiveBack.class)).hasSize(1);

    bench.submit("t");
    Lease busy = Objects.requireNonNull(bench.grant());
    bench.tell(new OwnerEvent.Reclaimed(List.of(busy.id())));
    assertThat(bench.effects(OwnerEffect.GiveBack.class)).hasSize(1);
  }

  @Test
  void lease_ofSpreadWork_isGivenBackAfterEachTask() {
    Task first = bench.task("first").on(SPREAD).submit();
    Task second = bench.task("second").on(SPREAD).submit();
    bench.choice = new NodeChooser.Choice.Busy("full", List.of(), List.of());
    bench.grant();
    bench.succeed(first);
    assertThat(bench.effects(OwnerEffect.GiveBack.class)).hasSize(1);
    assertThat(second.machine().state()).isEqualTo(TaskState.QUEUED);
  }

  @Test
  void lease_thatIsLostWhileIdle_isForgotten() {
    Lease lease = idleLease();
    bench.loseLease(lease);
    Task next = bench.submit("next");
    assertThat(next.machine().state()).isEqualTo(TaskState.QUEUED);
    bench.pass(1_000);
    assertThat(bench.effects(OwnerEffect.GiveBack.class)).isEmpty();
  }

  // ---- refusals ---------------------------------------------------------------------------------

  @Test
  void refusal_waitsUntilSomethingIsFree() {
    Task task = bench.submit("t");
    bench.refuse();
    assertThat(bench.openAsks()).isZero();
    assertThat(bench.machine.anyoneWaits()).isTrue();
    assertThat(bench.machine.why(task)).contains("busy");

    bench.tell(new OwnerEvent.TryAgain());
    assertThat(bench.openAsks()).isEqualTo(1);
    bench.grant();
    assertThat(task.machine().state()).isEqualTo(TaskState.PUSHED);
    assertThat(bench.machine.anyoneWaits()).isFalse();
  }

  @Test
  void refusal_whenTheWorkIsGone_isTakenBackAtTheNodes() {
    Task task = bench.submit("t");
    bench.refuse();
    bench.cancel(task);
    bench.tell(new OwnerEvent.TryAgain());
    assertThat(bench.effects(OwnerEffect.Satisfied.class)).hasSize(1);
  }

  @Test
  void chooser_thatSaysBusy_hasTheNamedNodesAsked() {
    bench.choice = new NodeChooser.Choice.Busy("full", List.of(), List.of(NODE_A, NODE_B));
    Task task = bench.submit("t");
    assertThat(bench.openAsks()).isEqualTo(2);
    assertThat(bench.machine.why(task)).contains("full");
    bench.grantAll();
    assertThat(task.machine().state()).isEqualTo(TaskState.PUSHED);
    assertThat(bench.effects(OwnerEffect.GiveBack.class)).hasSize(1);
  }

  // ---- sending ahead ----------------------------------------------------------------------------

  @Test
  void shortTasks_areSentAheadWhenNoFurtherLeaseIsThere() {
    Lease lease = leaseOfShortTasks();
    List<Task> more = submit(5);
    assertThat(more).allMatch(task -> task.lease() == lease);
  }

  @Test
  void shortTasks_whileNothingHasChangedAndThereIsRoomAhead_doNotAskAgain() {
    leaseOfShortTasks();
    bench.task("first").with(bench.put()).submit();
    int before = bench.questions;
    for (int i = 0; i < 10; i++) {
      bench.task("t" + i).with(bench.put()).submit();
    }
    assertThat(bench.questions).isEqualTo(before);

    bench.choice = new NodeChooser.Choice.Ask(NODE_B);
    bench.task("last").with(bench.put()).submit();
    assertThat(bench.openAsks()).isEqualTo(1);
  }

  @Test
  void longTasks_areNotSentAhead() {
    Task first = bench.submit("first");
    bench.grant();
    bench.succeed(first);
    bench.submit("running");
    bench.choice = new NodeChooser.Choice.Busy("full", List.of(), List.of());
    Task next = bench.submit("next");
    assertThat(next.machine().state()).isEqualTo(TaskState.QUEUED);
  }

  @Test
  void tasksSentAhead_comeBackWhenTheFirstBlocks() {
    Lease lease = leaseOfShortTasks();
    List<Task> more = submit(3);
    bench.block(bench.pushed().getFirst());
    assertThat(bench.effects(OwnerEffect.Recall.class))
        .containsExactly(new OwnerEffect.Recall(lease));
    bench.tell(new OwnerEvent.Returned(lease, more));
    assertThat(more).allMatch(task -> task.machine().state() == TaskState.QUEUED);

    bench.choice = new NodeChooser.Choice.Ask(NODE_B);
    bench.tell(new OwnerEvent.TryAgain());
    bench.forgetEffects();
    bench.grantAll();
    assertThat(bench.pushed()).containsExactlyElementsOf(more);
  }

  @Test
  void tasksSentAhead_comeBackWhenTheFirstTurnsOutToBeLong() {
    Lease lease = leaseOfShortTasks();
    List<Task> more = submit(2);
    bench.choice = new NodeChooser.Choice.Ask(NODE_B);
    bench.pass(10);
    assertThat(bench.effects(OwnerEffect.Recall.class))
        .containsExactly(new OwnerEffect.Recall(lease));

    bench.tell(new OwnerEvent.Returned(lease, more));
    bench.grantAll();
    assertThat(more).noneMatch(task -> task.lease() == null || task.lease() == lease);
  }

  @Test
  void tasksSentAhead_whenTheQueueHadBeenStuck_comeBackToo() {
    bench.choice = new NodeChooser.Choice.Ask(NODE_A);
    Task first = bench.submit("first");
    Lease lease = bench.grant();
    bench.choice = new NodeChooser.Choice.Busy("full", List.of(), List.of());
    List<Task> queued = submit(4);
    assertThat(queued).allMatch(task -> task.lease() == null);

    bench.succeedQuickly(first); // so short that the others are sent ahead together
    assertThat(queued).allMatch(task -> task.lease() == lease);
    bench.pass(10);
    assertThat(bench.effects(OwnerEffect.Recall.class))
        .containsExactly(new OwnerEffect.Recall(lease));
  }

  @Test
  void tasksSentAhead_areSharedAmongTheLeases() {
    Task first = bench.submit("first");
    Lease one = bench.grant();
    Task second = bench.submit("second");
    Lease two = bench.grant();
    bench.choice = new NodeChooser.Choice.Busy("full", List.of(), List.of());
    List<Task> queued = submit(10);

    bench.succeedQuickly(first);
    assertThat(queued.stream().filter(task -> task.lease() == one)).hasSizeBetween(5, 7);
    bench.succeedQuickly(second);
    assertThat(queued.stream().filter(task -> task.lease() == two)).hasSizeBetween(3, 5);
    bench.pushed().forEach(bench::succeedQuickly);
    assertThat(queued).allMatch(task -> task.lease() != null || task.machine().isDone());
  }

  @Test
  void task_behindOneThatCannotStart_startsWhenThatOneIsGone() {
    Task running = bench.submit("running");
    Lease lease = bench.grant();
    bench.choice = new NodeChooser.Choice.Busy("full", List.of(), List.of());
    Task stuck = bench.submit("stuck");
    Task behind = bench.submit("behind");
    bench.cancel(stuck);
    bench.succeed(running);
    assertThat(behind.lease()).isEqualTo(lease);

    bench.succeed(behind);
    Task next = bench.submit("next");
    assertThat(next.lease()).isEqualTo(lease);
  }

  @Test
  void tasksSentAhead_stayWhileTheOnesBeforeThemEnd() {
    leaseOfShortTasks();
    List<Task> tasks = new ArrayList<>(bench.pushed());
    tasks.addAll(submit(20));
    for (Task task : tasks) {
      bench.pass(1);
      bench.succeedQuickly(task);
    }
    assertThat(bench.effects(OwnerEffect.Recall.class)).isEmpty();
  }

  @Test
  void lease_whoseTaskTurnedOutToBeLong_takesNoOthersUntilItEnds() {
    Lease lease = leaseOfShortTasks();
    Task slow = bench.pushed().getFirst();
    Task ahead = bench.submit("ahead");
    bench.pass(10);
    bench.tell(new OwnerEvent.Returned(lease, List.of(ahead)));
    Task later = bench.submit("later");
    assertThat(later.lease()).isNull();

    bench.succeedQuickly(slow);
    assertThat(List.of(ahead, later)).allMatch(task -> task.lease() == lease);
  }

  @Test
  void tasksShorterThanWaking_goToTheLeaseAtWorkAndNotToAnIdleOne() {
    Lease working = leaseOfShortTasks();
    Lease idle = anotherIdleLease();

    Task next = bench.submit("next");
    assertThat(next.lease()).isEqualTo(working);

    Task withArgument = bench.task("with argument").with(bench.put()).submit();
    assertThat(withArgument.lease()).isEqualTo(idle);
  }

  @Test
  void recall_thatCrossesTheLastReport_doesNotMakeTheLeaseIdleTwice() {
    Lease lease = leaseOfShortTasks();
    Task running = bench.pushed().getFirst();
    Task ahead = bench.submit("ahead");
    bench.block(running);
    bench.unblock(running);
    bench.succeedQuickly(running);
    bench.succeedQuickly(ahead);
    bench.tell(new OwnerEvent.Returned(lease, List.of()));

    bench.forgetEffects();
    Task one = bench.submit("one");
    Task two = bench.submit("two");
    assertThat(one.lease()).isEqualTo(lease);
    assertThat(bench.effects(OwnerEffect.MarkBusy.class)).hasSize(1);
    assertThat(two.machine().isDone()).isFalse();
  }

  @Test
  void taskThatIsRecalled_andWasToBeCancelled_neverRuns() {
    Lease lease = leaseOfShortTasks();
    Task ahead = bench.submit("ahead");
    bench.block(bench.pushed().getFirst());
    bench.cancel(ahead); // the worker has given it back before it hears of this
    bench.forgetEffects();
    bench.tell(new OwnerEvent.Returned(lease, List.of(ahead)));
    bench.tell(new OwnerEvent.TryAgain());
    assertThat(failureOf(ahead)).isEqualTo(FailureKind.CANCELLED);
    bench.grantAll();
    assertThat(bench.pushed()).isEmpty();
  }

  @Test
  void tasks_areNotSentAheadToAnActorInTheMaking() {
    Lease first = leaseOfShortTasks();
    bench.succeedQuickly(bench.pushed().getFirst());
    Actor actor = new Actor(new ActorId(OwnerBench.OWNER, 1), "a", true, 0);
    Task creation = bench.new Work("new a", TaskKind.CREATION, actor).submit();
    assertThat(creation.lease()).isEqualTo(first);

    Task task = bench.submit("t");
    assertThat(task.machine().state()).isEqualTo(TaskState.QUEUED);
    bench.succeed(creation);
    assertThat(actor.lease()).isEqualTo(first);
  }

  // ---- blocked work -----------------------------------------------------------------------------

  @Test
  void task_thatBlocks_lendsItsCpuAndTakesItBack() {
    Task task = bench.submit("t");
    Lease lease = bench.grant();
    Task child = bench.task("child").parent(task).submit();
    bench.block(task, child.results()[0]);
    assertThat(bench.effects(OwnerEffect.LeaseBlocked.class)).hasSize(1);
    bench.block(task, child.results()[0]);
    assertThat(bench.effects(OwnerEffect.LeaseBlocked.class)).hasSize(1);

    bench.unblock(task);
    assertThat(bench.effects(OwnerEffect.LeaseUnblocked.class))
        .containsExactly(new OwnerEffect.LeaseUnblocked(lease, task));
    bench.unblock(task);
    assertThat(bench.effects(OwnerEffect.Resume.class)).hasSize(1);
  }

  @Test
  void attempt_thatIsLostAndBlocks_leavesTheLeaseOfTheNextAlone() {
    Task task = bench.task("t").retries(1).submit();
    bench.loseLease(bench.grant(), task);
    bench.grant();
    bench.tell(new OwnerEvent.Blocked(task, 1, List.of(bench.put())));
    assertThat(bench.effects(OwnerEffect.LeaseBlocked.class)).isEmpty();
    bench.tell(new OwnerEvent.Unblocked(task, 1, "the old run"));
    assertThat(bench.effects(OwnerEffect.Resume.class))
        .containsExactly(new OwnerEffect.Resume("the old run"));
  }

  @Test
  void attempt_thatIsGivenUpAndBlocks_lendsItsCpu() {
    Task task = bench.submit("t");
    Lease lease = bench.grant();
    bench.tell(new OwnerEvent.GivenUp(task, 1, "ignored the interrupt", false));
    bench.block(task, bench.submit("child").results()[0]);
    assertThat(bench.effects(OwnerEffect.LeaseBlocked.class)).hasSize(1);
    bench.unblock(task);
    assertThat(bench.effects(OwnerEffect.LeaseUnblocked.class))
        .containsExactly(new OwnerEffect.LeaseUnblocked(lease, task));
  }

  @Test
  void call_thatGoesOnAfterItsActorIsKilled_lendsItsCpuWhileItWaits() {
    Actor actor = bench.alive("a", true, 0);
    Lease lease = Objects.requireNonNull(actor.lease());
    Task call = bench.call(actor, "call").submit();
    bench.tell(new OwnerEvent.ActorKilled(actor, "killed"));
    bench.block(call, bench.submit("child").results()[0]);
    assertThat(bench.effects(OwnerEffect.LeaseBlocked.class))
        .containsExactly(new OwnerEffect.LeaseBlocked(lease));
    bench.unblock(call);
    assertThat(bench.effects(OwnerEffect.LeaseUnblocked.class)).hasSize(1);
  }

  @Test
  void call_ofAnEarlierLifeThatBlocks_leavesTheLeaseOfTheNextAlone() {
    Actor actor = bench.alive("a", true, 1);
    Task call = bench.call(actor, "call").submit();
    bench.tell(
        new OwnerEvent.ActorLost(
            actor, List.of(call), Outcome.Failure.of(FailureKind.ACTOR_DIED, "gone")));
    bench.creation(actor);
    bench.construct(actor);
    bench.block(call, bench.put());
    assertThat(bench.effects(OwnerEffect.LeaseBlocked.class)).isEmpty();
  }

  @Test
  void call_thatIsGivenUpWhileItBlocks_takesTheCpuOfItsActorBack() {
    Actor actor = bench.alive("a", true, 0);
    Task call = bench.call(actor, "call").submit();
    bench.block(call, bench.submit("child").results()[0]);
    bench.tell(new OwnerEvent.GivenUp(call, 1, "ignored the interrupt", false));
    bench.unblock(call);
    assertThat(bench.effects(OwnerEffect.LeaseUnblocked.class)).hasSize(1);
  }

  @Test
  void call_thatBlocksAtAnUnorderedActor_lendsNothing() {
    Actor actor = bench.alive("a", false, 0);
    Task call = bench.call(actor, "call").submit();
    bench.block(call, bench.submit("other").results()[0]);
    assertThat(bench.effects(OwnerEffect.LeaseBlocked.class)).isEmpty();
    bench.unblock(call);
    assertThat(bench.effects(OwnerEffect.Resume.class)).hasSize(1);
  }

  // ---- work that no node can hold ---------------------------------------------------------------

  @Test
  void infeasibleWork_failsAfterTheGrace() {
    bench.choice = new NodeChooser.Choice.Never("too large", List.of("node-a: too small"));
    Task task = bench.submit("t");
    bench.pass(GRACE_MS - 1);
    assertThat(task.machine().isDone()).isFalse();
    bench.pass(1);
    assertThat(failureOf(task)).isEqualTo(FailureKind.INFEASIBLE);
    Outcome.Failure failure = (Outcome.Failure) task.results()[0].outcome();
    assertThat(failure.message()).contains("too large");
    assertThat(failure.details()).containsExactly("node-a: too small");
  }

  @Test
  void infeasibleWork_whenANodeComesInTime_runs() {
    bench.choice = new NodeChooser.Choice.Never("too large", List.of());
    Task task = bench.submit("t");
    bench.pass(GRACE_MS / 2);
    bench.choice = new NodeChooser.Choice.Ask(NODE_A);
    bench.tell(new OwnerEvent.TryAgain());
    bench.grant();
    assertThat(task.machine().state()).isEqualTo(TaskState.PUSHED);
    bench.pass(GRACE_MS);
    assertThat(task.machine().isDone()).isFalse();
  }

  @Test
  void grace_ofWorkThatBecomesInfeasibleAgain_startsAnew() {
    bench.choice = new NodeChooser.Choice.Never("too large", List.of());
    Task task = bench.submit("t");
    bench.pass(GRACE_MS / 2);
    bench.choice = new NodeChooser.Choice.Busy("full", List.of(), List.of());
    bench.tell(new OwnerEvent.TryAgain());
    bench.pass(GRACE_MS / 4);
    bench.choice = new NodeChooser.Choice.Never("too large again", List.of());
    bench.tell(new OwnerEvent.TryAgain());
    bench.pass(GRACE_MS - 1);
    assertThat(task.machine().isDone()).isFalse();
    bench.pass(1);
    assertThat(failureOf(task)).isEqualTo(FailureKind.INFEASIBLE);
  }

  @Test
  void infeasibleActor_isDead() {
    bench.choice = new NodeChooser.Choice.Never("too large", List.of());
    Actor actor = bench.actor("a", true, 0);
    Task call = bench.call(actor, "call").submit();
    bench.pass(GRACE_MS);
    assertThat(actor.machine().isDead()).isTrue();
    assertThat(failureOf(call)).isEqualTo(FailureKind.ACTOR_DIED);
  }

  // ---- groups -----------------------------------------------------------------------------------

  @Test
  void group_thatIsRemoved_failsWhatIsQueuedInIt() {
    bench.choice = new NodeChooser.Choice.Busy("not placed yet", List.of(), List.of());
    Task inside = bench.task("inside").on(inGroup(BUNDLE)).submit();
    Task outside = bench.submit("outside");
    bench.tell(groupGone());
    assertThat(failureOf(inside)).isEqualTo(FailureKind.GROUP_REMOVED);
    assertThat(outside.machine().isDone()).isFalse();
  }

  @Test
  void group_thatIsRemoved_failsWhatBecomesReadyLater() {
    Task producer = bench.submit("producer");
    Task waiting = bench.task("waiting").on(inGroup(BUNDLE)).with(producer).submit();
    bench.tell(groupGone());
    bench.grant();
    bench.succeed(producer);
    assertThat(failureOf(waiting)).isEqualTo(FailureKind.GROUP_REMOVED);
  }

  @Test
  void group_thatIsRemoved_failsWhatComesBackFromAWorkerLater() {
    Task task = bench.task("task").on(inGroup(BUNDLE)).submit();
    Lease lease = Objects.requireNonNull(bench.grant());
    bench.tell(groupGone());
    bench.tell(new OwnerEvent.Returned(lease, List.of(task)));
    assertThat(failureOf(task)).isEqualTo(FailureKind.GROUP_REMOVED);
  }

  @Test
  void group_thatIsRemoved_failsWhatIsSubmittedLater() {
    bench.tell(groupGone());
    Task late = bench.task("late").on(inGroup(BUNDLE)).submit();
    assertThat(failureOf(late)).isEqualTo(FailureKind.GROUP_REMOVED);
  }

  @Test
  void bundle_thatIsGivenUp_failsWhatRunsInIt() {
    Task inside = bench.task("inside").on(inGroup(BUNDLE)).retries(9).submit();
    Lease lease = Objects.requireNonNull(bench.grant());
    bench.tell(
        new OwnerEvent.LeaseEnded(lease, Outcome.Failure.of(FailureKind.GROUP_REMOVED, "removed")));
    assertThat(failureOf(inside)).isEqualTo(FailureKind.GROUP_REMOVED);
    assertThat(bench.effects(OwnerEffect.GiveBack.class)).isEmpty();
  }

  private static OwnerEvent groupGone() {
    return new OwnerEvent.GroupGone(
        BUNDLE, Outcome.Failure.of(FailureKind.GROUP_REMOVED, "removed"));
  }

  // ---- helpers ----------------------------------------------------------------------------------

  private List<Task> submit(int count) {
    List<Task> tasks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      tasks.add(bench.task("t" + i).from(DRIVER).submit());
    }
    return tasks;
  }

  private Lease idleLease() {
    Task task = bench.submit("warm-up");
    Lease lease = Objects.requireNonNull(bench.grant());
    bench.succeed(task);
    return lease;
  }

  /** Makes a lease that lies idle while all others have tasks ahead. */
  private Lease anotherIdleLease() {
    bench.choice = new NodeChooser.Choice.Ask(NODE_B);
    Task task = bench.task("elsewhere").with(bench.put()).submit();
    Lease lease = Objects.requireNonNull(bench.grant());
    bench.succeedQuickly(task);
    return lease;
  }

  /** Makes a lease that runs a task, of a shape whose tasks are short; no other is to be had. */
  private Lease leaseOfShortTasks() {
    Task task = bench.submit("warm-up");
    Lease lease = Objects.requireNonNull(bench.grant());
    bench.succeedQuickly(task);
    bench.choice = new NodeChooser.Choice.Busy("full", List.of(), List.of());
    bench.forgetEffects();
    bench.submit("running");
    return lease;
  }
}
