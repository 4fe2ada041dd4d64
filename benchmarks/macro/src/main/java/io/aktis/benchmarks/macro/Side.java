package io.aktis.benchmarks.macro;

import java.util.Locale;

/** Who does the work of a load. */
public enum Side {
  /** Aktis, embedded in this JVM. */
  AKTIS,
  /** What the JDK has for the same purpose, in this JVM. */
  JDK,
  /** Ray, in a process of its own. */
  RAY;

  /** Returns the name as options and JSON have it. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
