package io.aktis.benchmarks.macro;

import java.util.Arrays;
import java.util.Locale;

/** How figures are told: three digits that count, and no more. */
final class Figures {
  private Figures() {}

  static String of(double value) {
    double size = Math.abs(value);
    int decimals = size >= 100 || size == 0 ? 0 : 2 - (int) Math.floor(Math.log10(size));
    return String.format(Locale.ROOT, "%,." + Math.clamp(decimals, 0, 9) + "f", value);
  }

  static String withUnit(double value, Unit unit) {
    return (of(value) + " " + unit.symbol()).strip();
  }

  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
