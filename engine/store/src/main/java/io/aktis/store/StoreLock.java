package io.aktis.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The lock of a store, which keeps work on disk out of it: what is to be deleted is said under the
 * lock and done by the same thread right after it. Reentrant.
 */
final class StoreLock {
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock. */
  private List<Runnable> afterwards = new ArrayList<>();

  void lock() {
    lock.lock();
  }

  /** Unlocks; runs what was left for {@link #later} if this was the outermost lock. */
  void unlock() {
    if (afterwards.isEmpty() || lock.getHoldCount() > 1) {
      lock.unlock();
      return;
    }
    List<Runnable> work = afterwards;
    afterwards = new ArrayList<>();
    lock.unlock();
    work.forEach(Runnable::run);
  }

  /** Called under the lock. */
  void later(Runnable work) {
    afterwards.add(work);
  }

  Condition newCondition() {
    return lock.newCondition();
  }
}
