package io.aktis.benchmarks.macro;

import java.util.Locale;

/** Where the engine that is measured runs. */
public enum Mode {
  /** In the JVM of the bench. */
  EMBEDDED,
  /** A node daemon and a worker beside the driver, on one machine. */
  PROCESSES,
  /** Several node daemons with their workers, on the loopback address of one machine. */
  NODES;

  /** Returns the name as options and JSON have it. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
