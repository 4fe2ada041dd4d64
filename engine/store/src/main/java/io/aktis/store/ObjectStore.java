package io.aktis.store;

import io.aktis.core.id.ObjectId;
import io.aktis.store.CreateQueue.Waiter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The object store of one node: large immutable values in memory outside of the Java heap, which
 * readers see without a copy. Thread-safe; every method may be called from any thread, virtual ones
 * included. Whoever opened the store closes it.
 *
 * <h2>The life of an object</h2>
 *
 * <pre>
 *             create              seal              delete, no pins
 *  (nothing) --------> CREATING --------> SEALED -------------------> (nothing)
 *                         |                 |                             ^
 *                         | abort           | delete, pins are out        |
 *                         v                 v                             |
 *                     (nothing)          DELETED -------------------------+
 *                                                   last pin closed
 * </pre>
 *
 * <ul>
 *   <li>CREATING: has its memory and one writer. It is not known by its name yet, so two attempts
 *       to make the same object do not disturb each other: the first to seal wins, the second is
 *       dropped.
 *   <li>SEALED: immutable, known by its name. Only now can it be pinned; a pin is a promise that
 *       the bytes stay where they are.
 *   <li>DELETED: forgotten by name, so that the name may be sealed again, while pins keep the
 *       bytes. With the last pin the memory is free for the next object, still warm.
 * </ul>
 *
 * <h2>Pins and views</h2>
 *
 * A {@link Pin} is closed by its holder: the engine uses it wherever it knows the end. A
 * {@linkplain #view view} is a pin for code that does not: it ends when the garbage collector finds
 * that nobody can reach the segment, or a slice or buffer made from it. Views are safe in any
 * hands; a segment of a pin or a creation must not be used after its end, because the memory may
 * then hold another object.
 *
 * <h2>Room</h2>
 *
 * An object is admitted when its bytes and those of all others stay within the capacity. Otherwise
 * the create waits, first come, first served, without regard to size, until enough objects are
 * gone; {@link StoreFullException} ends the wait at the deadline. The create at the head of the
 * queue runs {@code onPressure} now and then, because what fills the store may be garbage that the
 * collector has not looked for: a JVM with much free heap rarely collects, however full this store
 * is.
 *
 * <h2>Threads and memory order</h2>
 *
 * One lock guards everything but the bytes. It is held for table and allocator work only: never
 * while bytes are copied, while a create waits, or while {@code onPressure} runs. No other lock is
 * taken under it. Two calls of the system can happen under it: reserving addresses for the first
 * object, and giving warm memory back when the used addresses are ragged ({@link ExtentPool}).
 *
 * <p>Seal publishes: what the writer wrote before {@code seal()}, in plain memory operations, is
 * visible to every reader that got its pin or view afterwards, since both pass through the lock.
 * Likewise, what a reader read before it closed its pin was read before the memory was handed to
 * the next writer; the same holds for a view, where the collector stands in for the close.
 *
 * <h2>Close</h2>
 *
 * Closing fails the creates that wait, refuses new work and forgets all objects. The memory goes
 * back to the system with the last creation, pin and view; until then they stay valid.
 */
public final class ObjectStore implements AutoCloseable {
  private static final long MIN_PRESSURE_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** A tenth of the time, at most, goes into relieving pressure. */
  private static final int PRESSURE_PAUSE_FACTOR = 9;

  private final StoreConfig config;
  private final Runnable onPressure;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private final ObjectTable table;
  private final CreateQueue queue = new CreateQueue();
  private long nextPressureNanos = System.nanoTime();
  private boolean relieving;

  ObjectStore(StoreConfig config, Runnable onPressure, StoreMemory.Source memorySource) {
    this.config = Objects.requireNonNull(config, "config");
    this.onPressure = Objects.requireNonNull(onPressure, "onPressure");
    this.table = new ObjectTable(config.capacityBytes(), memorySource);
  }

  /** Opens a store whose creates ask for a garbage collection when they have to wait. */
  public static ObjectStore open(StoreConfig config) {
    return open(config, System::gc);
  }

  /**
   * Opens a store. This costs next to nothing; the memory is reserved with the first object.
   *
   * @param onPressure what may make room: run in the thread of a create that waits, by one at a
   *     time and for a tenth of the time at most, without any lock, so it may call the store. What
   *     it throws ends the create. A create may miss its deadline by the time it takes.
   */
  public static ObjectStore open(StoreConfig config, Runnable onPressure) {
    return new ObjectStore(config, onPressure, StoreMemory::reserve);
  }

  /**
   * Creates an object; waits for room up to the timeout of the {@link StoreConfig}.
   *
   * @see #create(ObjectId, long, long)
   */
  public Creation create(ObjectId id, long sizeBytes) throws InterruptedException {
    return create(id, sizeBytes, System.nanoTime() + config.createTimeout().toNanos());
  }

  /**
   * Creates an object; waits for room until the deadline.
   *
   * @param sizeBytes its exact size, 0 or more
   * @param deadlineNanos on the clock of {@link System#nanoTime}; one that has passed means not to
   *     wait
   * @throws StoreFullException at the deadline, and at once when the object is larger than the
   *     store
   * @throws IllegalStateException when the store is closed, also while this create waits
   * @throws InterruptedException when the thread is interrupted while this create waits
   */
  public Creation create(ObjectId id, long sizeBytes, long deadlineNanos)
      throws InterruptedException {
    lock.lock();
    try {
      checkCreate(id, sizeBytes);
      Entry entry = admit(id, sizeBytes);
      if (entry == null) {
        entry = awaitRoom(new Waiter(id, sizeBytes, lock.newCondition()), deadlineNanos);
      }
      return new Creation(this, entry);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Creates an object if there is room and no other create waits for it.
   *
   * @param sizeBytes its exact size, 0 or more
   * @return the creation, or null when there is no room now
   * @throws StoreFullException when the object is larger than the store
   * @throws IllegalStateException when the store is closed
   */
  public @Nullable Creation tryCreate(ObjectId id, long sizeBytes) {
    lock.lock();
    try {
      checkCreate(id, sizeBytes);
      Entry entry = admit(id, sizeBytes);
      return entry == null ? null : new Creation(this, entry);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Pins a sealed object.
   *
   * @return the pin, which the caller closes, or null when no sealed object has this name
   * @throws IllegalStateException when the store is closed
   */
  public @Nullable Pin pin(ObjectId id) {
    lock.lock();
    try {
      checkOpen();
      Entry entry = table.find(id);
      if (entry == null) {
        return null;
      }
      table.pin(entry);
      return new Pin(this, entry);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the bytes of a sealed object, read-only. They stay for as long as the segment, or any
   * slice or buffer made from it, is reachable.
   *
   * @return the bytes, or null when no sealed object has this name
   * @throws IllegalStateException when the store is closed
   */
  public @Nullable MemorySegment view(ObjectId id) {
    Entry entry;
    lock.lock();
    try {
      checkOpen();
      entry = table.find(id);
      if (entry == null) {
        return null;
      }
      table.pin(entry);
      entry.views++;
    } finally {
      lock.unlock();
    }
    return unpinnedByCollector(entry);
  }

  @SuppressWarnings("restricted") // The launcher and the manifest enable native access.
  private MemorySegment unpinnedByCollector(Entry entry) {
    boolean made = false;
    try {
      MemorySegment view =
          entry.segment.reinterpret(Arena.ofAuto(), segment -> unpinView(entry)).asReadOnly();
      made = true;
      return view;
    } finally {
      if (!made) {
        unpinView(entry);
      }
    }
  }

  /**
   * Forgets a sealed object; its memory is free when its last pin and view are gone. An object that
   * is being written is not affected.
   *
   * @return whether there was a sealed object of this name
   */
  public boolean delete(ObjectId id) {
    lock.lock();
    try {
      boolean known = table.delete(id);
      admitWaiting();
      return known;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the figures of this moment. */
  public StoreStats stats() {
    lock.lock();
    try {
      return table.stats(queue);
    } finally {
      lock.unlock();
    }
  }

  /** Returns all objects that take room, in no order. For reports: it costs O(n) under the lock. */
  public List<ObjectInfo> objects() {
    lock.lock();
    try {
      return table.objects();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Gives the memory that is kept warm for the next objects back to the operating system. For a
   * store that will be idle: the next objects are written slower.
   *
   * @return the bytes given back
   */
  public long trim() {
    lock.lock();
    try {
      return table.trim();
    } finally {
      lock.unlock();
    }
  }

  /** Closes the store; told above. Closing again does nothing. */
  @Override
  public void close() {
    lock.lock();
    try {
      table.close();
      queue.wakeAll();
    } finally {
      lock.unlock();
    }
  }

  /** Called by a creation, once. */
  boolean seal(Entry entry) {
    lock.lock();
    try {
      boolean seen = table.seal(entry);
      checkOpen();
      if (!seen) {
        admitWaiting();
      }
      return seen;
    } finally {
      lock.unlock();
    }
  }

  /** Called by a creation, once. */
  void abort(Entry entry) {
    lock.lock();
    try {
      table.abort(entry);
      admitWaiting();
    } finally {
      lock.unlock();
    }
  }

  /** Called by a pin, once. */
  void unpin(Entry entry) {
    lock.lock();
    try {
      table.unpin(entry);
      admitWaiting();
    } finally {
      lock.unlock();
    }
  }

  /** Called for a view, once, in the JDK's cleaner thread. */
  private void unpinView(Entry entry) {
    lock.lock();
    try {
      entry.views--;
      table.unpin(entry);
      admitWaiting();
    } finally {
      lock.unlock();
    }
  }

  // All below is called under the lock.

  private void checkOpen() {
    if (table.isClosed()) {
      throw new IllegalStateException("the object store is closed");
    }
  }

  private void checkCreate(ObjectId id, long sizeBytes) {
    Objects.requireNonNull(id, "id");
    checkOpen();
    if (sizeBytes < 0) {
      throw new IllegalArgumentException("negative size: " + sizeBytes);
    }
    if (sizeBytes > config.capacityBytes()) {
      throw new StoreFullException(sizeBytes, stats());
    }
  }

  /** Returns an entry with its room, or null when there is none or others wait for it. */
  private @Nullable Entry admit(ObjectId id, long sizeBytes) {
    return queue.isEmpty() ? table.create(id, sizeBytes) : null;
  }

  private Entry awaitRoom(Waiter waiter, long deadlineNanos) throws InterruptedException {
    boolean returns = false;
    queue.add(waiter);
    try {
      while (waiter.granted == null) {
        checkOpen();
        long leftNanos = deadlineNanos - System.nanoTime();
        if (leftNanos <= 0) {
          throw new StoreFullException(waiter.sizeBytes, stats());
        }
        long pauseNanos = pressurePauseNanos(waiter);
        if (pauseNanos <= 0) {
          relievePressure();
          continue;
        }
        try {
          waiter.turn.awaitNanos(Math.min(leftNanos, pauseNanos));
        } catch (InterruptedException e) {
          if (waiter.granted == null) {
            throw e;
          }
          // The caller has its room; its next wait is interrupted.
          Thread.currentThread().interrupt();
        }
      }
      returns = true;
      return waiter.granted;
    } finally {
      if (!returns) {
        giveUp(waiter);
      }
    }
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
}
