package io.aktis.runtime.session;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Collects garbage when a store asks for room: a JVM with much free heap rarely does by itself,
 * however full the stores are with what its garbage refers to. Thread-safe; one for the process.
 */
final class RequestedCollection {
  /** So many times as long as a collection took, none is made on request. */
  private static final int PAUSE_FACTOR = 9;

  private static final AtomicBoolean RUNS = new AtomicBoolean();
  private static volatile long notBeforeNanos = System.nanoTime();

  private RequestedCollection() {}

  /**
   * Starts a collection on a thread of its own, unless one runs, or the last one has ended only
   * just now: they take a tenth of the time at most. Who still waits for room asks again.
   */
  static void run() {
    if (System.nanoTime() - notBeforeNanos >= 0 && RUNS.compareAndSet(false, true)) {
      Thread.ofPlatform().daemon().name("aktis-collect").start(RequestedCollection::collect);
    }
  }

  private static void collect() {
    long startNanos = System.nanoTime();
    try {
      System.gc();
    } finally {
      long endNanos = System.nanoTime();
      notBeforeNanos = endNanos + PAUSE_FACTOR * (endNanos - startNanos);
      RUNS.set(false);
    }
  }
}
