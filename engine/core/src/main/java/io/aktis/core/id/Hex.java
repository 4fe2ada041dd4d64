package io.aktis.core.id;

/** The printed form of ids: owner and number in hexadecimal, short enough for a log line. */
final class Hex {
  private Hex() {}

  static String of(long owner, long number) {
    return owner(owner) + "-" + Long.toHexString(number);
  }

  static String owner(long number) {
    return Long.toHexString(number | 1L << 63).substring(8);
  }
}
