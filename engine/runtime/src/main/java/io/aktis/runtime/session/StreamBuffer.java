package io.aktis.runtime.session;

import io.aktis.TaskCancelledException;
import io.aktis.core.owner.Outcome;
import io.aktis.core.owner.OwnedObject;
import io.aktis.core.owner.OwnerEvent;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;

/**
 * Joins the producer of a stream with its reader: holds the values that were made and not read, and
 * holds the producer back when there are too many.
 *
 * <p>When the producer is run again it starts over; the values that it made before are not
 * delivered twice. Thread-safe: one lock, never held while values are made or waited for elsewhere.
 */
final class StreamBuffer implements StreamEnd {
  private final Kernel kernel;
  private final int limit;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<Cell> waiting = new ArrayDeque<>();
  private long produced;
  private int attempt;
  private boolean closed;
  private boolean ended;

  StreamBuffer(Kernel kernel, int limit) {
    this.kernel = kernel;
    this.limit = checkedLimit(limit);
  }

  static int checkedLimit(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("the buffer must be at least 1, not " + limit);
    }
    return limit;
  }

  /** Returns what a task made as a stream, or says that it has to be one. */
  static BaseStream<?, ?> checkedStream(@Nullable Object made) {
    if (made instanceof BaseStream<?, ?> stream) {
      return stream;
    }
    throw new IllegalStateException("a task that is submitted as a stream must return a stream");
  }

  @Override
  public void readThrough(Cell completion) {
    completion.whenSettled(new Cell.Waiter(done -> end()));
  }

  @Override
  public int limit() {
    return limit;
  }

  @Override
  public void produce(Run run, @Nullable Object made) throws InterruptedException {
    BaseStream<?, ?> values = checkedStream(made);
    begin(run);
    try (BaseStream<?, ?> stream = values) {
      long index = 0;
      for (Iterator<?> each = stream.iterator(); each.hasNext(); index++) {
        Object value = each.next();
        if (!awaitRoom(run, index)) {
          continue; // delivered by an earlier attempt
        }
        keep(run, index, value);
      }
    }
  }

  /** An attempt begins to make the values, from the first. */
  void begin(Running run) {
    lock.lock();
    try {
      attempt = run.attempt();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until a value may be delivered; false when it was before. */
  private boolean awaitRoom(Run run, long index) throws InterruptedException {
    boolean[] wanted = new boolean[1];
    if (!tryRoom(run, index, wanted)) {
      kernel.session().waits().lending(run, List::of, () -> blockForRoom(run, index, wanted));
    }
    return wanted[0];
  }

  /** Waits until a value of an attempt elsewhere may be delivered; false when it was before. */
  boolean awaitRoomFor(Running run, long index) throws InterruptedException {
    boolean[] wanted = new boolean[1];
    if (!tryRoom(run, index, wanted)) {
      blockForRoom(run, index, wanted);
    }
    return wanted[0];
  }

  private boolean tryRoom(Running run, long index, boolean[] wanted) {
    lock.lock();
    try {
      checkWanted(run);
      wanted[0] = index >= produced;
      return !wanted[0] || waiting.size() < limit;
    } finally {
      lock.unlock();
    }
  }

  private void blockForRoom(Running run, long index, boolean[] wanted) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (waiting.size() >= limit) {
        checkWanted(run);
        changed.await();
      }
      checkWanted(run);
      wanted[0] = index >= produced;
    } finally {
      lock.unlock();
    }
  }

  private void checkWanted(Running run) {
    if (closed || run.isCancelled() || run.attempt() != attempt) {
      throw new TaskCancelledException("The stream is not read any more.");
    }
  }

  private void keep(Run run, long index, @Nullable Object value) throws InterruptedException {
    Cell cell = Cell.of(kernel.nextId().result(0));
    OwnedObject object = cell.object();
    Outcome outcome = kernel.values().keep(value, object.id(), run);
    kernel.post(new OwnerEvent.Put(object, outcome));
    deliver(run, index, cell);
  }

  /** Takes a value that was put; lets it go if it is not wanted any more. */
  void deliver(Running run, long index, Cell cell) {
    lock.lock();
    try {
      if (closed || run.attempt() != attempt || index != produced) {
        kernel.post(new OwnerEvent.Released(List.of(cell.object())));
        return;
      }
      produced++;
      waiting.add(cell);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void end() {
    lock.lock();
    try {
      ended = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public @Nullable Cell next() {
    Cell ready = poll();
    if (ready != null) {
      return ready;
    }
    kernel
        .session()
        .waits()
        .lending(kernel.session().waits().currentRun(), List::of, this::awaitValue);
    return poll();
  }

  private void awaitValue() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (waiting.isEmpty() && !ended && !closed) {
        changed.await();
      }
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Cell poll() {
    lock.lock();
    try {
      Cell cell = waiting.poll();
      if (cell != null) {
        changed.signalAll();
      }
      return cell;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean close() {
    lock.lock();
    try {
      if (closed) {
        return false;
      }
      closed = true;
      for (Cell cell : waiting) {
        kernel.post(new OwnerEvent.Released(List.of(cell.object())));
      }
      waiting.clear();
      changed.signalAll();
      return true;
    } finally {
      lock.unlock();
    }
  }
}
