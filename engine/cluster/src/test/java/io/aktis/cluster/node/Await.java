package io.aktis.cluster.node;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what must come, with a deadline. */
final class Await {
  static final long LIMIT_MS = 30_000;

  private Await() {}

  /** Waits until it holds. */
  static void until(Supplier<String> what, BooleanSupplier holds) {
    long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LIMIT_MS);
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() > deadlineNanos) {
        throw new AssertionError("in " + LIMIT_MS + " ms: " + what.get());
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }
}
