package io.aktis.coordination;

import java.util.LinkedHashSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Callers that wait for something, served in the order they came: nobody overtakes, so a caller
 * that wants much is not starved by callers that want little. Each waits on a condition of its own,
 * so a change wakes one thread however long the line is.
 *
 * <p>All methods are called with the lock held that the line was made with.
 */
final class WaitingLine {
  private final ReentrantLock lock;
  private final LinkedHashSet<Condition> line = new LinkedHashSet<>();

  WaitingLine(ReentrantLock lock) {
    this.lock = lock;
  }

  /**
   * Waits until the caller is first in line and {@code ready} holds; a timeout of zero only looks.
   *
   * @return whether that came before the time was over
   */
  boolean await(BooleanSupplier ready, long timeoutNs) throws InterruptedException {
    Condition turn = lock.newCondition();
    line.add(turn);
    try {
      long leftNs = timeoutNs;
      while (!line.getFirst().equals(turn) || !ready.getAsBoolean()) {
        if (leftNs <= 0) {
          return false;
        }
        leftNs = turn.awaitNanos(leftNs);
      }
      return true;
    } finally {
      line.remove(turn);
      wakeFirst();
    }
  }

  /** Lets the first in line look again, because something changed. */
  void wakeFirst() {
    if (!line.isEmpty()) {
      line.getFirst().signal();
    }
  }
}
