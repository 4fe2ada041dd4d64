package io.aktis.coordination;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Code on a thread of its own that is known to wait. */
final class Waiter<T> {
  private final FutureTask<T> task;
  private final Thread thread;

  private Waiter(Callable<T> code) {
    task = new FutureTask<>(code);
    thread = Thread.ofVirtual().unstarted(task);
  }

  /** Starts the code and returns when its thread waits. */
  static <T> Waiter<T> start(Callable<T> code) {
    Waiter<T> waiter = new Waiter<>(code);
    waiter.thread.start();
    while (waiter.thread.getState() != Thread.State.WAITING
        && waiter.thread.getState() != Thread.State.TIMED_WAITING) {
      if (waiter.task.isDone()) {
        throw new AssertionError("the code did not wait");
      }
      Thread.onSpinWait();
    }
    return waiter;
  }

  /** Interrupts the code and waits for its end. */
  void interrupt() throws InterruptedException {
    thread.interrupt();
    thread.join();
  }

  T result() throws InterruptedException, ExecutionException {
    return task.get();
  }
}
