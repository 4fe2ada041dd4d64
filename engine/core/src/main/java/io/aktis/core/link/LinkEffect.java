package io.aktis.core.link;

/**
 * What one end of a link wants done, in this order. A message that is sent because of a delivery is
 * an event of its own, told after the one that is being handled.
 *
 * @param <M> messages
 */
public sealed interface LinkEffect<M> {
  /** Give the frame to the network. */
  record Transmit<M>(Frame<M> frame) implements LinkEffect<M> {}

  /** Hand over the next message of the peer. */
  record Deliver<M>(M message) implements LinkEffect<M> {}

  /** Send {@link LinkEvent.Tick} after this time. */
  record StartTimer<M>(long delayMs) implements LinkEffect<M> {}

  /** Both ends know each other: messages flow. */
  record PeerUp<M>(long incarnation) implements LinkEffect<M> {}

  /**
   * The peer that was up begins anew: its process was restarted, or it has given this end up. Of
   * what was sent to it and not answered nobody knows whether it arrived, and nothing more of what
   * it sent before will come.
   */
  record PeerRestarted<M>(long incarnation) implements LinkEffect<M> {}

  /** The peer is given up; the same holds. Should it live on, it sees this end as restarted. */
  record PeerLost<M>(long incarnation, LossReason reason) implements LinkEffect<M> {}

  /** Why a peer was given up. */
  enum LossReason {
    /** Nothing was heard of it, or it did not acknowledge, for too long. */
    SILENT,
    /** It takes messages too slowly, more are queued than allowed. */
    OVERFLOW,
    /** Somebody said that it is gone. */
    DECLARED
  }
}
