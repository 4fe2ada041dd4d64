package io.aktis.core.owner;

import static io.aktis.core.owner.OwnerBench.failureOf;
import static io.aktis.core.owner.OwnerBench.inline;
import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.core.actor.ActorState;
import io.aktis.core.task.TaskState;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Actors as their owner sees them: creation, order, restarts, the ways to end. */
class OwnerActorTest {
  private static final long ALICE = 11;
  private static final long BOB = 12;

  private final OwnerBench bench = new OwnerBench();

  // ---- creation ---------------------------------------------------------------------------------

  @Test
  void calls_beforeTheActorIsMade_areSentInTheirOrderWhenItIs() {
    Actor actor = bench.actor("a", true, 0);
    Task first = bench.call(actor, "first").submit();
    Task second = bench.call(actor, "second").submit();
    assertThat(bench.pushed()).isEmpty();

    bench.construct(actor);
    assertThat(bench.pushed()).containsExactly(actor.creation, first, second);
    assertThat(actor.lease()).isNotNull();
  }

  @Test
  void constructor_thatThrows_failsTheQueuedCallsWithItsCauseAndGivesTheLeaseBack() {
    Actor actor = bench.actor("a", true, 5);
    Task call = bench.call(actor, "call").submit();
    bench.grant();
    bench.fail(creation(actor));

    assertThat(actor.machine().isDead()).isTrue();
    assertThat(failureOf(call)).isEqualTo(FailureKind.ACTOR_DIED);
    assertThat(((Outcome.Failure) call.results()[0].outcome()).message()).contains("new a threw");
    bench.pass(1_000);
    assertThat(bench.effects(OwnerEffect.GiveBack.class)).hasSize(1);
    assertThat(failureOf(bench.call(actor, "later").submit())).isEqualTo(FailureKind.ACTOR_DIED);
  }

  @Test
  void creation_whoseArgumentFails_makesTheActorDead() {
    Task producer = bench.submit("producer");
    Actor actor = new Actor(new io.aktis.core.id.ActorId(OwnerBench.OWNER, 99), "a", true, 0);
    bench.new Work("new a", TaskKind.CREATION, actor).with(producer).submit();
    bench.grant();
    bench.fail(producer);
    assertThat(actor.machine().isDead()).isTrue();
    assertThat(bench.effects(OwnerEffect.ActorDied.class)).hasSize(1);
  }

  @Test
  void creation_thatIsLost_isTriedAgainWithoutARestart() {
    Actor actor = bench.actor("a", true, 0);
    bench.loseLease(bench.grant(), creation(actor));
    assertThat(actor.machine().state()).isEqualTo(ActorState.PENDING);
    bench.construct(actor);
    assertThat(actor.machine().lives()).isEqualTo(1);
  }

  @Test
  void creation_thatIsCancelled_makesTheActorDead() {
    Actor actor = bench.actor("a", true, 0);
    Task call = bench.call(actor, "call").submit();
    bench.cancel(creation(actor));
    assertThat(actor.machine().isDead()).isTrue();
    assertThat(call.machine().isDone()).isTrue();
  }

  // ---- order ------------------------------------------------------------------------------------

  @Test
  void call_whoseArgumentIsMissing_holdsBackOnlyLaterCallsOfItsCaller() {
    Actor actor = bench.alive("a", true, 0);
    Task producer = bench.submit("producer");
    bench.forgetEffects();
    Task held = bench.call(actor, "held").from(ALICE).with(producer).submit();
    Task behind = bench.call(actor, "behind").from(ALICE).submit();
    Task other = bench.call(actor, "other").from(BOB).submit();
    assertThat(bench.pushed()).containsExactly(other);
    assertThat(bench.machine.why(behind)).contains("its turn");

    bench.grant();
    bench.succeed(producer);
    assertThat(bench.pushed()).containsExactly(other, producer, held, behind);
  }

  @Test
  void call_whoseArgumentFails_letsThoseBehindItGoOn() {
    Actor actor = bench.alive("a", true, 0);
    Task producer = bench.submit("producer");
    Task held = bench.call(actor, "held").with(producer).submit();
    Task behind = bench.call(actor, "behind").submit();
    bench.grant();
    bench.fail(producer);
    assertThat(held.machine().state()).isEqualTo(TaskState.FAILED);
    assertThat(behind.machine().state()).isEqualTo(TaskState.PUSHED);
  }

  @Test
  void call_thatIsCancelledInTheQueue_letsThoseBehindItGoOn() {
    Actor actor = bench.alive("a", true, 0);
    Task producer = bench.submit("producer");
    Task held = bench.call(actor, "held").with(producer).submit();
    Task behind = bench.call(actor, "behind").submit();
    bench.cancel(held);
    assertThat(failureOf(held)).isEqualTo(FailureKind.CANCELLED);
    assertThat(behind.machine().state()).isEqualTo(TaskState.PUSHED);
  }

  @Test
  void calls_toAnUnorderedActor_doNotHoldEachOtherBack() {
    Actor actor = bench.alive("a", false, 0);
    Task producer = bench.submit("producer");
    bench.forgetEffects();
    Task held = bench.call(actor, "held").with(producer).submit();
    Task next = bench.call(actor, "next").submit();
    Task last = bench.call(actor, "last").submit();
    assertThat(bench.pushed()).containsExactly(next, last);
    bench.grant();
    bench.succeed(producer);
    assertThat(held.machine().state()).isEqualTo(TaskState.PUSHED);
  }

  @Test
  void queues_ofManyCallers_doNotPileUp() {
    Actor actor = bench.alive("a", true, 0);
    for (int caller = 1; caller <= 10_000; caller++) {
      bench.succeed(bench.call(actor, "call").from(caller).submit());
    }
    assertThat(actor.queues.size()).isLessThan(1_000);
  }

  // ---- losses and restarts ----------------------------------------------------------------------

  @Test
  void loss_withRestarts_chargesWhatHadStartedAndKeepsTheOrder() {
    Actor actor = bench.alive("a", true, 1);
    Task started = bench.call(actor, "started").retries(1).submit();
    Task sent = bench.call(actor, "sent").submit();
    Task third = bench.call(actor, "third").from(ALICE).submit();
    bench.tell(new OwnerEvent.ActorLost(actor, List.of(started), died("node gone")));

    assertThat(actor.machine().state()).isEqualTo(ActorState.RESTARTING);
    assertThat(bench.effects(OwnerEffect.RemakeActor.class)).hasSize(1);
    Task meanwhile = bench.call(actor, "meanwhile").submit();
    bench.forgetEffects();
    bench.creation(actor);
    bench.construct(actor);
    assertThat(bench.pushed()).containsExactly(actor.creation, started, sent, meanwhile, third);
    assertThat(sent.machine().starts()).isEqualTo(1);
    assertThat(actor.machine().lives()).isEqualTo(2);
  }

  @Test
  void loss_ofAStartedCallWithoutRetries_failsItAsUnavailable() {
    Actor actor = bench.alive("a", true, 1);
    Task started = bench.call(actor, "started").submit();
    Task sent = bench.call(actor, "sent").submit();
    bench.tell(new OwnerEvent.ActorLost(actor, List.of(started), died("node gone")));
    assertThat(failureOf(started)).isEqualTo(FailureKind.ACTOR_UNAVAILABLE);
    assertThat(sent.machine().isDone()).isFalse();
  }

  @Test
  void loss_withoutRestarts_failsAllCalls() {
    Actor actor = bench.alive("a", true, 0);
    Task started = bench.call(actor, "started").retries(9).submit();
    Task sent = bench.call(actor, "sent").retries(9).submit();
    bench.tell(new OwnerEvent.ActorLost(actor, List.of(started), died("node gone")));
    assertThat(failureOf(started)).isEqualTo(FailureKind.ACTOR_DIED);
    assertThat(failureOf(sent)).isEqualTo(FailureKind.ACTOR_DIED);
    assertThat(bench.effects(OwnerEffect.ActorDied.class)).hasSize(1);
    assertThat(bench.effects(OwnerEffect.EndActor.class)).isEmpty();
  }

  @Test
  void loss_whileACallWaitsForItsArgument_leavesItWaiting() {
    Actor actor = bench.alive("a", true, 1);
    Task producer = bench.submit("producer");
    Task held = bench.call(actor, "held").with(producer).submit();
    bench.tell(new OwnerEvent.ActorLost(actor, List.of(), died("node gone")));
    bench.grant();
    bench.succeed(producer);
    assertThat(held.machine().state()).isEqualTo(TaskState.QUEUED);
    bench.creation(actor);
    bench.construct(actor);
    assertThat(held.machine().state()).isEqualTo(TaskState.PUSHED);
  }

  @Test
  void report_ofAnEarlierLife_changesNothing() {
    Actor actor = bench.alive("a", true, 1);
    Task call = bench.call(actor, "call").retries(1).submit();
    bench.tell(new OwnerEvent.ActorLost(actor, List.of(call), died("node gone")));
    bench.succeed(call, 1, inline());
    assertThat(call.machine().state()).isEqualTo(TaskState.QUEUED);
  }

  @Test
  void report_ofAnEarlierLifeThatExits_doesNotEndTheNext() {
    Actor actor = bench.alive("a", true, 1);
    Task call = bench.call(actor, "call").submit();
    bench.tell(new OwnerEvent.GivenUp(call, 1, "ignored the interrupt", false));
    bench.tell(new OwnerEvent.ActorLost(actor, List.of(call), died("node gone")));
    bench.creation(actor);
    bench.construct(actor);
    bench.exit(call);
    assertThat(actor.machine().state()).isEqualTo(ActorState.ALIVE);
  }

  // ---- the end ----------------------------------------------------------------------------------

  @Test
  void kill_failsCallsInFlightAndQueued_andInterrupts() {
    Actor actor = bench.alive("a", true, 5);
    Lease lease = actor.lease();
    Task running = bench.call(actor, "running").submit();
    Task producer = bench.submit("producer");
    Task held = bench.call(actor, "held").with(producer).submit();
    bench.tell(new OwnerEvent.ActorKilled(actor, "killed"));

    assertThat(failureOf(running)).isEqualTo(FailureKind.ACTOR_DIED);
    assertThat(failureOf(held)).isEqualTo(FailureKind.ACTOR_DIED);
    assertThat(bench.effects(OwnerEffect.EndActor.class))
        .containsExactly(new OwnerEffect.EndActor(actor, Objects.requireNonNull(lease), true));
    bench.tell(new OwnerEvent.ActorKilled(actor, "again"));
    assertThat(bench.effects(OwnerEffect.ActorDied.class)).hasSize(1);
  }

  @Test
  void kill_whileItIsConstructed_endsWhatComesOutOfIt() {
    Actor actor = bench.actor("a", true, 0);
    Lease lease = bench.grant();
    Task creation = creation(actor);
    bench.tell(new OwnerEvent.ActorKilled(actor, "killed"));
    assertThat(bench.effects(OwnerEffect.Interrupt.class)).hasSize(1);
    bench.succeed(creation, 1, inline());
    assertThat(bench.effects(OwnerEffect.EndActor.class))
        .containsExactly(new OwnerEffect.EndActor(actor, Objects.requireNonNull(lease), true));
  }

  @Test
  void kill_beforeItIsConstructed_withdrawsTheCreation() {
    Actor actor = bench.actor("a", true, 0);
    bench.grant();
    Task creation = creation(actor);
    bench.tell(new OwnerEvent.ActorKilled(actor, "killed"));
    bench.tell(new OwnerEvent.Withdrawn(creation, 1));
    bench.pass(1_000);
    assertThat(bench.effects(OwnerEffect.GiveBack.class)).hasSize(1);
  }

  @Test
  void exit_endsTheActorAfterItsCall() {
    Actor actor = bench.alive("a", true, 5);
    Task last = bench.call(actor, "last").submit();
    Task behind = bench.call(actor, "behind").submit();
    bench.exit(last);
    assertThat(last.machine().state()).isEqualTo(TaskState.SUCCEEDED);
    assertThat(failureOf(behind)).isEqualTo(FailureKind.ACTOR_DIED);
    assertThat(bench.effects(OwnerEffect.EndActor.class)).hasSize(1);
  }

  @Test
  void release_whenIdle_endsAtOnce() {
    Actor actor = bench.alive("a", true, 0);
    bench.tell(new OwnerEvent.ActorReleased(actor));
    assertThat(actor.machine().isDead()).isTrue();
    assertThat(bench.effects(OwnerEffect.EndActor.class).getFirst().interrupt()).isFalse();
  }

  @Test
  void release_finishesTheQueueFirst() {
    Actor actor = bench.actor("a", true, 0);
    Task call = bench.call(actor, "call").submit();
    bench.tell(new OwnerEvent.ActorReleased(actor));
    bench.construct(actor);
    assertThat(actor.machine().state()).isEqualTo(ActorState.DRAINING);
    bench.succeed(call);
    assertThat(actor.machine().isDead()).isTrue();
  }

  @Test
  void release_whenTheLastCallIsCancelledInTheQueue_ends() {
    Actor actor = bench.alive("a", true, 0);
    Task producer = bench.submit("producer");
    Task held = bench.call(actor, "held").with(producer).submit();
    bench.tell(new OwnerEvent.ActorReleased(actor));
    assertThat(actor.machine().isDead()).isFalse();
    bench.cancel(held);
    assertThat(actor.machine().isDead()).isTrue();
  }

  @Test
  void release_whenTheArgumentOfTheLastCallFails_ends() {
    Actor actor = bench.alive("a", true, 0);
    Task producer = bench.submit("producer");
    bench.call(actor, "held").with(producer).submit();
    bench.tell(new OwnerEvent.ActorReleased(actor));
    bench.grant();
    bench.fail(producer);
    assertThat(actor.machine().isDead()).isTrue();
  }

  @Test
  void release_whenTheLastCallIsGivenUp_endsAndTakesNoHarmFromItsReport() {
    Actor actor = bench.alive("a", true, 0);
    Task call = bench.call(actor, "call").submit();
    bench.tell(new OwnerEvent.ActorReleased(actor));
    bench.tell(new OwnerEvent.GivenUp(call, 1, "ignored the interrupt", false));
    assertThat(actor.machine().isDead()).isTrue();
    bench.succeed(call, 1, inline());
    assertThat(bench.effects(OwnerEffect.EndActor.class)).hasSize(1);
  }

  private static Task creation(Actor actor) {
    return Objects.requireNonNull(actor.creation);
  }

  private static Outcome.Failure died(String message) {
    return Outcome.Failure.of(FailureKind.ACTOR_DIED, message);
  }
}
