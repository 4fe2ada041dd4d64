package io.aktis.benchmarks.macro;

import java.util.Locale;

/** Who does the work of a load. */
public enum Side {
  /** Aktis, in the mode that is measured. */
  AKTIS,
  /** What the JDK has for the same purpose, in this JVM, or between two where it has to be. */
  JDK,
  /** Ray, in a process of its own. */
  RAY,
  /** A bare gRPC stream from this JVM to another one and back. */
  GRPC,
  /** Aktis without TLS, beside Aktis with it. */
  PLAIN;

  /** Returns the name as options and JSON have it. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns whether people choose it; the others follow from the setting. */
  public boolean isChosen() {
    return this == JDK || this == RAY || this == GRPC;
  }
}
