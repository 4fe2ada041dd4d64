package io.aktis.cluster.code;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** Lets a thread that may wait do so until a thread of the network has news. Thread-safe. */
final class Wakeup {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition news = lock.newCondition();

  /** There is news: who waits looks again. */
  void signal() {
    lock.lock();
    try {
      news.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the condition holds; returns false when it does not for so long. */
  boolean await(BooleanSupplier condition, long timeoutMs) throws InterruptedException {
    long remainingNs = TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    lock.lock();
    try {
      while (!condition.getAsBoolean()) {
        if (remainingNs <= 0) {
          return false;
        }
        remainingNs = news.awaitNanos(remainingNs);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }
}
