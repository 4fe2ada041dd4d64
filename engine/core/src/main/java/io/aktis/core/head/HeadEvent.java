package io.aktis.core.head;

/** What a {@link HeadMachine} is told. */
public sealed interface HeadEvent {
  /**
   * The members of the cluster have changed.
   *
   * @param isThisNode whether this node is the oldest of those that can be the head
   */
  record Chosen(boolean isThisNode) implements HeadEvent {}

  /**
   * A claim was successful.
   *
   * @param claim its number, from the effect
   * @param epoch what the control store counts heads with; it grew by one
   */
  record Claimed(long claim, long epoch) implements HeadEvent {}

  /**
   * A claim was not successful: the store does not answer, or another node was faster.
   *
   * @param claim its number, from the effect
   */
  record ClaimFailed(long claim) implements HeadEvent {}

  /**
   * A later head has claimed the control store.
   *
   * @param epoch that of this head, which counts no more
   */
  record FencedOff(long epoch) implements HeadEvent {}

  /** Time has passed; to be told every half second or so. */
  record Tick() implements HeadEvent {}
}
