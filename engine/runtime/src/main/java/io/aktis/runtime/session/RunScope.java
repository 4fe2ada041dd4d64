package io.aktis.runtime.session;

import io.aktis.AktisContext;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.core.owner.TaskKind;
import io.aktis.spi.RunningWork;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a thread runs at the moment: bound once to the thread, and told of each attempt. Confined to
 * that thread.
 */
final class RunScope implements RunningWork.Scope {
  private static final long SHORT_NANOS = 1_000;
  private static final int ATTEMPTS_PER_LOOK = 8;

  private final List<AutoCloseable> borrowed = new ArrayList<>(0);
  private @Nullable Run current;
  private long lastNanos = System.nanoTime();
  private long meanNanos;
  private int attempts;
  private int attemptsPerLook = 1;

  /** Returns the attempt that runs, {@code null} between two. */
  @Nullable Run current() {
    return current;
  }

  /** Performs an attempt; returns what to report, {@code null} when it was withdrawn. */
  @Nullable OwnerEvent perform(Run run) {
    current = run;
    try {
      return run.perform(this);
    } finally {
      if (!borrowed.isEmpty()) {
        giveBack();
      }
      current = null;
    }
  }

  /**
   * Takes note of a reference or handle that the running task got: it is released when the task
   * ends, unless the task passed it on. What an actor gets it may keep, so the collector decides.
   */
  void borrow(AutoCloseable handle) {
    Run run = current;
    if (run != null && run.task().kind() == TaskKind.TASK && !run.isLocal()) {
      borrowed.add(handle);
    }
  }

  private void giveBack() {
    for (AutoCloseable handle : borrowed) {
      try {
        handle.close();
      } catch (Exception e) {
        throw new IllegalStateException("closing a handle does not fail", e);
      }
    }
    borrowed.clear();
  }

  /** Lets the task that this thread runs, if it runs one, borrow a handle. */
  static <H extends AutoCloseable> H borrowed(H handle) {
    if (RunningWork.SCOPE.isBound() && RunningWork.SCOPE.get() instanceof RunScope scope) {
      scope.borrow(handle);
    }
    return handle;
  }

  /**
   * Returns about how long the attempt ran that ends now. The clock is looked at once an attempt,
   * and where a look would cost as much as the work, for several attempts together.
   */
  long lapNanos() {
    attempts++;
    if (attempts < attemptsPerLook) {
      return meanNanos;
    }
    long now = System.nanoTime();
    meanNanos = (now - lastNanos) / attempts;
    attemptsPerLook = meanNanos < SHORT_NANOS ? ATTEMPTS_PER_LOOK : 1;
    lastNanos = now;
    attempts = 0;
    return meanNanos;
  }

  /** What went before does not count: this thread did something else. */
  void startLap() {
    if (attempts > 0) { // a lap that has no end, so the next is to be a short one
      attempts = 0;
      attemptsPerLook = 1;
    }
    lastNanos = System.nanoTime();
  }

  @Override
  public @Nullable AktisContext context() {
    Run run = current;
    return run == null ? null : run.context();
  }
}
