package io.aktis.core.actor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Lives and restarts of one actor. */
class ActorMachineTest {
  @Test
  void actor_beforeItsConstructorReturns_takesNoCalls() {
    ActorMachine actor = new ActorMachine(0);
    assertThat(actor.takesCalls()).isFalse();
    actor.constructed();
    assertThat(actor.takesCalls()).isTrue();
    assertThat(actor.lives()).isEqualTo(1);
  }

  @Test
  void actor_whoseConstructorThrows_isDeadInAnyLife() {
    ActorMachine first = new ActorMachine(5);
    first.constructionFailed();
    assertThat(first.isDead()).isTrue();

    ActorMachine second = alive(5);
    second.lost();
    second.constructionFailed();
    assertThat(second.isDead()).isTrue();
  }

  @Test
  void lost_withinTheBudget_restarts() {
    ActorMachine actor = alive(2);
    assertThat(actor.lost()).isTrue();
    assertThat(actor.state()).isEqualTo(ActorState.RESTARTING);
    actor.constructed();
    assertThat(actor.lives()).isEqualTo(2);
    assertThat(actor.lost()).isTrue();
    actor.constructed();
    assertThat(actor.lost()).isFalse();
    assertThat(actor.isDead()).isTrue();
    assertThat(actor.restartsLeft()).isZero();
  }

  @Test
  void released_whileAlive_drains() {
    ActorMachine actor = alive(0);
    actor.release();
    assertThat(actor.state()).isEqualTo(ActorState.DRAINING);
    assertThat(actor.takesCalls()).isTrue();
    actor.end();
    assertThat(actor.isDead()).isTrue();
  }

  @Test
  void released_beforeConstruction_drainsAfterIt() {
    ActorMachine actor = new ActorMachine(0);
    actor.release();
    assertThat(actor.state()).isEqualTo(ActorState.PENDING);
    actor.constructed();
    assertThat(actor.state()).isEqualTo(ActorState.DRAINING);
  }

  @Test
  void released_andRestarted_drainsAgain() {
    ActorMachine actor = alive(1);
    actor.release();
    assertThat(actor.lost()).isTrue();
    actor.constructed();
    assertThat(actor.state()).isEqualTo(ActorState.DRAINING);
  }

  @Test
  void dead_whateverComes_staysDead() {
    ActorMachine actor = alive(5);
    actor.end();
    actor.constructed();
    actor.constructionFailed();
    actor.release();
    actor.end();
    assertThat(actor.lost()).isFalse();
    assertThat(actor.isDead()).isTrue();
    assertThat(actor.lives()).isEqualTo(1);
  }

  private static ActorMachine alive(int maxRestarts) {
    ActorMachine actor = new ActorMachine(maxRestarts);
    actor.constructed();
    return actor;
  }
}
