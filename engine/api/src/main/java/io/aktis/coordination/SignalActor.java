package io.aktis.coordination;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The state of a {@link Signal}. Its methods run on many threads at a time. */
final class SignalActor {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean sent;
  private long sends;

  /** Waits until the signal is sent, also when it is reset right after; false on timeout. */
  boolean await(long timeoutNs) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long sendsBefore = sends;
      long leftNs = timeoutNs;
      while (!sent && sends == sendsBefore) {
        if (leftNs <= 0) {
          return false;
        }
        leftNs = changed.awaitNanos(leftNs);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  void send() {
    lock.lock();
    try {
      sent = true;
      sends++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void reset() {
    lock.lock();
    try {
      sent = false;
    } finally {
      lock.unlock();
    }
  }

  boolean isSent() {
    lock.lock();
    try {
      return sent;
    } finally {
      lock.unlock();
    }
  }
}
