package io.aktis.coordination;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** The elements of a {@link Queue}. Its methods run on many threads at a time. */
final class QueueActor {
  private final int capacity;
  private final ReentrantLock lock = new ReentrantLock();
  private final WaitingLine putters = new WaitingLine(lock);
  private final WaitingLine takers = new WaitingLine(lock);
  private final ArrayDeque<Object> elements = new ArrayDeque<>();

  QueueActor(int capacity) {
    this.capacity = capacity;
  }

  /** Appends the whole batch once there is room for it; returns false when the time is over. */
  boolean put(List<Object> batch, long timeoutNs) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      boolean room = putters.await(() -> elements.size() + batch.size() <= capacity, timeoutNs);
      if (room) {
        elements.addAll(batch);
        takers.wakeFirst();
      }
      return room;
    } finally {
      lock.unlock();
    }
  }

  /** Takes one to {@code most} elements once there are some; none when the time is over. */
  List<Object> take(int most, long timeoutNs) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      List<Object> taken = new ArrayList<>();
      if (takers.await(() -> !elements.isEmpty(), timeoutNs)) {
        while (taken.size() < most && !elements.isEmpty()) {
          taken.add(elements.remove());
        }
        putters.wakeFirst();
      }
      return taken;
    } finally {
      lock.unlock();
    }
  }

  int size() {
    lock.lock();
    try {
      return elements.size();
    } finally {
      lock.unlock();
    }
  }
}
