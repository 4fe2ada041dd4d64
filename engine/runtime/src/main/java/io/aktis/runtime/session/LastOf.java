package io.aktis.runtime.session;

import io.aktis.core.owner.Outcome;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * One thread's wait for the last of many objects, or for a failure of any of them. Objects are
 * mostly made in the order in which they are asked for, so nearly all are there when the last one
 * is, and to wait for that costs next to nothing, while a waiter at each of them costs as much as
 * they do.
 *
 * <p>Of a failure the loop tells all such waits, which then look whether it is one of theirs. A
 * look takes time in proportion to the number of objects, so it is taken at most so often that it
 * costs a tenth of the time.
 */
final class LastOf {
  private static final int PAUSE_PER_LOOK = 10;

  private final Thread thread = Thread.currentThread();
  private final List<Cell> cells;
  private volatile boolean somethingFailed;

  LastOf(List<Cell> cells) {
    this.cells = cells;
  }

  /** Something has failed, perhaps one of these. On the loop. */
  void failed() {
    somethingFailed = true;
    LockSupport.unpark(thread);
  }

  /** Waits for the last, a failure, or the deadline; on the thread that made this. */
  void await(long deadlineNanos) throws InterruptedException {
    Cell last = cells.getLast();
    Cell.Waiter waiter = new Cell.Waiter(cell -> LockSupport.unpark(thread));
    last.whenSettled(waiter);
    try {
      somethingFailed = true; // also what failed before this wait was known to the loop
      long nextLook = System.nanoTime();
      while (last.outcome() == null && !waiter.isOver()) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        boolean look = somethingFailed;
        long now = System.nanoTime();
        if (look && nextLook - now <= 0) {
          somethingFailed = false;
          if (anyFailed()) {
            return;
          }
          long end = System.nanoTime();
          nextLook = end + PAUSE_PER_LOOK * (end - now);
        } else if (look && isBefore(nextLook, deadlineNanos)) {
          Waits.park(this, nextLook);
        } else if (!Waits.park(this, deadlineNanos)) {
          return;
        }
      }
    } finally {
      waiter.cancel();
    }
  }

  private static boolean isBefore(long nanos, long deadlineNanos) {
    return deadlineNanos == Long.MAX_VALUE || nanos - deadlineNanos < 0;
  }

  private boolean anyFailed() {
    for (int i = 0; i < cells.size(); i++) {
      if (cells.get(i).outcome() instanceof Outcome.Failure) {
        return true;
      }
    }
    return false;
  }
}
