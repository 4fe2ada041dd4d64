package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.ActorHandle;
import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.CancelOptions;
import io.aktis.CancelResult;
import io.aktis.ObjectRef;
import io.aktis.TaskCancelledException;
import io.aktis.TaskFailedException;
import io.aktis.testkit.Await;
import io.aktis.testkit.EngineTest;
import io.aktis.testkit.Gate;
import io.aktis.testkit.Notes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Cancelling tasks. */
@EngineTest(cpus = 1)
class CancelTest {
  private static final CancelOptions FORCED =
      CancelOptions.forced().withGrace(Duration.ofMillis(50));

  @Test
  @Semantics("2.cancel.waiting")
  void cancel_taskThatWaitsForACpu_neverRuns() {
    Gate gate = Gate.closed();
    Notes runs = Notes.empty();
    ObjectRef<Void> busy = Aktis.run(Gate::pass, gate).remote();
    ObjectRef<Void> queued = Aktis.run(Notes::add, runs, "ran").remote();

    assertThat(queued.cancel()).isEqualTo(CancelResult.NEVER_STARTED);

    assertThatThrownBy(queued::get).isInstanceOf(TaskCancelledException.class);
    gate.open();
    busy.get();
    Aktis.run(() -> {}).remote().get();
    assertThat(runs.count()).isZero();
  }

  @Test
  @Semantics("2.cancel.waiting")
  void cancel_taskThatWaitsForItsArgument_neverRuns() {
    Gate gate = Gate.closed();
    ObjectRef<Integer> argument = Aktis.task(TaskTest::afterGate, gate, 1).remote();
    ObjectRef<Integer> waiting = Aktis.task(TaskTest::negate, argument).remote();

    assertThat(waiting.cancel()).isEqualTo(CancelResult.NEVER_STARTED);

    assertThatThrownBy(waiting::get).isInstanceOf(TaskCancelledException.class);
    gate.open();
    assertThat(argument.get()).isEqualTo(1);
  }

  @Test
  @Semantics("2.cancel.waiting")
  void cancel_callThatWaitsForItsActor_neverRunsAndLetsTheNextOneRun() {
    Gate gate = Gate.closed();
    try (ActorHandle<Notes> actor = Aktis.actor(Notes::empty).remote()) {
      ObjectRef<Void> running = actor.run(_ -> gate.pass());
      ObjectRef<Void> queued = actor.run(Notes::add, "cancelled");
      ObjectRef<Void> next = actor.run(Notes::add, "next");
      gate.awaitArrivals(1);

      assertThat(queued.cancel()).isEqualTo(CancelResult.NEVER_STARTED);

      assertThatThrownBy(queued::get).isInstanceOf(TaskCancelledException.class);
      gate.open();
      running.get();
      next.get();
      assertThat(actor.call(Notes::lines).get()).containsExactly("next");
    }
  }

  @Test
  @Semantics("2.cancel.running")
  void cancel_callThatRuns_isInterruptedAndTheActorLivesOn() {
    Gate gate = Gate.closed();
    try (ActorHandle<Notes> actor = Aktis.actor(Notes::empty).remote()) {
      ObjectRef<Void> running = actor.run(_ -> gate.pass());
      gate.awaitArrivals(1);

      assertThat(running.cancel()).isEqualTo(CancelResult.INTERRUPTED);

      assertThatThrownBy(running::get).isInstanceOf(TaskCancelledException.class);
      assertThat(actor.call(Notes::count).get()).isZero();
    }
  }

  /** Spinning work, more of it than there are CPUs, does not keep the engine from listening. */
  @Test
  @Semantics("2.cancel.running")
  void cancel_tasksThatSpin_endsThem(AktisSession session) {
    Notes started = Notes.empty();
    List<ObjectRef<Void>> spinning =
        IntStream.range(0, 50)
            .mapToObj(_ -> Aktis.run(CancelTest::spin, started).cpus(0.01).remote())
            .toList();
    started.awaitCount(50);

    spinning.forEach(ObjectRef::cancel);

    Await.until("all of them to have ended", () -> session.cluster().available("CPU") == 1);
  }

  static void spin(Notes started) {
    started.add("started");
    while (!Aktis.context().isCancelled()) {
      Thread.onSpinWait();
    }
  }

  @Test
  @Semantics("2.cancel.running")
  void cancel_runningTask_isInterrupted() {
    Gate gate = Gate.closed();
    Notes notes = Notes.empty();
    ObjectRef<Void> running = Aktis.run(CancelTest::passOrTell, gate, notes).remote();
    gate.awaitArrivals(1);

    assertThat(running.cancel()).isEqualTo(CancelResult.INTERRUPTED);

    assertThatThrownBy(running::get)
        .isInstanceOfSatisfying(
            TaskCancelledException.class, failure -> assertThat(failure.story()).isNotEmpty());
    assertThat(notes.awaitCount(1)).containsExactly("interrupted, cancelled: true");
  }

  @Test
  @Semantics("2.cancel.running")
  void cancel_taskThatLooksAtItsContext_canEndWithAValueAllTheSame() {
    Gate started = Gate.closed();
    ObjectRef<Long> running = Aktis.task(CancelTest::countUntilCancelled, started).remote();
    started.awaitArrivals(1);
    started.open();

    assertThat(running.cancel()).isEqualTo(CancelResult.INTERRUPTED);

    assertThat(running.get()).isNotNegative();
  }

  @Test
  @Semantics("2.cancel.running")
  void cancel_taskThatWaitsInGet_isInterrupted() {
    Gate gate = Gate.closed();
    ObjectRef<Integer> child = Aktis.task(TaskTest::afterGate, gate, 1).cpus(0).remote();
    Notes notes = Notes.empty();
    ObjectRef<Integer> parent = Aktis.task(() -> notedGet(child, notes)).remote();
    notes.awaitCount(1);

    assertThat(parent.cancel()).isEqualTo(CancelResult.INTERRUPTED);

    assertThatThrownBy(parent::get).isInstanceOf(TaskCancelledException.class);
    gate.open();
    assertThat(child.get()).isEqualTo(1);
  }

  @Test
  @Semantics("2.cancel.running")
  void cancel_runningTask_isNotRetried() {
    Gate gate = Gate.closed();
    ObjectRef<Void> running = Aktis.run(Gate::pass, gate).maxRetries(5).remote();
    gate.awaitArrivals(1);

    running.cancel();

    assertThatThrownBy(running::get).isInstanceOf(TaskCancelledException.class);
    assertThat(Aktis.task(() -> 1).remote().get()).isEqualTo(1);
    assertThat(gate.arrivals()).isEqualTo(1);
  }

  @Test
  @Semantics("2.cancel.forced")
  void cancel_forcedOnStubbornTask_takesItsResult(AktisSession session) {
    Gate gate = Gate.closed();
    ObjectRef<Void> stubborn = stubborn(gate);

    assertThat(stubborn.cancel(FORCED)).isEqualTo(CancelResult.KILLED);

    assertThatThrownBy(stubborn::get).isInstanceOf(TaskCancelledException.class);
    gate.open();
    awaitFreeCpu(session);
  }

  @Test
  @OneProcess("its process is killed")
  @Semantics("2.cancel.slot")
  void cancel_forcedOnStubbornTask_leavesItsCpuTakenUntilItEnds(AktisSession session) {
    Gate gate = Gate.closed();
    ObjectRef<Void> stubborn = stubborn(gate);

    stubborn.cancel(FORCED);

    assertThat(session.cluster().available("CPU")).isZero();
    gate.open();
    awaitFreeCpu(session);
  }

  @Test
  @SeveralProcesses("no code can be ended from outside")
  @Semantics({"2.cancel.forced", "2.cancel.slot"})
  void cancel_forcedOnStubbornTask_endsItsProcess(AktisSession session) {
    long pid = Aktis.task(ProcessTest::pid).remote().get();
    ObjectRef<Void> stubborn = stubborn(Gate.closed());

    assertThat(stubborn.cancel(FORCED)).isEqualTo(CancelResult.KILLED);

    awaitFreeCpu(session);
    assertThat(Aktis.task(ProcessTest::pid).remote().get()).isNotEqualTo(pid);
  }

  @Test
  @SeveralProcesses("no process is killed")
  @Semantics("2.cancel.bystanders")
  void cancel_forcedBesideOthers_runsThemAgainForFree(AktisSession session) {
    Gate gate = Gate.closed();
    ObjectRef<Void> bystander = Aktis.run(Gate::pass, gate).cpus(0).maxRetries(1).remote();
    for (int kills = 0; kills < 3; kills++) {
      gate.awaitArrivals(kills + 1);
      assertThat(stubborn(Gate.closed()).cancel(FORCED)).isEqualTo(CancelResult.KILLED);
      awaitFreeCpu(session);
    }
    gate.awaitArrivals(4);

    gate.open();

    bystander.get();
    assertThat(bystander.attempts()).isEqualTo(4);
  }

  @Test
  @SeveralProcesses("no process is killed")
  @Semantics("2.cancel.bystanders")
  void cancel_forcedBesideWhatMustNotRunTwice_leavesTheProcess(AktisSession session) {
    Gate once = Gate.closed();
    ObjectRef<Void> bystander = Aktis.run(Gate::pass, once).cpus(0).maxRetries(0).remote();
    once.awaitArrivals(1);
    Gate gate = Gate.closed();
    ObjectRef<Void> stubborn = stubborn(gate);

    assertThat(stubborn.cancel(FORCED)).isEqualTo(CancelResult.KILLED);

    assertThat(session.cluster().available("CPU")).isZero();
    once.open();
    bystander.get();
    gate.open();
    awaitFreeCpu(session);
    assertThat(once.arrivals()).isEqualTo(1);
  }

  @Test
  @SeveralProcesses("no process is killed")
  @Semantics("2.cancel.bystanders")
  void cancel_forcedBesideAnActor_leavesItsState(AktisSession session) {
    ActorHandle<AtomicInteger> actor = Aktis.actor(AtomicInteger::new, 41).cpus(0).remote();
    actor.ready().get();
    Gate gate = Gate.closed();
    ObjectRef<Void> stubborn = stubborn(gate);

    assertThat(stubborn.cancel(FORCED)).isEqualTo(CancelResult.KILLED);

    assertThat(session.cluster().available("CPU")).isZero();
    assertThat(actor.call(AtomicInteger::incrementAndGet).get()).isEqualTo(42);
    gate.open();
    awaitFreeCpu(session);
  }

  private static ObjectRef<Void> stubborn(Gate gate) {
    ObjectRef<Void> stubborn = Aktis.run(Gate::passStubbornly, gate).remote();
    gate.awaitArrivals(1);
    return stubborn;
  }

  private static void awaitFreeCpu(AktisSession session) {
    Await.until("the CPU to be free", () -> session.cluster().available("CPU") == 1);
  }

  @Test
  @Semantics("2.cancel.forced")
  void cancel_forcedOnTaskThatYields_isAnInterrupt() {
    Gate gate = Gate.closed();
    ObjectRef<Void> running = Aktis.run(Gate::pass, gate).remote();
    gate.awaitArrivals(1);

    assertThat(running.cancel(CancelOptions.forced())).isEqualTo(CancelResult.INTERRUPTED);
    assertThatThrownBy(running::get).isInstanceOf(TaskCancelledException.class);
  }

  @Test
  @Semantics("2.cancel.slot")
  void cancel_taskThatCleansUp_holdsItsCpuUntilItHasEnded(AktisSession session) {
    Gate gate = Gate.closed();
    Gate cleaned = Gate.closed();
    ObjectRef<Void> running = Aktis.run(CancelTest::passThenCleanUp, gate, cleaned).remote();
    gate.awaitArrivals(1);

    running.cancel();
    cleaned.awaitArrivals(1);

    assertThat(session.cluster().available("CPU")).isZero();
    cleaned.open();
    Await.until("the CPU to be free", () -> session.cluster().available("CPU") == 1);
  }

  @Test
  @Semantics("2.cancel.children")
  void cancel_parent_cancelsItsChildren() {
    Gate gate = Gate.closed();
    Notes notes = Notes.empty();
    ObjectRef<Void> parent = Aktis.run(() -> submitAndWait(gate, notes)).remote();
    gate.awaitArrivals(1);

    parent.cancel();

    assertThatThrownBy(parent::get).isInstanceOf(TaskCancelledException.class);
    assertThat(notes.awaitCount(1)).containsExactly("interrupted, cancelled: true");
  }

  @Test
  @Semantics("2.cancel.children")
  void cancel_parentWithoutChildren_leavesThem() {
    Gate gate = Gate.closed();
    Notes notes = Notes.empty();
    ObjectRef<Void> parent = Aktis.run(() -> submitAndWait(gate, notes)).remote();
    gate.awaitArrivals(1);

    parent.cancel(CancelOptions.DEFAULTS.withChildren(false));

    assertThatThrownBy(parent::get).isInstanceOf(TaskCancelledException.class);
    gate.open();
    assertThat(notes.awaitCount(1)).containsExactly("passed");
  }

  @Test
  @Semantics("2.cancel.done")
  void cancel_whatIsDone_changesNothing() {
    ObjectRef<Integer> done = Aktis.task(() -> 42).remote();
    done.get();
    ObjectRef<Integer> put = Aktis.put(7);
    ObjectRef<Void> failed = Aktis.run(TaskTest::fail).remote();
    assertThatThrownBy(failed::get).hasRootCauseMessage("on purpose");

    assertThat(done.cancel()).isEqualTo(CancelResult.ALREADY_DONE);
    assertThat(put.cancel()).isEqualTo(CancelResult.ALREADY_DONE);
    assertThat(failed.cancel(FORCED)).isEqualTo(CancelResult.ALREADY_DONE);

    assertThat(done.get()).isEqualTo(42);
    assertThat(put.get()).isEqualTo(7);
    assertThatThrownBy(failed::get).hasRootCauseMessage("on purpose");
  }

  @Test
  @Semantics({"2.cancel.waiting", "2.cancel.done"})
  void cancel_twice_saysDoneTheSecondTime() {
    Gate gate = Gate.closed();
    ObjectRef<Void> busy = Aktis.run(Gate::pass, gate).remote();
    ObjectRef<Integer> queued = Aktis.task(() -> 1).remote();

    assertThat(queued.cancel()).isEqualTo(CancelResult.NEVER_STARTED);
    assertThat(queued.cancel()).isEqualTo(CancelResult.ALREADY_DONE);
    gate.open();
    busy.get();
  }

  /** The cancellation meets the report of the end on its way; neither may be lost for the other. */
  @Test
  @Semantics("2.cancel.done")
  void cancel_whileTheTaskEnds_settlesItAndFreesItsCpu() {
    for (int i = 0; i < 300; i++) {
      ObjectRef<Integer> ending = Aktis.task(CancelTest::fail).remote();
      for (int round = 0; round < 20 * i; round++) {
        Thread.onSpinWait(); // a little later each time, so that some are met while they end
      }
      ending.cancel();
      assertThatThrownBy(() -> ending.get(Duration.ofSeconds(10)))
          .isInstanceOfAny(TaskCancelledException.class, TaskFailedException.class);
      ending.close();
    }
  }

  static int fail() {
    throw new IllegalStateException("as planned");
  }

  @Test
  @Semantics("2.cancel.dependents")
  void cancel_argumentOfAnotherTask_failsThatToo() {
    Gate gate = Gate.closed();
    Notes runs = Notes.empty();
    ObjectRef<Integer> argument = Aktis.task(TaskTest::afterGate, gate, 1).remote();
    ObjectRef<Integer> dependent = Aktis.task(TaskTest::notedIncrement, argument, runs).remote();

    argument.cancel();

    assertThatThrownBy(dependent::get).isInstanceOf(TaskCancelledException.class);
    assertThat(runs.count()).isZero();
  }

  @Test
  @Semantics("2.cancel.waiting")
  void cancel_manyQueuedTasks_noneRuns() {
    Gate gate = Gate.closed();
    Notes runs = Notes.empty();
    ObjectRef<Void> busy = Aktis.run(Gate::pass, gate).remote();
    var queued =
        IntStream.range(0, 1_000)
            .mapToObj(i -> Aktis.run(Notes::add, runs, "ran " + i).remote())
            .toList();

    assertThat(queued)
        .allSatisfy(ref -> assertThat(ref.cancel()).isEqualTo(CancelResult.NEVER_STARTED));

    gate.open();
    busy.get();
    Aktis.run(() -> {}).remote().get();
    assertThat(runs.lines()).isEmpty();
  }

  static void passOrTell(Gate gate, Notes notes) throws InterruptedException {
    try {
      gate.pass();
      notes.add("passed");
    } catch (InterruptedException e) {
      notes.add("interrupted, cancelled: " + Aktis.context().isCancelled());
      throw e;
    }
  }

  static long countUntilCancelled(Gate started) throws InterruptedException {
    started.passStubbornly();
    long count = 0;
    while (!Aktis.context().isCancelled()) {
      count++;
      Thread.onSpinWait();
    }
    return count;
  }

  static int notedGet(ObjectRef<Integer> child, Notes notes) {
    notes.add("waits");
    return child.get();
  }

  static void passThenCleanUp(Gate gate, Gate cleaned) throws InterruptedException {
    try {
      gate.pass();
    } finally {
      cleaned.passStubbornly();
    }
  }

  static void submitAndWait(Gate gate, Notes notes) {
    Aktis.run(CancelTest::passOrTell, gate, notes).remote().get();
  }
}
