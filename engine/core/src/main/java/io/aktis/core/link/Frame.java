package io.aktis.core.link;

import org.jspecify.annotations.Nullable;

/**
 * What travels between the two ends of a link; it may get lost, come twice, late or out of order.
 *
 * @param from the incarnation of the sender
 * @param to the incarnation of the receiver as far as the sender knows, 0 if it does not
 * @param sequence the place of the message in the sender's order, from 1; 0 without a message
 * @param acknowledged how many messages of the receiver's order the sender has, without gaps
 * @param message the message, or null
 * @param <M> messages
 */
public record Frame<M>(long from, long to, long sequence, long acknowledged, @Nullable M message) {

  /** Checks that a place in the order means a message. */
  public Frame {
    if (sequence < 0 || acknowledged < 0 || (sequence > 0) != (message != null)) {
      throw new IllegalArgumentException(
          "a frame with sequence " + sequence + " and message " + message);
    }
  }
}
