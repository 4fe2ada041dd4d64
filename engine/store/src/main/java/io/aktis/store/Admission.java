package io.aktis.store;

import io.aktis.core.id.ObjectId;
import io.aktis.store.CreateQueue.Waiter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Gives objects their room, in the order told in {@link ObjectStore}. Methods with a deadline are
 * called without the lock of the store, all others under it.
 */
final class Admission {
  private static final long MIN_PRESSURE_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** A tenth of the time, at most, goes into relieving pressure. */
  private static final int PRESSURE_PAUSE_FACTOR = 9;

  /** After a spill without use. */
  private static final long SPILL_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** So long, and half of its time at most, a create waits before it goes to a file. */
  private static final long OVERFLOW_AFTER_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final long capacityBytes;
  private final Runnable onPressure;
  private final StoreLock lock;
  private final @Nullable Spill disk;

  // Guarded by the lock.
  private final ObjectTable table;
  private final CreateQueue queue = new CreateQueue();
  private long nextPressureNanos = System.nanoTime();
  private long nextSpillNanos = System.nanoTime();
  private boolean relieving;

  /** Why the last spill did not work; null when it did. */
  private @Nullable IOException diskProblem;

  Admission(
      long capacityBytes,
      Runnable onPressure,
      StoreLock lock,
      ObjectTable table,
      @Nullable Spill disk) {
    this.capacityBytes = capacityBytes;
    this.onPressure = onPressure;
    this.lock = lock;
    this.table = table;
    this.disk = disk;
  }

  /** Where the bytes of an object can be when there is no room for them in memory. */
  private enum Elsewhere {
    NOWHERE,
    /** In a file of its own, which may find no room either. */
    NEW_FILE,
    /** Where they are on disk already. */
    SPILL_FILE
  }

  /** Returns a new entry with its room, which can be written; waits for it until the deadline. */
  Entry await(ObjectId id, long sizeBytes, long deadlineNanos) throws InterruptedException {
    Elsewhere elsewhere = disk == null ? Elsewhere.NOWHERE : Elsewhere.NEW_FILE;
    while (true) {
      Entry entry = awaitMemory(id, sizeBytes, deadlineNanos, elsewhere);
      if (entry == null) {
        entry = overflow(id, sizeBytes, deadlineNanos);
        elsewhere = Elsewhere.NOWHERE;
      }
      if (entry != null && isBacked(entry)) {
        return entry;
      }
    }
  }

  /**
   * Returns a new entry with its room, to read back into it what is on disk.
   *
   * @return null when there is no room in time: it is to be read where it is
   */
  @Nullable Entry awaitToReadBack(ObjectId id, long sizeBytes, long deadlineNanos)
      throws InterruptedException {
    while (true) {
      Entry entry = awaitMemory(id, sizeBytes, deadlineNanos, Elsewhere.SPILL_FILE);
      if (entry == null || isBacked(entry)) {
        return entry;
      }
    }
  }

  /** Returns a new entry for what is mapped on disk; closes it when the store is closed. */
  Entry enter(ObjectId id, Overflow overflow) {
    lock.lock();
    try {
      if (table.isClosed()) {
        lock.later(overflow::close);
      }
      checkOpen();
      return table.create(id, overflow);
    } finally {
      lock.unlock();
    }
  }

  /** Returns a new entry with its room, or null when there is none at once. */
  @Nullable Entry tryAtOnce(ObjectId id, long sizeBytes) {
    Entry entry;
    lock.lock();
    try {
      check(id, sizeBytes);
      entry = admit(id, sizeBytes);
    } finally {
      lock.unlock();
    }
    return entry != null && isBacked(entry) ? entry : null;
  }

  /** Gives the room back when it cannot be written. */
  private boolean isBacked(Entry entry) {
    boolean backed = false;
    try {
      backed = table.back(entry);
      return backed;
    } finally {
      if (!backed) {
        lock.lock();
        try {
          table.abortUnbacked(entry);
          admitWaiting();
        } finally {
          lock.unlock();
        }
      }
    }
  }

  /** Returns an entry in memory; null when it is to be elsewhere. */
  private @Nullable Entry awaitMemory(
      ObjectId id, long sizeBytes, long deadlineNanos, Elsewhere elsewhere)
      throws InterruptedException {
    lock.lock();
    try {
      check(id, sizeBytes);
      if (sizeBytes > capacityBytes) {
        return null;
      }
      Entry entry = admit(id, sizeBytes);
      if (entry != null) {
        return entry;
      }
      Waiter waiter = new Waiter(id, sizeBytes, lock.newCondition());
      return awaitTurn(waiter, deadlineNanos, elsewhere);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Makes an entry in a file of its own.
   *
   * @return null when that does not work but there is time left to wait for memory
   */
  private @Nullable Entry overflow(ObjectId id, long sizeBytes, long deadlineNanos) {
    IOException problem = null;
    Overflow overflow = null;
    try {
      overflow = Objects.requireNonNull(disk, "overflow needs a disk").overflow(sizeBytes);
    } catch (IOException e) {
      problem = e;
    }
    if (overflow != null) {
      return enter(id, overflow);
    }
    lock.lock();
    try {
      if (sizeBytes > capacityBytes || deadlineNanos - System.nanoTime() <= 0) {
        throw full(sizeBytes, problem);
      }
      diskProblem = problem == null ? diskProblem : problem;
      return null;
    } finally {
      lock.unlock();
    }
  }

  private void checkOpen() {
    if (table.isClosed()) {
      throw new IllegalStateException("the object store is closed");
    }
  }

  private void check(ObjectId id, long sizeBytes) {
    Objects.requireNonNull(id, "id");
    checkOpen();
    if (sizeBytes < 0) {
      throw new IllegalArgumentException("negative size: " + sizeBytes);
    }
    if (sizeBytes > capacityBytes && disk == null) {
      throw full(sizeBytes, null);
    }
  }

  private StoreFullException full(long sizeBytes, @Nullable IOException problem) {
    String more = table.describeLimit() + (disk == null ? "" : disk.describe());
    return problem == null
        ? new StoreFullException(sizeBytes, stats(), more)
        : new OutOfDiskException(sizeBytes, stats(), more, problem);
  }

  /** Returns an entry with its room, or null when there is none or others wait for it. */
  private @Nullable Entry admit(ObjectId id, long sizeBytes) {
    return queue.isEmpty() ? table.create(id, sizeBytes) : null;
  }

  private @Nullable Entry awaitTurn(Waiter waiter, long deadlineNanos, Elsewhere elsewhere)
      throws InterruptedException {
    boolean returns = false;
    queue.add(waiter);
    try {
      while (waiter.granted == null) {
        checkOpen();
        long leftNanos = deadlineNanos - System.nanoTime();
        if (isTimeToGo(waiter, leftNanos, elsewhere)) {
          return null;
        }
        if (leftNanos <= 0) {
          throw full(waiter.sizeBytes, diskProblem);
        }
        boolean waitsForAll = elsewhere != Elsewhere.SPILL_FILE || queue.head() == waiter;
        waitOrMakeRoom(waiter, waitsForAll ? leftNanos : Math.min(leftNanos, OVERFLOW_AFTER_NANOS));
      }
      returns = true;
      return waiter.granted;
    } finally {
      if (!returns) {
        giveUp(waiter);
      }
    }
  }

  @SuppressWarnings("WaitNotInLoop") // The caller is the loop.
  private void waitOrMakeRoom(Waiter waiter, long leftNanos) throws InterruptedException {
    long pauseNanos = pressurePauseNanos(waiter);
    if (pauseNanos <= 0) {
      relievePressure(); // before anything is written to disk: it may be garbage
      return;
    }
    if (disk != null && spillPauseNanos(waiter) <= 0) {
      spill(disk, waiter.sizeBytes);
      return;
    }
    try {
      long nanos = Math.min(pauseNanos, spillPauseNanos(waiter));
      waiter.turn.awaitNanos(Math.min(leftNanos, nanos));
    } catch (InterruptedException e) {
      if (waiter.granted == null) {
        throw e;
      }
      // The caller has its room; its next wait is interrupted.
      Thread.currentThread().interrupt();
    }
  }

  private boolean isTimeToGo(Waiter waiter, long leftNanos, Elsewhere elsewhere) {
    long nowNanos = System.nanoTime();
    boolean isHead = queue.head() == waiter;
    boolean spillingHelps = isHead && nextSpillNanos - nowNanos <= 0;
    boolean hasWaited =
        nowNanos - waiter.sinceNanos >= Math.min(OVERFLOW_AFTER_NANOS, Math.max(leftNanos, 0));
    return switch (elsewhere) {
      case NOWHERE -> false;
      case NEW_FILE ->
          isHead
              && !spillingHelps
              && hasWaited
              && leftNanos > 0
              && Objects.requireNonNull(disk, "overflow needs a disk").hasQuota(waiter.sizeBytes);
      case SPILL_FILE -> hasWaited && (!spillingHelps || leftNanos <= 0);
    };
  }

  /**
   * Returns how long a waiter may wait before it has to relieve the pressure: that is up to the
   * head.
   */
  private long pressurePauseNanos(Waiter waiter) {
    if (queue.head() != waiter) {
      return Long.MAX_VALUE;
    }
    return relieving ? MIN_PRESSURE_PAUSE_NANOS : nextPressureNanos - System.nanoTime();
  }

  /** Returns how long a waiter may wait before it has to spill; also up to the head. */
  private long spillPauseNanos(Waiter waiter) {
    if (disk == null || queue.head() != waiter) {
      return Long.MAX_VALUE;
    }
    return relieving ? SPILL_PAUSE_NANOS : nextSpillNanos - System.nanoTime();
  }

  private void relievePressure() {
    long startNanos = System.nanoTime();
    relieving = true;
    lock.unlock();
    try {
      onPressure.run();
    } finally {
      lock.lock();
      relieving = false;
      long endNanos = System.nanoTime();
      long pauseNanos = PRESSURE_PAUSE_FACTOR * (endNanos - startNanos);
      nextPressureNanos = endNanos + Math.max(MIN_PRESSURE_PAUSE_NANOS, pauseNanos);
      admitWaiting();
    }
  }

  /** Writes one file of objects to disk, in the thread of the create that wants the room. */
  private void spill(Spill to, long neededBytes) {
    relieving = true;
    lock.unlock();
    boolean done = false;
    IOException problem = null;
    try {
      done = spillOnce(to, neededBytes);
    } catch (IOException e) {
      problem = e;
    } finally {
      lock.lock();
      relieving = false;
      if (done) {
        diskProblem = null;
      } else {
        diskProblem = problem == null ? diskProblem : problem;
        nextSpillNanos = System.nanoTime() + SPILL_PAUSE_NANOS;
      }
      admitWaiting();
      queue.wakeHead();
    }
  }

  /**
   * Writes what was unused for longest: less and less of it when the disk has no room for all.
   * Called without the lock.
   *
   * @return whether something was written
   */
  private boolean spillOnce(Spill to, long neededBytes) throws IOException {
    List<Entry> batch = takeForSpill(neededBytes);
    List<SpillPlace> places = null;
    try {
      while (!batch.isEmpty() && places == null) {
        try {
          places = write(to, batch);
        } catch (IOException e) {
          if (batch.size() == 1) {
            throw e;
          }
        }
        if (places == null) {
          int half = batch.size() / 2;
          endSpill(batch.subList(half, batch.size()), null);
          batch = batch.subList(0, half);
        }
      }
    } finally {
      endSpill(batch, places);
    }
    return places != null;
  }

  private @Nullable List<SpillPlace> write(Spill to, List<Entry> batch) throws IOException {
    List<MemorySegment> objects = batch.stream().map(entry -> entry.segment).toList();
    List<SpillPlace> places = to.write(objects);
    return places == null && releaseDisk() ? to.write(objects) : places;
  }

  private void endSpill(List<Entry> batch, @Nullable List<SpillPlace> places) {
    lock.lock();
    try {
      table.endSpill(batch, places);
    } finally {
      lock.unlock();
    }
  }

  private List<Entry> takeForSpill(long neededBytes) {
    lock.lock();
    try {
      return table.isClosed() ? List.of() : table.takeForSpill(neededBytes);
    } finally {
      lock.unlock();
    }
  }

  private boolean releaseDisk() {
    lock.lock();
    try {
      return table.releaseDisk();
    } finally {
      lock.unlock();
    }
  }

  private void giveUp(Waiter waiter) {
    if (waiter.granted != null) {
      table.abort(waiter.granted);
    } else {
      queue.remove(waiter);
    }
    admitWaiting();
  }

  /** Serves the queue from its head for as long as there is room. */
  private void admitWaiting() {
    while (!table.isClosed()) {
      Waiter head = queue.head();
      Entry entry = head == null ? null : table.create(head.id, head.sizeBytes);
      if (entry == null) {
        return;
      }
      queue.grantHead(entry);
    }
  }

  /** Something was sealed, unpinned or deleted: serves the queue, or lets its head spill again. */
  void roomMayHaveCome() {
    admitWaiting();
    Waiter head = queue.head();
    if (head != null && disk != null && diskProblem == null && table.hasSpillable()) {
      nextSpillNanos = System.nanoTime();
      head.turn.signal();
    }
  }

  /** The store is closed: ends all waiting. */
  void close() {
    queue.wakeAll();
  }

  StoreStats stats() {
    return table.stats(queue);
  }
}
