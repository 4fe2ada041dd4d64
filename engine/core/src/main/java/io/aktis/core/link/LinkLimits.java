package io.aktis.core.link;

/**
 * The limits of a {@link ReliableLink}.
 *
 * @param resendMs how long a message may be unacknowledged before it is sent again; doubles each
 *     time nothing helps
 * @param lastResendMs the longest such time
 * @param heartbeatMs how long an end says nothing at most
 * @param silenceMs how long nothing is heard, or acknowledged, before the peer is given up
 * @param window how many messages may be under way, and wait out of order at the receiver
 * @param maxQueued how many more may wait to be sent
 */
public record LinkLimits(
    long resendMs, long lastResendMs, long heartbeatMs, long silenceMs, int window, int maxQueued) {

  /** What is used unless configured. */
  public static final LinkLimits DEFAULT = new LinkLimits(50, 1_000, 500, 10_000, 1_024, 1_000_000);

  /** Checks the relations. */
  public LinkLimits {
    if (resendMs <= 0 || lastResendMs < resendMs || heartbeatMs <= 0) {
      throw new IllegalArgumentException("the times of a link must be positive and in order");
    }
    if (silenceMs < 4 * heartbeatMs || silenceMs < 4 * resendMs) {
      throw new IllegalArgumentException(
          "silenceMs is "
              + silenceMs
              + "; allowed is 4 * heartbeatMs and 4 * resendMs or more, so that a few lost frames"
              + " are no loss of the peer");
    }
    if (window <= 0 || maxQueued < 0) {
      throw new IllegalArgumentException("a link has a window of 1 or more");
    }
  }
}
