package io.aktis.core.resource;

import java.math.BigDecimal;
import java.util.Locale;

/** Fixed-point amounts: checked on the way in, short on the way out. */
final class Amount {
  static final long UNITS = Resources.UNITS_PER_ONE;

  /** More than this of anything is a mistake in the call, not a machine. */
  static final double MAX = 1e12;

  /** Sums of decimal fractions, such as 0.1 + 0.2, may miss the grid by this much. */
  private static final double SLACK = 1e-9;

  private static final String[] BYTE_UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};

  private Amount() {}

  static long units(String what, double amount) {
    if (!(amount >= 0 && amount <= MAX)) {
      throw new IllegalArgumentException(
          what + " is " + amount + "; allowed are 0 to " + (long) MAX + " in steps of 0.0001");
    }
    long units = Math.round(amount * UNITS);
    if (Math.abs(units / (double) UNITS - amount) > SLACK * Math.max(1, amount)) {
      throw new IllegalArgumentException(
          what + " is " + amount + "; the finest step allowed is 0.0001");
    }
    return units;
  }

  static long wholeGpuUnits(double gpus) {
    long units = units("gpus", gpus);
    if (units > UNITS && units % UNITS != 0) {
      throw new IllegalArgumentException(
          "gpus is " + gpus + "; allowed are a fraction below 1 or a whole number");
    }
    return units;
  }

  static long bytes(long bytes) {
    if (bytes < 0 || bytes > Resources.MAX_MEMORY_BYTES) {
      throw new IllegalArgumentException(
          "memory is " + bytes + " bytes; allowed are 0 to " + Resources.MAX_MEMORY_BYTES);
    }
    return bytes;
  }

  static String name(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (name.isBlank() || lower.equals("cpu") || lower.equals("gpu") || lower.equals("memory")) {
      throw new IllegalArgumentException(
          "a custom resource is named \"" + name + "\"; allowed is any name but cpu, gpu, memory");
    }
    return name;
  }

  /** Writes units as the decimal number they stand for: 15,000 as 1.5. */
  static String print(long units) {
    if (units % UNITS == 0) {
      return Long.toString(units / UNITS);
    }
    return BigDecimal.valueOf(units, 4).stripTrailingZeros().toPlainString();
  }

  /** Writes bytes in the largest unit that needs at most two decimals, else in bytes. */
  static String printBytes(long bytes) {
    int unit = 0;
    double value = bytes;
    while (value >= 1024 && unit < BYTE_UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    BigDecimal rounded = BigDecimal.valueOf(Math.round(value * 100), 2);
    return rounded.stripTrailingZeros().toPlainString() + " " + BYTE_UNITS[unit];
  }
}
