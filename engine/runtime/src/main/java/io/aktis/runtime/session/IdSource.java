package io.aktis.runtime.session;

import io.aktis.core.id.TaskId;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Numbers that a worker gives to what its code makes, out of ranges that the owner has given to it
 * alone. Thread-safe.
 */
final class IdSource {
  private record Range(long first, long count, AtomicLong used) {}

  private final long owner;
  private final Runnable askForMore;
  private final LinkedBlockingQueue<Range> spare = new LinkedBlockingQueue<>();
  private volatile Range current = new Range(0, 0, new AtomicLong());

  /**
   * Makes a source without numbers.
   *
   * @param owner the owner half of all ids
   * @param askForMore asks for one more range; called for each that is half used
   */
  IdSource(long owner, Runnable askForMore) {
    this.owner = owner;
    this.askForMore = askForMore;
  }

  /** Takes a range that the owner gives. */
  void add(long first, long count) {
    spare.add(new Range(first, count, new AtomicLong()));
  }

  TaskId next() {
    while (true) {
      Range range = current;
      long index = range.used.getAndIncrement();
      if (index == range.count / 2) {
        askForMore.run();
      }
      if (index < range.count) {
        return TaskId.of(owner, range.first + index);
      }
      advance(range);
    }
  }

  @SuppressWarnings("ReferenceEquality") // the same range, not an equal one
  private synchronized void advance(Range exhausted) {
    if (current != exhausted) {
      return;
    }
    try {
      current = spare.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw SessionEngine.interrupted(e);
    }
  }
}
