package io.aktis.core.owner;

/** The failures that can stand in the place of a value; each is an exception of the API. */
public enum FailureKind {
  /** The code threw. */
  TASK_FAILED,
  /** It was cancelled, or its time was over. */
  CANCELLED,
  /** Its worker went away. */
  WORKER_DIED,
  /** Its node went away. */
  NODE_DIED,
  /** Memory ran out. */
  OUT_OF_MEMORY,
  /** The actor is dead. */
  ACTOR_DIED,
  /** The actor went away while the call was in flight. */
  ACTOR_UNAVAILABLE,
  /** The actor has too many calls. */
  PENDING_CALLS_LIMIT,
  /** Actors wait for each other in a circle. */
  DEADLOCK,
  /** The value is gone. */
  OBJECT_LOST,
  /** The store has no room for the value. */
  STORE_FULL,
  /** The disk has no room for what the store has none for. */
  OUT_OF_DISK,
  /** No node can ever hold it. */
  INFEASIBLE,
  /** Its placement group was removed. */
  GROUP_REMOVED,
  /** Its environment could not be made. */
  RUNTIME_ENV,
  /** The result cannot be sent. */
  NOT_SERIALIZABLE,
  /** The session was closed. */
  SESSION_CLOSED
}
