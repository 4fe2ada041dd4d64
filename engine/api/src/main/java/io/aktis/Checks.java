package io.aktis;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Argument checks whose messages say what was wrong and what is allowed. */
final class Checks {
  private static final double MAX_AMOUNT = 1e12;

  private Checks() {}

  static double amount(double value, String what) {
    if (Double.isNaN(value) || value < 0 || value > MAX_AMOUNT) {
      throw new IllegalArgumentException(
          what + " must be a number from 0 to " + (long) MAX_AMOUNT + ", not " + value);
    }
    double units = value * 10_000;
    if (Math.abs(units - Math.rint(units)) > 1e-6) {
      throw new IllegalArgumentException(
          what + " has at most four decimals (steps of 0.0001), not " + value);
    }
    return value;
  }

  static double gpus(double value) {
    amount(value, "gpus");
    if (value > 1 && value != Math.rint(value)) {
      throw new IllegalArgumentException(
          "gpus must be a fraction below 1, for a share of one device, or a whole number, not "
              + value);
    }
    return value;
  }

  static String text(@Nullable String value, String what) {
    if (value == null || value.isBlank()) {
      throw new IllegalArgumentException(what + " must be a text that is not blank");
    }
    return value;
  }

  static int atLeast(int value, int least, String what) {
    if (value < least) {
      throw new IllegalArgumentException(what + " must be at least " + least + ", not " + value);
    }
    return value;
  }

  static long atLeast(long value, long least, String what) {
    if (value < least) {
      throw new IllegalArgumentException(what + " must be at least " + least + ", not " + value);
    }
    return value;
  }

  static Duration notNegative(@Nullable Duration value, String what) {
    if (value == null || value.isNegative()) {
      throw new IllegalArgumentException(
          what + " must be a duration of zero or more, not " + value);
    }
    return value;
  }

  static Duration positive(@Nullable Duration value, String what) {
    if (value == null || value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(what + " must be a duration above zero, not " + value);
    }
    return value;
  }

  static <T> T notNull(@Nullable T value, String what) {
    return Objects.requireNonNull(value, () -> what + " must not be null");
  }
}
