package io.aktis.conformance;

import io.aktis.testkit.Await;
import java.util.concurrent.CompletableFuture;

/**
 * How a wait ended that was interrupted.
 *
 * @param failure what it threw
 * @param flag whether the interrupt flag was set afterwards
 */
record Interrupted(Throwable failure, boolean flag) {
  /** Starts a thread, lets it wait in {@code wait}, and interrupts it there. */
  static Interrupted whileIn(Runnable wait) throws InterruptedException {
    CompletableFuture<Interrupted> outcome = new CompletableFuture<>();
    Thread waiter = new Thread(() -> outcome.complete(run(wait)), "interrupted waiter");
    waiter.start();
    Await.until("the waiter to wait", () -> isWaiting(waiter));
    waiter.interrupt();
    waiter.join();
    return outcome.join();
  }

  /** Returns whether a thread waits for something. */
  static boolean isWaiting(Thread thread) {
    return thread.getState() == Thread.State.WAITING
        || thread.getState() == Thread.State.TIMED_WAITING;
  }

  private static Interrupted run(Runnable wait) {
    try {
      wait.run();
      throw new AssertionError("The wait ended by itself");
    } catch (RuntimeException e) {
      return new Interrupted(e, Thread.currentThread().isInterrupted());
    }
  }
}
