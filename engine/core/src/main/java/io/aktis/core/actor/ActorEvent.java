package io.aktis.core.actor;

/** What can happen to an actor; where a budget decides, the outcome is a kind of its own. */
public enum ActorEvent {
  /** The constructor returned. */
  CONSTRUCTED,
  /** The constructor threw, or the actor can never be placed. */
  CONSTRUCTION_FAILED,
  /** Its process or node was lost, and the budget allows another life. */
  LOST_AND_RESTARTED,
  /** Its process or node was lost for good. */
  LOST,
  /** The last handle was released. */
  RELEASED,
  /** It was killed, it left by itself, or all its calls are done after the release. */
  ENDED
}
