package io.aktis.core.id;

/** The printed form of ids: owner and number in hexadecimal, short enough for a log line. */
final class Hex {
  private Hex() {}

  static String of(long owner, long number) {
    return Long.toHexString(owner | 1L << 63).substring(8) + "-" + Long.toHexString(number);
  }
}
