package io.aktis.benchmarks.macro;

/** What the figures of a load count. */
public enum Unit {
  /** Operations per second. */
  PER_SECOND("1/s", true),
  /** 10^9 bytes per second. */
  GB_PER_SECOND("GB/s", true),
  /** Seconds for the whole. */
  SECONDS("s", false),
  /** 10^6 bytes. */
  MEGABYTES("MB", false),
  /** Bytes. */
  BYTES("B", false),
  /** A number of things. */
  COUNT("", false);

  private final String symbol;
  private final boolean moreIsBetter;

  Unit(String symbol, boolean moreIsBetter) {
    this.symbol = symbol;
    this.moreIsBetter = moreIsBetter;
  }

  /** Returns the symbol that follows a figure. */
  public String symbol() {
    return symbol;
  }

  /** Returns how many times better {@code figure} is than {@code other}. */
  double advantage(double figure, double other) {
    return moreIsBetter ? figure / other : other / figure;
  }

  /** Returns whether {@code figure} is as good as {@code bound} or better. */
  boolean reaches(double figure, double bound) {
    return moreIsBetter ? figure >= bound : figure <= bound;
  }

  /** Returns the sign of a bound. */
  String sign() {
    return moreIsBetter ? "≥" : "≤";
  }
}
