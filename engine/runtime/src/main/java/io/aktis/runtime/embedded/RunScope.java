package io.aktis.runtime.embedded;

import io.aktis.AktisContext;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.spi.RunningWork;
import org.jspecify.annotations.Nullable;

/**
 * What a thread runs at the moment: bound once to the thread, and told of each attempt. Confined to
 * that thread.
 */
final class RunScope implements RunningWork.Scope {
  private @Nullable Run current;
  private long lastNanos = System.nanoTime();

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
      current = null;
    }
  }

  /** Returns the time since this was called last: one look at the clock an attempt. */
  long lapNanos() {
    long now = System.nanoTime();
    long lap = now - lastNanos;
    lastNanos = now;
    return lap;
  }

  @Override
  public @Nullable AktisContext context() {
    Run run = current;
    return run == null ? null : run.context();
  }
}
