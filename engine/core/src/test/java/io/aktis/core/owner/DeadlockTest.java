package io.aktis.core.owner;

import static io.aktis.core.owner.OwnerBench.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.core.task.TaskState;
import org.junit.jupiter.api.Test;

/** Circles of work that waits for itself are found when they close, and broken at one call. */
class DeadlockTest {
  private final OwnerBench bench = new OwnerBench();
  private final Actor a = bench.alive("a", true, 0);
  private final Actor b = bench.alive("b", true, 0);

  @Test
  void twoActors_thatCallEachOther_areFreedByFailingTheYoungestCall() {
    Task ab = bench.call(a, "ab").submit();
    Task ba = bench.call(b, "ba").submit();
    Task toB = bench.call(b, "toB").parent(ab).submit();
    Task toA = bench.call(a, "toA").parent(ba).submit();
    bench.block(ab, toB.results()[0]);
    assertThat(bench.effects(OwnerEffect.DeadlockFound.class)).isEmpty();
    bench.block(ba, toA.results()[0]);

    assertThat(failureOf(toA)).isEqualTo(FailureKind.DEADLOCK);
    Outcome.Failure failure = (Outcome.Failure) toA.results()[0].outcome();
    assertThat(failure.message()).contains("ab on actor a", "ba on actor b", "toA", "toB");
    assertThat(toB.machine().isDone()).isFalse();
    assertThat(bench.effects(OwnerEffect.Interrupt.class)).hasSize(1);
    assertThat(a.inFlight).containsExactly(ab);
  }

  @Test
  void actor_thatCallsItselfAndWaits_isFreed() {
    Task outer = bench.call(a, "outer").submit();
    Task inner = bench.call(a, "inner").parent(outer).submit();
    bench.block(outer, inner.results()[0]);
    assertThat(failureOf(inner)).isEqualTo(FailureKind.DEADLOCK);
    assertThat(outer.machine().isDone()).isFalse();
  }

  @Test
  void actor_thatCallsItselfAndDoesNotWait_isLeftAlone() {
    Task outer = bench.call(a, "outer").submit();
    Task inner = bench.call(a, "inner").parent(outer).submit();
    bench.succeed(outer);
    bench.succeed(inner);
    assertThat(bench.effects(OwnerEffect.DeadlockFound.class)).isEmpty();
  }

  @Test
  void circle_throughPlainTasks_isFound() {
    Task outer = bench.call(a, "outer").submit();
    Task middle = bench.task("middle").parent(outer).submit();
    bench.grant();
    Task inner = bench.call(a, "inner").parent(middle).submit();
    bench.block(outer, middle.results()[0]);
    bench.block(middle, inner.results()[0]);
    assertThat(failureOf(inner)).isEqualTo(FailureKind.DEADLOCK);
  }

  @Test
  void circle_throughAnArgument_isFound() {
    Task outer = bench.call(a, "outer").submit();
    Task inner = bench.call(a, "inner").parent(outer).submit();
    Task dependent = bench.task("dependent").with(inner).submit();
    bench.block(outer, dependent.results()[0]);
    assertThat(failureOf(inner)).isEqualTo(FailureKind.DEADLOCK);
    assertThat(failureOf(dependent)).isEqualTo(FailureKind.DEADLOCK);
  }

  @Test
  void circle_throughTheOrderOfACaller_isFound() {
    Task waits = bench.submit("waits");
    bench.grant();
    Task first = bench.call(a, "first").with(waits).submit();
    Task second = bench.call(a, "second").submit();
    bench.block(waits, second.results()[0]);
    assertThat(failureOf(second)).isEqualTo(FailureKind.DEADLOCK);
    assertThat(first.machine().isDone()).isFalse();
  }

  @Test
  void circle_throughTheCreationOfAnActor_isFound() {
    Task waits = bench.submit("waits");
    bench.grant();
    Actor c = new Actor(new io.aktis.core.id.ActorId(OwnerBench.OWNER, 9), "c", true, 0);
    bench.new Work("new c", TaskKind.CREATION, c).with(waits).submit();
    Task call = bench.call(c, "call").submit();
    bench.block(waits, call.results()[0]);
    assertThat(failureOf(call)).isEqualTo(FailureKind.DEADLOCK);
  }

  @Test
  void circle_thatClosesWhenACallComesFirst_isFound() {
    Task holds = bench.submit("holds");
    Task waits = bench.submit("waits");
    bench.grantAll();
    bench.call(a, "first").with(holds).submit();
    Task second = bench.call(a, "second").with(waits).submit();
    Task third = bench.call(a, "third").submit();
    bench.block(waits, third.results()[0]);
    assertThat(third.machine().isDone()).isFalse();
    bench.succeed(holds);
    assertThat(failureOf(third)).isEqualTo(FailureKind.DEADLOCK);
    assertThat(second.machine().state()).isEqualTo(TaskState.WAITING);
  }

  @Test
  void circle_ofTasksThatGotAtEachOthersResults_isBroken() {
    Task one = bench.submit("one");
    Task two = bench.submit("two");
    Lease lease = bench.grant();
    bench.grantAll();
    bench.block(one, two.results()[0]);
    bench.block(two, one.results()[0]);
    assertThat(failureOf(two)).isEqualTo(FailureKind.DEADLOCK);
    assertThat(bench.effects(OwnerEffect.Interrupt.class)).hasSize(1);
    bench.unblock(one);
    bench.succeed(one);
    assertThat(lease).isNotNull();
  }

  @Test
  void severalCircles_throughOneTask_areAllBroken() {
    Task outer = bench.call(a, "outer").submit();
    Task one = bench.call(a, "one").parent(outer).submit();
    Task two = bench.call(a, "two").parent(outer).submit();
    bench.block(outer, one.results()[0], two.results()[0]);
    assertThat(failureOf(one)).isEqualTo(FailureKind.DEADLOCK);
    assertThat(failureOf(two)).isEqualTo(FailureKind.DEADLOCK);
  }

  @Test
  void attemptThatBlocked_onceLost_isNoPartOfACircle() {
    Task outer = bench.call(a, "outer").submit();
    Task lost = bench.task("lost").retries(1).parent(outer).submit();
    Lease lease = bench.grant();
    Task inner = bench.call(a, "inner").parent(lost).submit();
    bench.block(lost, inner.results()[0]);
    bench.loseLease(lease, lost);
    bench.block(outer, lost.results()[0]);
    assertThat(inner.machine().isDone()).isFalse();
  }

  @Test
  void waitForWorkThatGoesOn_isNoCircle() {
    Task outer = bench.call(a, "outer").submit();
    Task child = bench.task("child").parent(outer).submit();
    bench.block(outer, child.results()[0]);
    Task behind = bench.call(a, "behind").submit();
    assertThat(bench.effects(OwnerEffect.DeadlockFound.class)).isEmpty();
    bench.grant();
    bench.succeed(child);
    bench.unblock(outer);
    bench.succeed(outer);
    assertThat(behind.machine().state()).isEqualTo(TaskState.PUSHED);
  }

  @Test
  void actorWithSeveralSlots_thatCallsItself_isLeftAlone() {
    Actor wide = bench.alive("wide", false, 0);
    Task outer = bench.call(wide, "outer").submit();
    Task inner = bench.call(wide, "inner").parent(outer).submit();
    bench.block(outer, inner.results()[0]);
    assertThat(inner.machine().isDone()).isFalse();
  }

  @Test
  void report_ofTheFailedCall_isIgnored() {
    Task outer = bench.call(a, "outer").submit();
    Task inner = bench.call(a, "inner").parent(outer).submit();
    bench.block(outer, inner.results()[0]);
    bench.tell(new OwnerEvent.Withdrawn(inner, 1));
    bench.unblock(outer);
    bench.succeed(outer);
    assertThat(failureOf(inner)).isEqualTo(FailureKind.DEADLOCK);
    assertThat(a.inFlight).isEmpty();
  }
}
