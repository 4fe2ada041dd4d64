package io.aktis.core.name;

import io.aktis.core.id.ActorId;

/** What owners want of names, and what happens to owners. Requests are numbered by each owner. */
public sealed interface NameEvent {
  /**
   * An owner wants a name for an actor that it is about to make.
   *
   * @param again whether it had the name already, from a directory that is gone
   */
  record Claimed(long owner, long request, Name name, ActorId actor, boolean again)
      implements NameEvent {}

  /** The actor of an owner is dead, and does not need its name any more. */
  record Forgotten(long owner, long request, Name name, ActorId actor) implements NameEvent {}

  /** An owner looks for the actor of a name. */
  record Asked(long owner, long request, Name name) implements NameEvent {}

  /** An owner has ended. */
  record OwnerGone(long owner) implements NameEvent {}

  /** Time has passed; to be told every half second or so. */
  record Tick() implements NameEvent {}
}
