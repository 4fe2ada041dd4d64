package io.aktis.cluster.relay;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a rehearsed network is like. A process that has one, from its system properties, puts a
 * {@link Relay} in front of each server that it starts. Immutable.
 *
 * @param latency how long each byte is on its way, in one direction
 * @param bytesPerSecond how much gets through in one direction; {@link #UNLIMITED} for all of it
 */
public record SlowNetwork(Duration latency, long bytesPerSecond) {
  /** As much as the machine can do. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  private static final String LATENCY = "aktis.network.latency.us";
  private static final String RATE = "aktis.network.bytes.per.second";

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException when they make no sense
   */
  public SlowNetwork {
    if (latency.isNegative()) {
      throw new IllegalArgumentException("bytes cannot arrive before they are sent: " + latency);
    }
    if (bytesPerSecond < 1) {
      throw new IllegalArgumentException(
          "a network lets at least one byte a second through, not " + bytesPerSecond);
    }
  }

  /** Returns the options of a JVM whose servers are to be reached over this network. */
  public List<String> jvmOptions() {
    return List.of(
        "-D" + LATENCY + "=" + latency.toNanos() / 1_000, "-D" + RATE + "=" + bytesPerSecond);
  }

  /**
   * Returns the network that this process was told to have, if it was.
   *
   * @throws IllegalArgumentException when what it was told are no numbers
   */
  public static Optional<SlowNetwork> ofThisProcess() {
    Long latencyUs = number(LATENCY);
    Long rate = number(RATE);
    return latencyUs == null && rate == null
        ? Optional.empty()
        : Optional.of(
            new SlowNetwork(
                Duration.ofNanos(latencyUs == null ? 0 : latencyUs * 1_000),
                rate == null ? UNLIMITED : rate));
  }

  private static @Nullable Long number(String property) {
    String text = System.getProperty(property);
    try {
      return text == null ? null : Long.valueOf(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "the system property " + property + " is '" + text + "', not a number", e);
    }
  }
}
