package io.aktis.runtime.session;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Answers a store that is full: references that were lost without being closed, and views that
 * nobody uses any more, are only found by the collector, so it is asked to look; once a second at
 * most. Thread-safe.
 */
final class Pressure {
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final AtomicLong LAST = new AtomicLong(System.nanoTime() - PAUSE_NANOS);

  private Pressure() {}

  static void collect() {
    long last = LAST.get();
    long now = System.nanoTime();
    if (now - last >= PAUSE_NANOS && LAST.compareAndSet(last, now)) {
      System.gc();
    }
  }
}
