package io.aktis.store;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what other threads and the collector do. */
final class Await {
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private Await() {}

  /**
   * Returns when the condition holds; fails with {@code state} when it does not within 30 seconds.
   */
  static void until(BooleanSupplier condition, Supplier<?> state) {
    long deadlineNanos = System.nanoTime() + LIMIT_NANOS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadlineNanos > 0) {
        throw new AssertionError("waited in vain; state: " + state.get());
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** The same, collecting garbage all the while. */
  static void untilCollected(BooleanSupplier condition, Supplier<?> state) {
    until(
        () -> {
          if (condition.getAsBoolean()) {
            return true;
          }
          System.gc();
          return false;
        },
        state);
  }
}
