package io.aktis.core.name;

/**
 * The name of something that other jobs can find.
 *
 * @param kind what has it; an actor and a placement group may have the same
 * @param namespace where it is unique
 * @param name what it was given
 */
public record Name(Kind kind, String namespace, String name) {
  /** What can have a name. */
  public enum Kind {
    ACTOR,
    PLACEMENT_GROUP
  }
}
