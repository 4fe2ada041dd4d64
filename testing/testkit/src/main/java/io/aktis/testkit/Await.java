package io.aktis.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for a condition with a deadline, instead of sleeping for a guessed time. */
public final class Await {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long FIRST_STEP_NANOS = 50_000;
  private static final long LONGEST_STEP_NANOS = 5_000_000;

  private Await() {}

  /**
   * Waits until {@code condition} holds, 30 seconds at most.
   *
   * @param what what is waited for, as the failure is to say it
   * @throws AssertionError when the time is over
   */
  public static void until(String what, BooleanSupplier condition) {
    until(what, PATIENCE, condition, () -> "");
  }

  /**
   * Waits until {@code condition} holds, {@code limit} at most.
   *
   * @param state describes what there is instead, for the failure
   * @throws AssertionError when the time is over
   */
  public static void until(
      String what, Duration limit, BooleanSupplier condition, Supplier<String> state) {
    long deadlineNanos = System.nanoTime() + limit.toNanos();
    long stepNanos = FIRST_STEP_NANOS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadlineNanos >= 0) {
        throw new AssertionError(
            "Waited " + limit.toMillis() + " ms in vain for: " + what + ". " + state.get());
      }
      LockSupport.parkNanos(stepNanos);
      stepNanos = Math.min(stepNanos * 2, LONGEST_STEP_NANOS);
    }
  }
}
