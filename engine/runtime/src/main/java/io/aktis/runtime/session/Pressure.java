package io.aktis.runtime.session;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Answers a store that is full: references that were lost without being closed, and views that
 * nobody uses any more, are only found by the collector, so it is asked to look: once a second at
 * most, and for a tenth of the time. Thread-safe; one for the process.
 */
final class Pressure {
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int PAUSE_FACTOR = 9;
  private static final AtomicLong NOT_BEFORE = new AtomicLong(System.nanoTime());

  private Pressure() {}

  /** Collects in this thread, which waits for room, unless it is too soon. */
  static void collect() {
    if (begin()) {
      work();
    }
  }

  /**
   * Collects in a thread of its own, unless it is too soon: who still waits for room asks again.
   */
  static void collectLater() {
    if (begin()) {
      Thread.ofPlatform().daemon().name("aktis-collect").start(Pressure::work);
    }
  }

  /** Takes the turn, and with it the next second. */
  private static boolean begin() {
    long notBefore = NOT_BEFORE.get();
    long now = System.nanoTime();
    return now - notBefore >= 0 && NOT_BEFORE.compareAndSet(notBefore, now + PAUSE_NANOS);
  }

  private static void work() {
    long startNanos = System.nanoTime();
    System.gc();
    long endNanos = System.nanoTime();
    long pauseNanos = Math.max(PAUSE_NANOS, PAUSE_FACTOR * (endNanos - startNanos));
    NOT_BEFORE.accumulateAndGet(endNanos + pauseNanos, (had, next) -> next - had > 0 ? next : had);
  }
}
