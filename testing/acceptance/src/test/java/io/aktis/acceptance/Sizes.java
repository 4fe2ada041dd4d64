package io.aktis.acceptance;

/** How much the tests do: little, or with {@code -Daktis.long=true} what is promised. */
final class Sizes {
  static final boolean LONG = Boolean.getBoolean("aktis.long");

  private Sizes() {}

  /** Chooses one of two. */
  static int of(int small, int promised) {
    return LONG ? promised : small;
  }
}
