package io.aktis.store;

import io.aktis.core.id.ObjectId;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * The creates that wait for room, in the order they came. Only the head is ever admitted: a small
 * create does not pass a large one, or the large one might wait for ever. Guarded by the lock of
 * its store.
 */
final class CreateQueue {
  /** One waiting create and the thread it belongs to. */
  static final class Waiter {
    final ObjectId id;
    final long sizeBytes;

    /**
     * Signalled when {@link #granted} is set, when this becomes the head, and when the store is
     * closed.
     */
    final Condition turn;

    final long sinceNanos = System.nanoTime();

    @Nullable Entry granted;

    Waiter(ObjectId id, long sizeBytes, Condition turn) {
      this.id = id;
      this.sizeBytes = sizeBytes;
      this.turn = turn;
    }
  }

  private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();
  private long bytes;

  void add(Waiter waiter) {
    waiters.add(waiter);
    bytes += waiter.sizeBytes;
  }

  /** Removes a waiter that gave up. */
  void remove(Waiter waiter) {
    boolean wasHead = waiters.peek() == waiter;
    if (waiters.remove(waiter)) {
      bytes -= waiter.sizeBytes;
    }
    if (wasHead) {
      wakeHead();
    }
  }

  @Nullable Waiter head() {
    return waiters.peek();
  }

  /** Gives the head its room, takes it out and wakes it. */
  void grantHead(Entry entry) {
    Waiter head = waiters.remove();
    bytes -= head.sizeBytes;
    head.granted = entry;
    head.turn.signal();
    wakeHead();
  }

  /** A new head has duties. */
  void wakeHead() {
    Waiter head = waiters.peek();
    if (head != null) {
      head.turn.signal();
    }
  }

  void wakeAll() {
    waiters.forEach(waiter -> waiter.turn.signal());
  }

  boolean isEmpty() {
    return waiters.isEmpty();
  }

  int count() {
    return waiters.size();
  }

  long bytes() {
    return bytes;
  }
}
