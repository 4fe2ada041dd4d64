package io.aktis.core.link;

/**
 * What can happen to one end of a link.
 *
 * @param <M> messages
 */
public sealed interface LinkEvent<M> {
  /** Returns the time of the event. */
  long nowMs();

  /** The end comes to life; to be told once, before all else. */
  record Opened<M>(long nowMs) implements LinkEvent<M> {}

  /** A message is to be sent. */
  record Send<M>(M message, long nowMs) implements LinkEvent<M> {}

  /** A frame came in. */
  record Received<M>(Frame<M> frame, long nowMs) implements LinkEvent<M> {}

  /** The timer that was asked for. */
  record Tick<M>(long nowMs) implements LinkEvent<M> {}

  /** Somebody who knows better (the membership of the cluster) says that the peer is gone. */
  record PeerDown<M>(long nowMs) implements LinkEvent<M> {}
}
