package io.aktis.coordination;

import java.util.concurrent.locks.ReentrantLock;

/** The permits of a {@link Semaphore}. Its methods run on many threads at a time. */
final class SemaphoreActor {
  private final int permits;
  private final ReentrantLock lock = new ReentrantLock();
  private final WaitingLine waiting = new WaitingLine(lock);
  private int available;

  SemaphoreActor(int permits) {
    this.permits = permits;
    available = permits;
  }

  /** Takes {@code count} permits once they are there; returns false when the time is over. */
  boolean acquire(int count, long timeoutNs) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      boolean enough = waiting.await(() -> available >= count, timeoutNs);
      if (enough) {
        available -= count;
      }
      return enough;
    } finally {
      lock.unlock();
    }
  }

  /** Gives {@code count} permits back; returns false, and does nothing, if fewer are out. */
  boolean release(int count) {
    lock.lock();
    try {
      if (count > permits - available) {
        return false;
      }
      available += count;
      waiting.wakeFirst();
      return true;
    } finally {
      lock.unlock();
    }
  }

  int available() {
    lock.lock();
    try {
      return available;
    } finally {
      lock.unlock();
    }
  }
}
