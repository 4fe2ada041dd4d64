package io.aktis.core.owner;

import static io.aktis.core.owner.OwnerBench.NODE_A;
import static io.aktis.core.owner.OwnerBench.NODE_B;
import static io.aktis.core.owner.OwnerBench.failureOf;
import static io.aktis.core.owner.OwnerBench.inline;
import static io.aktis.core.owner.OwnerBench.stored;
import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.core.id.ActorId;
import io.aktis.core.task.TaskMachine;
import io.aktis.core.task.TaskState;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Objects whose every copy is gone are made again, as far as budgets and lineage reach. */
class LineageTest {
  private final OwnerBench bench = new OwnerBench();

  @Test
  void result_thatIsLost_isMadeAgain() {
    Task task = ran("t", 1);
    OwnedObject result = task.results()[0];
    nodeGone();
    assertThat(bench.effects(OwnerEffect.Unsettle.class)).hasSize(1);
    assertThat(result.outcome()).isNull();
    assertThat(task.machine().state()).isEqualTo(TaskState.QUEUED);

    bench.grantAll();
    bench.succeed(task, stored(NODE_B));
    assertThat(result.nodes()).containsExactly(NODE_B);
    assertThat(bench.effects(OwnerEffect.Done.class)).hasSize(1);
    assertThat(bench.machine.liveCount()).isZero();
  }

  @Test
  void result_withoutABudget_isLost() {
    Task task = ran("t", 0);
    nodeGone();
    assertThat(failureOf(task)).isEqualTo(FailureKind.OBJECT_LOST);
    assertThat(bench.machine.lineageBytes()).isZero();
  }

  @Test
  void putValue_thatIsLost_isLostForGood() {
    OwnedObject object = bench.putAt(NODE_A);
    nodeGone();
    assertThat(failureOf(object)).isEqualTo(FailureKind.OBJECT_LOST);
  }

  @Test
  void dependent_ofALostResult_waitsUntilItIsThereAgain() {
    Task task = ran("t", 1);
    bench.choice = new NodeChooser.Choice.Busy("full", List.of(), List.of());
    Task dependent = bench.task("dependent").with(task).submit();
    nodeGone();
    bench.forgetEffects();
    bench.choice = new NodeChooser.Choice.Ask(NODE_B);
    bench.tell(new OwnerEvent.TryAgain());
    bench.grantAll();
    assertThat(bench.pushed()).containsExactly(task);
    bench.succeed(task, stored(NODE_B));
    assertThat(dependent.machine().state()).isEqualTo(TaskState.PUSHED);
  }

  @Test
  void task_thatWaitsForOneArgumentWhileAnotherIsLost_waitsForBoth() {
    Task lost = ran("lost", 1);
    OwnedObject put = bench.putAt(NODE_A);
    Task slow = bench.submit("slow");
    Task needsMade = bench.task("made").with(lost.results()[0], slow.results()[0]).submit();
    Task needsPut = bench.task("put").with(put, slow.results()[0]).submit();
    nodeGone();
    bench.succeed(slow);
    assertThat(needsMade.machine().state()).isEqualTo(TaskState.WAITING);
    assertThat(failureOf(needsPut)).isEqualTo(FailureKind.OBJECT_LOST);
    finishAll();
    assertThat(needsMade.machine().state()).isEqualTo(TaskState.SUCCEEDED);
  }

  @Test
  void taskSentAhead_whoseArgumentIsLostBeforeItComesBack_doesNotRunWithoutIt() {
    Task quick = bench.submit("quick");
    Lease lease = bench.grant();
    bench.succeedQuickly(quick);
    bench.choice = new NodeChooser.Choice.Busy("full", List.of(), List.of());
    Task running = bench.submit("running");
    OwnedObject put = bench.putAt(NODE_B);
    Task ahead = bench.task("ahead").with(put).submit();
    assertThat(ahead.lease()).isEqualTo(lease);
    bench.block(running);
    bench.tell(new OwnerEvent.NodeGone(NODE_B));
    bench.tell(new OwnerEvent.Returned(lease, List.of(ahead)));
    assertThat(failureOf(ahead)).isEqualTo(FailureKind.OBJECT_LOST);
  }

  @Test
  void taskThatPauses_whoseArgumentIsLostMeanwhile_waitsForItAgain() {
    Task producer = bench.task("producer").retries(1).submit();
    bench.grant();
    bench.succeed(producer, stored(NODE_B));
    Task task = bench.task("task").retries(1).with(producer).submit();
    bench.tell(
        new OwnerEvent.LeaseLost(
            Objects.requireNonNull(task.lease()),
            TaskMachine.Loss.OUT_OF_MEMORY,
            List.of(task),
            Outcome.Failure.of(FailureKind.OUT_OF_MEMORY, "too big")));
    bench.tell(new OwnerEvent.NodeGone(NODE_B));
    bench.pass(60_000);
    assertThat(task.machine().state()).isEqualTo(TaskState.WAITING);
    bench.grantAll();
    bench.succeed(producer, stored(NODE_A));
    assertThat(task.machine().state()).isNotEqualTo(TaskState.WAITING);
    bench.grantAll();
    bench.succeed(task);
    assertThat(task.machine().state()).isEqualTo(TaskState.SUCCEEDED);
  }

  @Test
  void call_thatWaitsForItsActor_waitsForItsArgumentAgain() {
    Actor actor = bench.actor("a", true, 0);
    OwnerEffect.AskLease ask = bench.effects(OwnerEffect.AskLease.class).getFirst();
    assertThat(ask).isNotNull();
    Task producer = bench.task("producer").retries(1).submit();
    Task creation = actor.creation;
    bench.grantAll();
    bench.succeed(producer, stored(NODE_A));
    Task call = bench.call(actor, "call").with(producer).submit();
    Task behind = bench.call(actor, "behind").submit();
    nodeGone();
    bench.forgetEffects();
    bench.succeed(creation);
    assertThat(bench.pushed()).doesNotContain(call, behind);
    bench.grantAll();
    bench.succeed(producer, stored(NODE_B));
    assertThat(bench.pushed()).containsExactly(producer, call, behind);
  }

  @Test
  void callsOfAnActor_whoseCreationLosesItsArgument_failOnceWithIt() {
    OwnedObject put = bench.putAt(NODE_A);
    Actor actor = new Actor(new ActorId(OwnerBench.OWNER, 9), "a", true, 0);
    bench.new Work("new a", TaskKind.CREATION, actor).with(put).submit();
    Task call = bench.call(actor, "call").with(put).submit();
    nodeGone();
    assertThat(actor.machine().isDead()).isTrue();
    assertThat(call.machine().state()).isEqualTo(TaskState.FAILED);
    assertThat(bench.effects(OwnerEffect.Done.class)).hasSize(2);
  }

  @Test
  void chain_thatIsLost_isMadeAgainArgumentsFirst() {
    Task first = ran("first", 1);
    Task second = ranWith("second", first);
    Task third = ranWith("third", second);
    nodeGone();
    bench.forgetEffects();
    finishAll();
    assertThat(bench.pushed()).containsExactly(first, second, third);
    assertThat(third.results()[0].nodes()).containsExactly(NODE_B);
  }

  @Test
  void chain_whoseMiddleWasReleased_isMadeAgainAllTheSame() {
    Task first = ran("first", 1);
    Task second = ranWith("second", first);
    bench.close(first.results()[0]);
    assertThat(first.results()[0].state()).isEqualTo(OwnedObject.State.RELEASED);
    nodeGone();
    finishAll();
    assertThat(second.results()[0].nodes()).containsExactly(NODE_B);
    assertThat(first.results()[0].state()).isEqualTo(OwnedObject.State.RELEASED);
    assertThat(bench.machine.storedObjects()).isEqualTo(1);

    bench.close(second.results()[0]);
    assertThat(bench.machine.storedObjects()).isZero();
    assertThat(bench.machine.lineageBytes()).isZero();
  }

  @Test
  void smallArgument_thatWasReleased_isStillThereForTheNextRun() {
    Task first = bench.submit("first");
    bench.grantAll();
    bench.succeed(first);
    Task second = ranWith("second", first);
    bench.close(first.results()[0]);
    nodeGone();
    finishAll();
    assertThat(second.results()[0].nodes()).containsExactly(NODE_B);
    bench.close(second.results()[0]);
    assertThat(first.results()[0].state()).isEqualTo(OwnedObject.State.RELEASED);
  }

  @Test
  void argument_thatCannotBeMadeAgain_failsWhatNeedsIt() {
    OwnedObject put = bench.putAt(NODE_A);
    Task task = bench.task("t").retries(3).with(put).submit();
    bench.grantAll();
    bench.succeed(task, stored(NODE_A));
    nodeGone();
    assertThat(failureOf(task)).isEqualTo(FailureKind.OBJECT_LOST);
    assertThat(bench.machine.liveCount()).isZero();
  }

  @Test
  void argument_thatIsMadeAgainForTwo_isMadeOnce() {
    Task first = ran("first", 1);
    Task left = ranWith("left", first);
    Task right = ranWith("right", first);
    bench.close(first.results()[0]);
    nodeGone();
    bench.forgetEffects();
    finishAll();
    assertThat(bench.pushed()).containsExactly(first, left, right);
  }

  @Test
  void severalResults_whenSomeAreLost_leaveTheOthersAlone() {
    Task task = bench.task("t").results(3).retries(2).submit();
    bench.grantAll();
    bench.succeed(task, inline(), stored(NODE_A), stored(NODE_A));
    bench.close(task.results()[2]);
    nodeGone();
    finishAll();
    assertThat(task.results()[0].outcome()).isEqualTo(inline());
    assertThat(task.results()[1].nodes()).containsExactly(NODE_B);
    assertThat(task.results()[2].state()).isEqualTo(OwnedObject.State.RELEASED);
    assertThat(bench.effects(OwnerEffect.Settle.class)).hasSize(4);
    assertThat(bench.machine.storedObjects()).isEqualTo(1);

    bench.close(task.results()[1]);
    assertThat(bench.machine.storedObjects()).isZero();
    assertThat(bench.machine.lineageBytes()).isZero();
  }

  @Test
  void severalResults_whenOneInlineIsReleased_keepTheLineageOfTheStored() {
    Task task = bench.task("t").results(2).retries(2).submit();
    bench.grantAll();
    bench.succeed(task, inline(), stored(NODE_A));
    bench.close(task.results()[0]);
    nodeGone();
    finishAll();
    assertThat(task.results()[1].nodes()).containsExactly(NODE_B);
  }

  @Test
  void referencesInALostValue_areLetGoWithIt() {
    OwnedObject inner = bench.putAt(NODE_B);
    Task task = bench.task("t").retries(1).submit();
    bench.grantAll();
    bench.succeed(task, stored(NODE_A, inner));
    bench.close(inner);
    nodeGone();
    assertThat(inner.state()).isEqualTo(OwnedObject.State.RELEASED);
    OwnedObject innerAgain = bench.putAt(NODE_B);
    bench.grantAll();
    bench.succeed(task, stored(NODE_B, innerAgain));
    bench.close(innerAgain);
    bench.close(task.results()[0]);
    assertThat(bench.machine.storedObjects()).isZero();
  }

  @Test
  void result_thatIsLostAfterItsProducerFailedInAnotherRun_isLost() {
    Task task = bench.task("t").results(2).retries(5).submit();
    bench.grantAll();
    bench.succeed(task, stored(NODE_A), stored(NODE_B));
    nodeGone();
    bench.grantAll();
    bench.fail(task);
    assertThat(failureOf(task.results()[0])).isEqualTo(FailureKind.TASK_FAILED);
    assertThat(task.results()[1].nodes()).containsExactly(NODE_B);
    bench.tell(new OwnerEvent.NodeGone(NODE_B));
    assertThat(failureOf(task.results()[1])).isEqualTo(FailureKind.OBJECT_LOST);
    assertThat(bench.machine.lineageBytes()).isZero();
  }

  @Test
  void lostValue_thatOnlyALostValueHeld_isForgottenWithItsLineage() {
    Task inner = ran("inner", 1);
    Task outer = bench.task("outer").submit();
    bench.grantAll();
    bench.succeed(outer, stored(NODE_A, inner.results()[0]));
    bench.close(inner.results()[0]);
    nodeGone();
    assertThat(inner.results()[0].state()).isEqualTo(OwnedObject.State.RELEASED);
    assertThat(bench.machine.lineageBytes()).isZero();
  }

  @Test
  void lineage_beyondItsLimit_isForgottenOldestFirst() {
    OwnerBench small = new OwnerBench(250);
    Task oldest = small.task("oldest").retries(1).submit();
    Task middle = small.task("middle").retries(1).submit();
    Task newest = small.task("newest").retries(1).submit();
    small.grantAll();
    for (Task task : List.of(oldest, middle, newest)) {
      small.succeed(task, stored(NODE_A));
    }
    assertThat(small.machine.lineageBytes()).isEqualTo(200);
    assertThat(oldest.payload()).isNull();
    small.tell(new OwnerEvent.NodeGone(NODE_A));
    assertThat(failureOf(oldest)).isEqualTo(FailureKind.OBJECT_LOST);
    assertThat(middle.machine().isDone()).isFalse();
  }

  @Test
  void lineage_whenItIsFull_keepsWhatIsAboutToRunAgain() {
    OwnerBench small = new OwnerBench(150);
    Task again = small.task("again").retries(1).submit();
    small.grantAll();
    small.succeed(again, stored(NODE_A));
    Task other = small.task("other").results(2).retries(1).submit();
    OwnedObject put = small.putAt(NODE_A);
    Task fails = small.task("fails").results(2).retries(1).with(put).submit();
    small.grantAll();
    small.succeed(other, inline(), inline());
    small.succeed(fails, stored(NODE_A), stored(NODE_B));
    small.tell(new OwnerEvent.Reclaimed(small.idleLeases()));
    small.tell(new OwnerEvent.NodeGone(NODE_A));
    small.grantAll();
    for (Task task : small.pushed()) {
      assertThat(task.machine().isDone() || task.payload() != null).as("%s", task).isTrue();
    }
  }

  @Test
  void producer_ofALostResult_isKeptThoughAnotherOfItsResultsIsLetGo() {
    Task pair = bench.task("pair").results(2).retries(1).submit();
    bench.grantAll();
    bench.succeed(pair, stored(NODE_A), stored(NODE_A));
    Task outer = bench.task("outer").submit();
    bench.grantAll();
    bench.succeed(outer, stored(NODE_A, pair.results()[0]));
    bench.close(pair.results()[0]);
    nodeGone();
    assertThat(pair.results()[0].state()).isEqualTo(OwnedObject.State.RELEASED);
    assertThat(pair.machine().isDone()).isFalse();
    finishAll();
    assertThat(pair.results()[1].nodes()).containsExactly(NODE_B);
  }

  @Test
  void lineage_ofWhatIsReleased_isForgotten() {
    Task task = ran("t", 1);
    assertThat(bench.machine.lineageBytes()).isEqualTo(100);
    bench.close(task.results()[0]);
    assertThat(bench.machine.lineageBytes()).isZero();
    assertThat(task.payload()).isNull();
  }

  @Test
  void callWhoseResultIsLost_runsAgainOnlyWithRetries() {
    Actor actor = bench.alive("a", true, 0);
    Task once = bench.call(actor, "once").submit();
    Task twice = bench.call(actor, "twice").retries(1).submit();
    bench.succeed(once, stored(NODE_B));
    bench.succeed(twice, stored(NODE_B));
    bench.tell(new OwnerEvent.NodeGone(NODE_B));
    assertThat(failureOf(once)).isEqualTo(FailureKind.OBJECT_LOST);
    assertThat(twice.machine().state()).isEqualTo(TaskState.PUSHED);
  }

  @Test
  void callWhoseResultIsLostAndWhoseActorIsDead_isLostToo() {
    Actor actor = bench.alive("a", true, 0);
    Task call = bench.call(actor, "call").retries(1).submit();
    bench.succeed(call, stored(NODE_B));
    bench.tell(new OwnerEvent.ActorKilled(actor, "killed"));
    bench.tell(new OwnerEvent.NodeGone(NODE_B));
    assertThat(failureOf(call)).isEqualTo(FailureKind.ACTOR_DIED);
    assertThat(bench.machine.liveCount()).isZero();
  }

  private Task ran(String name, int retries) {
    Task task = bench.task(name).retries(retries).submit();
    bench.grantAll();
    bench.succeed(task, stored(NODE_A));
    return task;
  }

  private Task ranWith(String name, Task argument) {
    Task task = bench.task(name).retries(1).with(argument).submit();
    bench.grantAll();
    bench.succeed(task, stored(NODE_A));
    return task;
  }

  /** Node A is gone, with its leases; from now on B is chosen. */
  private void nodeGone() {
    bench.choice = new NodeChooser.Choice.Ask(NODE_B);
    bench.tell(new OwnerEvent.Reclaimed(bench.idleLeases()));
    bench.tell(new OwnerEvent.NodeGone(NODE_A));
  }

  /** Runs what is to be run, until nothing is left. */
  private void finishAll() {
    bench.grantAll();
    while (bench.machine.liveCount() > 0) {
      for (Task task : bench.pushed()) {
        if (task.machine().state() == TaskState.PUSHED) {
          Outcome[] outcomes = new Outcome[task.results().length];
          java.util.Arrays.fill(outcomes, stored(NODE_B));
          bench.succeed(task, outcomes);
        }
      }
      bench.grantAll();
    }
  }
}
