package io.aktis.core.actor;

/** Where an actor is in its life. */
public enum ActorState {
  /** Its constructor has not run yet; calls are queued. */
  PENDING,
  /** It takes calls. */
  ALIVE,
  /** It was lost and is made again; calls are queued. */
  RESTARTING,
  /** Nobody holds it any more; it finishes the calls it has. */
  DRAINING,
  /** It is over; calls fail. */
  DEAD
}
