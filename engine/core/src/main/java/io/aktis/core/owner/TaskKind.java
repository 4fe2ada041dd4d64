package io.aktis.core.owner;

/** What kind of work a task is. */
public enum TaskKind {
  /** A function call. */
  TASK,
  /** The constructor of an actor. */
  CREATION,
  /** A method call on an actor. */
  CALL
}
