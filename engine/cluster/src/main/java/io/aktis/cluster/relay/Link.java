package io.aktis.cluster.relay;

/**
 * One direction of a network, which all connections share: what comes while earlier bytes are still
 * being sent waits for its turn. Thread-safe.
 */
final class Link {
  private static final double NANOS_PER_SECOND = 1e9;

  private final long latencyNs;
  private final long bytesPerSecond;
  private long freeAtNs;

  /**
   * Makes a link on which nothing is under way.
   *
   * @param nowNs the time, as {@link System#nanoTime} tells it
   */
  Link(SlowNetwork network, long nowNs) {
    this.latencyNs = network.latency().toNanos();
    this.bytesPerSecond = network.bytesPerSecond();
    this.freeAtNs = nowNs;
  }

  /** Sends bytes; returns when the last of them arrives. */
  synchronized long send(int count, long nowNs) {
    long startNs = freeAtNs - nowNs > 0 ? freeAtNs : nowNs;
    freeAtNs =
        bytesPerSecond == SlowNetwork.UNLIMITED
            ? startNs
            : startNs + (long) Math.ceil(count * NANOS_PER_SECOND / bytesPerSecond);
    return freeAtNs + latencyNs;
  }
}
