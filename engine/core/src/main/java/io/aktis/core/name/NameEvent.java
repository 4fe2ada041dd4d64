package io.aktis.core.name;

/** What owners want of names, and what happens to owners. Requests are numbered by each owner. */
public sealed interface NameEvent {
  /**
   * An owner wants a name for what it is about to make.
   *
   * @param number of what is to have it, among all that the owner makes of that kind
   * @param again whether it had the name already, from a directory that is gone
   */
  record Claimed(long owner, long request, Name name, long number, boolean again)
      implements NameEvent {}

  /** What had the name is no more. */
  record Forgotten(long owner, long request, Name name, long number) implements NameEvent {}

  /** An owner looks for who has a name. */
  record Asked(long owner, long request, Name name) implements NameEvent {}

  /** An owner has ended. */
  record OwnerGone(long owner) implements NameEvent {}

  /** Time has passed; to be told every half second or so. */
  record Tick() implements NameEvent {}
}
