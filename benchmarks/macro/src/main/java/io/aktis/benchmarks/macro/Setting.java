package io.aktis.benchmarks.macro;

/**
 * What kind of engine is measured. Immutable.
 *
 * @param mode where it runs
 * @param nodes how many nodes it has; 1 unless the mode is {@link Mode#NODES}
 * @param tls whether its processes talk with TLS; never in one JVM
 */
public record Setting(Mode mode, int nodes, boolean tls) {
  /** The engine in this JVM. */
  public static final Setting EMBEDDED = new Setting(Mode.EMBEDDED, 1, false);

  /** Checks that the three fit together. */
  public Setting {
    if (nodes < 1 || (nodes > 1) != (mode == Mode.NODES)) {
      throw new IllegalArgumentException(mode + " with " + nodes + " nodes");
    }
    if (tls && mode == Mode.EMBEDDED) {
      throw new IllegalArgumentException("TLS is between processes, and there is one only");
    }
  }

  /** Returns whether there are other processes than that of the driver. */
  public boolean isSeparate() {
    return mode != Mode.EMBEDDED;
  }
}
