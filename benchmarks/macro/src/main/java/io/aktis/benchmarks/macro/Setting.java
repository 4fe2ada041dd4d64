package io.aktis.benchmarks.macro;

/**
 * What kind of engine is measured. Immutable.
 *
 * @param mode where it runs
 * @param nodes how many nodes it has; 1 unless the mode is {@link Mode#NODES}
 * @param tls whether its processes talk with TLS; never in one JVM
 * @param bytesPerSecond how much the network lets through to each node, and as much back; {@link
 *     #UNLIMITED} for what the machine can do, and always so in one JVM
 */
public record Setting(Mode mode, int nodes, boolean tls, long bytesPerSecond) {
  /** As much as the machine can do. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  /** The engine in this JVM. */
  public static final Setting EMBEDDED = new Setting(Mode.EMBEDDED, 1, false, UNLIMITED);

  /** Checks that the three fit together. */
  public Setting {
    if (nodes < 1 || (nodes > 1) != (mode == Mode.NODES)) {
      throw new IllegalArgumentException(mode + " with " + nodes + " nodes");
    }
    if (tls && mode == Mode.EMBEDDED) {
      throw new IllegalArgumentException("TLS is between processes, and there is one only");
    }
    if (bytesPerSecond < 1 || (bytesPerSecond != UNLIMITED && mode == Mode.EMBEDDED)) {
      throw new IllegalArgumentException(
          "no network of " + bytesPerSecond + " bytes a second in mode " + mode);
    }
  }

  /** Returns an engine in several processes with all that the machine can do. */
  public static Setting separate(Mode mode, int nodes, boolean tls) {
    return new Setting(mode, nodes, tls, UNLIMITED);
  }

  /** Returns whether the network is slower than the machine. */
  public boolean isSlow() {
    return bytesPerSecond != UNLIMITED;
  }

  /** Returns whether there are other processes than that of the driver. */
  public boolean isSeparate() {
    return mode != Mode.EMBEDDED;
  }
}
