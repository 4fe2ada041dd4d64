package io.aktis.coordination;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The rounds of a {@link Barrier}. Its methods run on many threads at a time. */
final class BarrierActor {
  /** How waiting at the barrier ended. */
  enum Arrival {
    /** All came; this one came last. */
    LAST,
    /** All came; this one waited for others. */
    WAITED,
    /** The time was over. */
    TIMED_OUT
  }

  private final int parties;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition complete = lock.newCondition();
  private int arrived;
  private long round;

  BarrierActor(int parties) {
    this.parties = parties;
  }

  /** Waits for the others of this round; one that gives up takes its arrival back. */
  Arrival await(long timeoutNs) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      arrived++;
      if (arrived == parties) {
        arrived = 0;
        round++;
        complete.signalAll();
        return Arrival.LAST;
      }
      return awaitOthers(round, timeoutNs);
    } finally {
      lock.unlock();
    }
  }

  private Arrival awaitOthers(long myRound, long timeoutNs) throws InterruptedException {
    try {
      long leftNs = timeoutNs;
      while (round == myRound && leftNs > 0) {
        leftNs = complete.awaitNanos(leftNs);
      }
      return round == myRound ? Arrival.TIMED_OUT : Arrival.WAITED;
    } finally {
      if (round == myRound) {
        arrived--;
      }
    }
  }

  int waiting() {
    lock.lock();
    try {
      return arrived;
    } finally {
      lock.unlock();
    }
  }
}
