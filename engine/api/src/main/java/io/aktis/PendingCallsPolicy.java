package io.aktis;

/** What happens to a call when an actor has as many pending calls as it allows. */
public enum PendingCallsPolicy {
  /** The caller waits until there is room. */
  BLOCK,
  /** The call throws {@link PendingCallsLimitException}. */
  FAIL,
  /** The call is not made; its result is a {@link PendingCallsLimitException}. */
  DROP
}
