package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.ActorCall;
import io.aktis.ActorDiedException;
import io.aktis.ActorHandle;
import io.aktis.ActorUnavailableException;
import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.InfeasibleException;
import io.aktis.NodeInfo;
import io.aktis.ObjectRef;
import io.aktis.testkit.EngineTest;
import io.aktis.testkit.Gate;
import io.aktis.testkit.Node;
import io.aktis.testkit.NodeFaults;
import io.aktis.testkit.Notes;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Actors that are lost: restarts, and calls meanwhile. */
@EngineTest(nodes = {@Node(cpus = 2), @Node(cpus = 2), @Node(cpus = 2)})
class ActorFailureTest {
  /** Notes its lives; the later ones wait at a gate in the constructor. */
  static final class Phoenix {
    private final Notes lives;
    private int state;

    Phoenix(Notes lives, Gate laterLives) throws InterruptedException {
      this.lives = lives;
      lives.add(Aktis.context().nodeId());
      if (lives.count() > 1) {
        laterLives.pass();
      }
    }

    int add(int more) {
      state += more;
      return state;
    }

    int pass(Gate gate) throws InterruptedException {
      gate.pass();
      return lives.count();
    }

    String node() {
      return Aktis.context().nodeId();
    }

    boolean wasRestarted() {
      return Aktis.context().wasRestarted();
    }

    void restore() {
      state = 100;
    }

    int addAndSave(int more) {
      state += more;
      Aktis.context().saveCheckpoint(state);
      return state;
    }

    void restoreFromCheckpoint() {
      state = Aktis.context().checkpoint(Integer.class).orElse(-1);
    }
  }

  static final class OnceOnly {
    OnceOnly(Notes lives) {
      lives.add("life");
      if (lives.count() > 1) {
        throw new IllegalStateException("not twice");
      }
    }

    int answer() {
      return 42;
    }
  }

  private final Notes lives = Notes.empty();
  private final Gate laterLives = Gate.closed();

  @Test
  @Semantics("4.failure.restart")
  void actor_nodeLost_isMadeAgainElsewhere(AktisSession session, NodeFaults faults) {
    laterLives.open();
    String doomed = session.cluster().nodes().getLast().id();
    ActorHandle<Phoenix> actor =
        Aktis.actor(Phoenix::new, lives, laterLives).preferNode(doomed).maxRestarts(1).remote();
    assertThat(actor.call(Phoenix::node).get()).isEqualTo(doomed);
    assertThat(actor.call(Phoenix::add, 5).get()).isEqualTo(5);

    faults.kill(doomed);

    assertThat(actor.call(Phoenix::add, 1).get()).isEqualTo(1);
    assertThat(actor.call(Phoenix::node).get()).isNotEqualTo(doomed);
    assertThat(lives.lines()).hasSize(2);
    actor.close();
  }

  @Test
  @Semantics({"4.failure.restart", "4.down.dead"})
  void actor_nodeLostWithoutRestarts_isDead(AktisSession session, NodeFaults faults) {
    String doomed = session.cluster().nodes().getLast().id();
    ActorHandle<Phoenix> actor =
        Aktis.actor(Phoenix::new, lives, laterLives).preferNode(doomed).remote();
    actor.ready().get();

    faults.kill(doomed);

    assertThatThrownBy(actor.call(Phoenix::add, 1)::get)
        .isInstanceOfSatisfying(
            ActorDiedException.class, died -> assertThat(died.story()).isNotEmpty())
        .hasMessageContaining("node");
  }

  @Test
  @Semantics({"4.failure.restart", "4.down.dead"})
  void actor_lostMoreOftenThanItsRestarts_isDead() {
    laterLives.open();
    ActorHandle<Phoenix> actor = restartable(1).remote();
    actor.ready().get();

    actor.killAndRestart();
    assertThat(actor.call(Phoenix::add, 1).get()).isEqualTo(1);
    actor.killAndRestart();

    assertThatThrownBy(actor.call(Phoenix::add, 1)::get)
        .isInstanceOfSatisfying(
            ActorDiedException.class, died -> assertThat(died.story()).isNotEmpty());
    assertThat(lives.count()).isEqualTo(2);
  }

  @Test
  @Semantics("4.failure.restart")
  void actor_constructorThatThrowsAtTheRestart_isDead() {
    ActorHandle<OnceOnly> actor = Aktis.actor(OnceOnly::new, lives).maxRestarts(5).remote();
    assertThat(actor.call(OnceOnly::answer).get()).isEqualTo(42);

    actor.killAndRestart();

    assertThatThrownBy(actor.call(OnceOnly::answer)::get)
        .isInstanceOf(ActorDiedException.class)
        .hasRootCauseMessage("not twice");
    assertThat(lives.count()).isEqualTo(2);
  }

  @Test
  @Semantics("4.failure.restart")
  void method_thatThrows_isNoReasonToRestart() {
    try (ActorHandle<OnceOnly> actor = Aktis.actor(OnceOnly::new, lives).maxRestarts(5).remote()) {
      assertThatThrownBy(() -> actor.run(_ -> TaskTest.fail()).get())
          .hasRootCauseMessage("on purpose");

      assertThat(actor.call(OnceOnly::answer).get()).isEqualTo(42);
      assertThat(lives.count()).isEqualTo(1);
    }
  }

  @Test
  @Semantics("4.failure.state")
  void onRestart_afterTheConstructor_restoresTheState() {
    laterLives.open();
    try (ActorHandle<Phoenix> actor = restartable(1).onRestart(Phoenix::restore).remote()) {
      assertThat(actor.call(Phoenix::add, 1).get()).isEqualTo(1);
      assertThat(actor.call(Phoenix::wasRestarted).get()).isFalse();

      actor.killAndRestart();

      assertThat(actor.call(Phoenix::add, 1).get()).isEqualTo(101);
      assertThat(actor.call(Phoenix::wasRestarted).get()).isTrue();
    }
  }

  @Test
  @Semantics("4.failure.state")
  void checkpoint_ofAnEarlierLife_canBeReadInTheNext() {
    laterLives.open();
    try (ActorHandle<Phoenix> actor =
        restartable(2).onRestart(Phoenix::restoreFromCheckpoint).remote()) {
      assertThat(actor.call(Phoenix::addAndSave, 7).get()).isEqualTo(7);
      assertThat(actor.call(Phoenix::add, 1).get()).isEqualTo(8);

      actor.killAndRestart();

      assertThat(actor.call(Phoenix::add, 0).get()).isEqualTo(7);
    }
  }

  @Test
  @Semantics("4.down.inflight")
  void callInFlight_actorLost_isUnavailableAndTheNextOneRuns() {
    laterLives.open();
    Gate gate = Gate.closed();
    try (ActorHandle<Phoenix> actor = restartable(1).remote()) {
      ObjectRef<Integer> inFlight = actor.call(Phoenix::pass, gate);
      ObjectRef<Integer> queued = actor.call(Phoenix::add, 1);
      gate.awaitArrivals(1);

      actor.killAndRestart();

      assertThatThrownBy(inFlight::get)
          .isInstanceOfSatisfying(
              ActorUnavailableException.class,
              failure -> assertThat(failure.isRetryable()).isTrue());
      assertThat(queued.get()).isEqualTo(1);
      assertThat(gate.arrivals()).isEqualTo(1);
    }
  }

  @Test
  @Semantics("4.down.inflight")
  void callInFlight_withARetry_isDeliveredAgain() {
    laterLives.open();
    Gate gate = Gate.closed();
    try (ActorHandle<Phoenix> actor = restartable(1).maxTaskRetries(1).remote()) {
      ObjectRef<Integer> inFlight = actor.call(Phoenix::pass, gate);
      gate.awaitArrivals(1);

      actor.killAndRestart();
      gate.awaitArrivals(2);
      gate.open();

      assertThat(inFlight.get()).isEqualTo(2);
      assertThat(inFlight.attempts()).isEqualTo(2);
    }
  }

  @RepeatedTest(20) // that the call tells its own failure first is a race
  @Semantics("4.down.inflight")
  void callInFlight_retriesUsedUp_isUnavailable() {
    laterLives.open();
    Gate gate = Gate.closed();
    try (ActorHandle<Phoenix> actor = restartable(3).maxTaskRetries(1).remote()) {
      ObjectRef<Integer> inFlight = actor.call(Phoenix::pass, gate);
      gate.awaitArrivals(1);
      actor.killAndRestart();
      gate.awaitArrivals(2);
      actor.killAndRestart();

      assertThatThrownBy(inFlight::get).isInstanceOf(ActorUnavailableException.class);
      assertThat(actor.call(Phoenix::add, 1).get()).isEqualTo(1);
    }
  }

  /** With Ray such a call spends its retry on the instance that is not there (ray#44719). */
  @Test
  @Semantics("4.down.budget")
  void callDuringARestart_withOneRetry_waitsAndRuns() {
    Gate gate = Gate.closed();
    try (ActorHandle<Phoenix> actor = restartable(1).maxTaskRetries(1).remote()) {
      ObjectRef<Integer> inFlight = actor.call(Phoenix::pass, gate);
      gate.awaitArrivals(1);
      actor.killAndRestart();
      laterLives.awaitArrivals(1);

      ObjectRef<Integer> meanwhile = actor.call(Phoenix::add, 1);
      assertThat(meanwhile.isReady()).isFalse();
      gate.open();
      laterLives.open();

      assertThat(inFlight.get()).isEqualTo(2);
      assertThat(meanwhile.get()).isEqualTo(1);
      assertThat(meanwhile.attempts()).isEqualTo(1);
    }
  }

  @Test
  @Semantics("4.order.retries")
  void callsAcrossARestart_withRetries_keepTheirOrder() {
    laterLives.open();
    Gate gate = Gate.closed();
    try (ActorHandle<Phoenix> actor = restartable(1).maxTaskRetries(1).remote()) {
      ObjectRef<Integer> first = actor.call(Phoenix::pass, gate);
      List<ObjectRef<Integer>> later =
          IntStream.range(0, 100).mapToObj(_ -> actor.call(Phoenix::add, 1)).toList();
      gate.awaitArrivals(1);

      actor.killAndRestart();
      gate.awaitArrivals(2);
      assertThat(later).noneMatch(ObjectRef::isReady);
      gate.open();

      assertThat(first.get()).isEqualTo(2);
      assertThat(Aktis.<Integer>get(later))
          .isEqualTo(IntStream.rangeClosed(1, 100).boxed().toList());
    }
  }

  /** With Ray such a call waits for a new node, which may never come (ray#15045). */
  @Test
  @EngineTest(
      nodes = {@Node, @Node(resources = "special=1")},
      options = ShortGrace.class)
  @Semantics("4.down.bounded")
  void call_noNodeIsLeftForTheActor_fails(AktisSession session, NodeFaults faults) {
    laterLives.open();
    ActorHandle<Phoenix> actor = restartable(5).resource("special", 1).remote();
    assertThat(actor.call(Phoenix::add, 1).get()).isEqualTo(1);

    NodeInfo only =
        session.cluster().nodes().stream()
            .filter(node -> node.total().containsKey("special"))
            .findFirst()
            .orElseThrow();
    faults.kill(only.id());

    assertThatThrownBy(actor.call(Phoenix::add, 1)::get)
        .isInstanceOfAny(ActorDiedException.class, InfeasibleException.class);
  }

  @Test
  @Semantics("4.down.dead")
  void callToAnActorThatWasKilled_failsWithTheReason() {
    ActorHandle<Phoenix> actor = restartable(5).remote();
    actor.ready().get();

    actor.kill();

    assertThatThrownBy(actor.call(Phoenix::add, 1)::get)
        .isInstanceOfSatisfying(
            ActorDiedException.class, died -> assertThat(died.story()).isNotEmpty())
        .hasMessageContaining("kill");
  }

  private ActorCall<Phoenix> restartable(int restarts) {
    return Aktis.actor(Phoenix::new, lives, laterLives).maxRestarts(restarts);
  }
}
