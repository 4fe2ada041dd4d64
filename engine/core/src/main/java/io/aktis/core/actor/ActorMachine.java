package io.aktis.core.actor;

import io.aktis.core.machine.TransitionTable;

/**
 * The life of one actor and its restart budget. Confined to the loop that hosts it.
 *
 * <p>A loss before the first construction is not a restart: the creation is simply tried again. A
 * constructor that throws is final, also in a later life.
 */
public final class ActorMachine {
  /** The moves of an actor. */
  public static final TransitionTable<ActorState, ActorEvent> TABLE =
      TransitionTable.of(ActorState.class, ActorEvent.class)
          .startsIn(ActorState.PENDING)
          .on(ActorState.PENDING, ActorEvent.CONSTRUCTED, ActorState.ALIVE)
          .on(ActorState.PENDING, ActorEvent.CONSTRUCTION_FAILED, ActorState.DEAD)
          .stays(ActorState.PENDING, ActorEvent.RELEASED)
          .on(ActorState.PENDING, ActorEvent.ENDED, ActorState.DEAD)
          .on(ActorState.ALIVE, ActorEvent.LOST_AND_RESTARTED, ActorState.RESTARTING)
          .on(ActorState.ALIVE, ActorEvent.LOST, ActorState.DEAD)
          .on(ActorState.ALIVE, ActorEvent.RELEASED, ActorState.DRAINING)
          .on(ActorState.ALIVE, ActorEvent.ENDED, ActorState.DEAD)
          .on(ActorState.RESTARTING, ActorEvent.CONSTRUCTED, ActorState.ALIVE)
          .on(ActorState.RESTARTING, ActorEvent.CONSTRUCTION_FAILED, ActorState.DEAD)
          .stays(ActorState.RESTARTING, ActorEvent.RELEASED)
          .on(ActorState.RESTARTING, ActorEvent.ENDED, ActorState.DEAD)
          .on(ActorState.DRAINING, ActorEvent.LOST_AND_RESTARTED, ActorState.RESTARTING)
          .on(ActorState.DRAINING, ActorEvent.LOST, ActorState.DEAD)
          .on(ActorState.DRAINING, ActorEvent.ENDED, ActorState.DEAD)
          .ignores(ActorState.DRAINING, ActorEvent.RELEASED)
          .ignores(
              ActorState.DEAD,
              ActorEvent.CONSTRUCTED,
              ActorEvent.CONSTRUCTION_FAILED,
              ActorEvent.LOST,
              ActorEvent.RELEASED,
              ActorEvent.ENDED)
          .endsIn(ActorState.DEAD)
          .build();

  private ActorState state = ActorState.PENDING;
  private int restartsLeft;
  private int lives;
  private boolean released;

  /** Makes the machine of a new actor. */
  public ActorMachine(int maxRestarts) {
    this.restartsLeft = maxRestarts;
  }

  /** Returns the state. */
  public ActorState state() {
    return state;
  }

  /** Tells whether calls can be delivered. */
  public boolean takesCalls() {
    return state == ActorState.ALIVE || state == ActorState.DRAINING;
  }

  /** Tells whether it is over. */
  public boolean isDead() {
    return state == ActorState.DEAD;
  }

  /** Returns how many lives have begun: 1 once it was constructed, more after restarts. */
  public int lives() {
    return lives;
  }

  /** Returns how many more restarts there are. */
  public int restartsLeft() {
    return restartsLeft;
  }

  /** The constructor returned. */
  public void constructed() {
    if (state != ActorState.DEAD) {
      lives++;
    }
    move(ActorEvent.CONSTRUCTED);
    if (released && state == ActorState.ALIVE) {
      move(ActorEvent.RELEASED);
    }
  }

  /** The constructor threw, or it can never run. */
  public void constructionFailed() {
    move(ActorEvent.CONSTRUCTION_FAILED);
  }

  /** Its process or node was lost; returns whether it is made again. */
  public boolean lost() {
    if (restartsLeft <= 0 || state == ActorState.DEAD) {
      move(ActorEvent.LOST);
      return false;
    }
    restartsLeft--;
    move(ActorEvent.LOST_AND_RESTARTED);
    return true;
  }

  /** The last handle was released. */
  public void release() {
    released = true;
    move(ActorEvent.RELEASED);
  }

  /** Tells whether the last handle was released. */
  public boolean isReleased() {
    return released;
  }

  /** It is over. */
  public void end() {
    move(ActorEvent.ENDED);
  }

  private void move(ActorEvent event) {
    state = TABLE.next(state, event);
  }

  @Override
  public String toString() {
    return state + " (life " + lives + ")";
  }
}
