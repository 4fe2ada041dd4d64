package io.aktis.store;

import java.util.Locale;

/** Numbers of bytes for people. Stateless. */
final class Bytes {
  private Bytes() {}

  /** Returns for example {@code 512 bytes} or {@code 1.5 MiB}. */
  static String inWords(long bytes) {
    return bytes < 1 << 20
        ? bytes + " bytes"
        : String.format(Locale.ROOT, "%.1f MiB", bytes / (double) (1 << 20));
  }
}
