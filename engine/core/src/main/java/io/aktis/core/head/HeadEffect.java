package io.aktis.core.head;

/** What a {@link HeadMachine} wants done. */
public sealed interface HeadEffect {
  /**
   * Claim the control store; to be answered by {@code Claimed} or {@code ClaimFailed}.
   *
   * @param claim the number of this try
   */
  record Claim(long claim) implements HeadEffect {}

  /**
   * Serve as the head, with what the claim has found.
   *
   * @param epoch of this head
   */
  record Serve(long epoch) implements HeadEffect {}

  /** Serve no more; whatever only a head does ends at once. */
  record Resign() implements HeadEffect {}
}
