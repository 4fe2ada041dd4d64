package io.aktis;

import java.time.Duration;

/**
 * How to cancel. Immutable.
 *
 * @param force whether the result is taken away after the grace period from code that ignores the
 *     interrupt, and its process is killed where it has another one than the program. It is not
 *     where actors live there, or tasks run that must not be run again; others are run again for
 *     free
 * @param grace the grace period of {@code force}
 * @param children whether the tasks that the task submitted are cancelled too
 */
public record CancelOptions(boolean force, Duration grace, boolean children) {
  /** Interrupt, children too, no force: what {@link ObjectRef#cancel()} does. */
  public static final CancelOptions DEFAULTS =
      new CancelOptions(false, Duration.ofSeconds(5), true);

  /** Checks the grace period. */
  public CancelOptions {
    Checks.notNegative(grace, "the grace period");
  }

  /** Returns options that force the end after 5 seconds. */
  public static CancelOptions forced() {
    return DEFAULTS.withForce(true);
  }

  /** Returns a copy with {@code force} set. */
  public CancelOptions withForce(boolean on) {
    return new CancelOptions(on, grace, children);
  }

  /** Returns a copy with another grace period. */
  public CancelOptions withGrace(Duration period) {
    return new CancelOptions(force, period, children);
  }

  /** Returns a copy that cancels children or leaves them. */
  public CancelOptions withChildren(boolean on) {
    return new CancelOptions(force, grace, on);
  }
}
