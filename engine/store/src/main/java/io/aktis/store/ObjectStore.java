package io.aktis.store;

import io.aktis.core.id.ObjectId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
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
 *                       |    |              |                             ^
 *     abort, no pins    |    | abort,       | delete, pins are out        |
 *                       v    | pins are out v                             |
 *                   (nothing) `--------> DELETED -------------------------+
 *                                                   last pin closed
 * </pre>
 *
 * <ul>
 *   <li>CREATING: has its memory and one writer. It is not known by its name yet, so two attempts
 *       to make the same object do not disturb each other: the first to seal wins, the second is
 *       dropped. A pin of its creation lets others read what is written already.
 *   <li>SEALED: immutable, known by its name. Only now can it be pinned by that; a pin is a promise
 *       that the bytes stay where they are.
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
 * <h2>On disk</h2>
 *
 * A store can have a place on disk, see {@link SpillConfig}. A sealed object that nobody has pinned
 * may then be SPILLED: it is known by its name, its memory belongs to others, and a pin or view
 * reads it back.
 *
 * <pre>
 *            written, memory taken away
 *   SEALED -----------------------------> SPILLED ------> (nothing)
 *          <-----------------------------         delete
 *            pin or view: read back
 * </pre>
 *
 * The create at the head of the queue makes its room in this order: it drops copies, that is,
 * objects which another node keeps; it drops from memory what is on disk as well, because it was
 * read back; it writes the objects unused for longest to disk, small ones together in one file; and
 * when that does not help, because the rest is pinned, it takes a file of its own and maps it. What
 * is read back stays on disk too, so that dropping it again costs nothing, until the quota needs
 * the room. What finds no room to be read back into within half a second is mapped where it lies on
 * disk, until its last pin and view are gone: what is on disk can always be read.
 *
 * <h2>Room</h2>
 *
 * An object is admitted when its bytes and those of all others stay within the capacity. Otherwise
 * the create waits, first come, first served, without regard to size, until enough objects are
 * gone; {@link StoreFullException} ends the wait at the deadline. The create at the head of the
 * queue runs {@code onPressure} now and then, the first time before anything is written to disk,
 * because what fills the store may be garbage that the collector has not looked for: a JVM with
 * much free heap rarely collects, however full this store is.
 *
 * <h2>Threads and memory order</h2>
 *
 * One lock guards everything but the bytes. It is held for table and allocator work only: never
 * while bytes are copied, written to disk or read from it, while files are deleted, while a create
 * waits, or while {@code onPressure} runs. No other lock is taken under it, but for those of the
 * books of files and blocks, which are held for a moment. Two calls of the system can happen under
 * it: reserving addresses for the first object, and giving warm memory back when the used addresses
 * are ragged ({@link ExtentPool}).
 *
 * <p>Seal publishes: what the writer wrote before {@code seal()}, in plain memory operations, is
 * visible to every reader that got its pin or view afterwards, since both pass through the lock.
 * Likewise, what a reader read before it closed its pin was read before the memory was handed to
 * the next writer; the same holds for a view, where the collector stands in for the close.
 *
 * <h2>Close</h2>
 *
 * Closing fails the creates that wait, refuses new work and forgets all objects; files lose their
 * names at once. The memory goes back to the system with the last creation, pin and view; until
 * then they stay valid.
 */
public final class ObjectStore implements AutoCloseable {
  private final StoreConfig config;
  private final StoreLock lock = new StoreLock();
  private final @Nullable Spill disk;

  // Guarded by the lock.
  private final ObjectTable table;
  private final Admission admission;

  /** Signalled when a restore ends, and at the close. */
  private final Condition restored = lock.newCondition();

  ObjectStore(StoreConfig config, Runnable onPressure, StoreMemory.Source memorySource) {
    this(config, onPressure, memorySource, null);
  }

  ObjectStore(
      StoreConfig config,
      Runnable onPressure,
      StoreMemory.Source memorySource,
      @Nullable Spill disk) {
    this.config = Objects.requireNonNull(config, "config");
    Objects.requireNonNull(onPressure, "onPressure");
    this.disk = disk;
    this.table = new ObjectTable(config.capacityBytes(), memorySource, lock::later);
    this.admission = new Admission(config.capacityBytes(), onPressure, lock, table, disk);
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
   * Opens a store whose memory is a file that other processes map, see {@link SharedMemoryView}.
   * The file is made here, for its user alone, and removed with the close.
   *
   * @param onPressure as above
   * @param memoryFile does not exist; {@link StoreLocation} helps to find a place for it
   * @param spill where objects go for which there is no room; null for nowhere
   * @throws IOException when the file exists or cannot be made or mapped, and when the spill
   *     directory cannot be written
   */
  public static ObjectStore open(
      StoreConfig config, Runnable onPressure, Path memoryFile, @Nullable SpillConfig spill)
      throws IOException {
    Spill disk = spill == null ? null : Spill.open(spill);
    boolean made = false;
    try {
      StoreMemory memory = SharedFileMemory.create(memoryFile, config.capacityBytes());
      ObjectStore store = new ObjectStore(config, onPressure, capacity -> memory, disk);
      store.table.reserveMemory();
      made = true;
      return store;
    } finally {
      if (!made && disk != null) {
        disk.close();
      }
    }
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
   * Creates an object; waits for room until the deadline. One that is larger than the memory goes
   * to a file of its own, if the store has a place on disk.
   *
   * @param sizeBytes its exact size, 0 or more
   * @param deadlineNanos on the clock of {@link System#nanoTime}; one that has passed means not to
   *     wait
   * @throws StoreFullException at the deadline, and at once when the object is larger than the
   *     store; {@link OutOfDiskException} when the disk is the reason
   * @throws IllegalStateException when the store is closed, also while this create waits
   * @throws InterruptedException when the thread is interrupted while this create waits
   */
  public Creation create(ObjectId id, long sizeBytes, long deadlineNanos)
      throws InterruptedException {
    return new Creation(this, admission.await(id, sizeBytes, deadlineNanos));
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
    Entry entry = admission.tryAtOnce(id, sizeBytes);
    return entry == null ? null : new Creation(this, entry);
  }

  /**
   * Pins a sealed object; one that is on disk is read back, which waits for room as a create does,
   * but for half a second at most. An interrupt does not end the wait.
   *
   * @return the pin, which the caller closes, or null when no sealed object has this name
   * @throws UncheckedIOException when the disk does not give it back: the object is lost then
   * @throws IllegalStateException when the store is closed
   */
  public @Nullable Pin pin(ObjectId id) {
    Entry entry = pinEntry(id);
    return entry == null ? null : new Pin(this, entry);
  }

  /**
   * Pins a sealed object if it can be read at once. Never waits.
   *
   * @return the pin, which the caller closes, or null when no sealed object has this name or it is
   *     on disk
   * @throws IllegalStateException when the store is closed
   */
  public @Nullable Pin tryPin(ObjectId id) {
    lock.lock();
    try {
      checkOpen();
      Entry entry = table.find(id);
      if (entry == null || entry.state == ObjectInfo.State.SPILLED) {
        return null;
      }
      table.pin(entry);
      return new Pin(this, entry);
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether a sealed object has this name, in memory or on disk. Never waits. */
  public boolean contains(ObjectId id) {
    lock.lock();
    try {
      return table.find(id) != null;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the bytes of a sealed object, read-only. They stay for as long as the segment, or any
   * slice or buffer made from it, is reachable. One that is on disk is read back, as by {@link
   * #pin}.
   *
   * @return the bytes, or null when no sealed object has this name
   * @throws UncheckedIOException as {@link #pin} does
   * @throws IllegalStateException when the store is closed
   */
  public @Nullable MemorySegment view(ObjectId id) {
    Pin pin = pin(id);
    return pin == null ? null : pin.keep();
  }

  private @Nullable Entry pinEntry(ObjectId id) {
    while (true) {
      Entry spilled;
      SpillPlace place;
      lock.lock();
      try {
        checkOpen();
        Entry entry = table.find(id);
        if (entry == null) {
          return null;
        }
        if (entry.state != ObjectInfo.State.SPILLED) {
          table.pin(entry);
          return entry;
        }
        if (entry.restoring) {
          restored.awaitUninterruptibly();
          continue;
        }
        entry.restoring = true;
        spilled = entry;
        place = Objects.requireNonNull(entry.place, "what is spilled has a place on disk");
      } finally {
        lock.unlock();
      }
      Entry entry = restore(spilled, place);
      if (entry != null) {
        return entry;
      }
    }
  }

  /** Reads a spilled entry back, or maps it, and pins it; null when it was deleted meanwhile. */
  private @Nullable Entry restore(Entry spilled, SpillPlace place) {
    Entry room = null;
    IOException problem = null;
    boolean read = false;
    boolean pinned = false;
    try {
      room = awaitRoomUninterruptibly(spilled.id, spilled.segment.byteSize());
      if (room == null) {
        room =
            admission.enter(spilled.id, place.file().spill.map(place, spilled.segment.byteSize()));
      } else {
        place.file().spill.read(place, room.segment);
      }
      read = true;
    } catch (IOException e) {
      problem = e;
    } finally {
      lock.lock();
      try {
        spilled.restoring = false;
        restored.signalAll();
        boolean wanted = table.find(spilled.id) == spilled;
        pinned = wanted && read && room != null;
        if (pinned && room != null) {
          table.restore(spilled, room);
        } else if (room != null) {
          table.abort(room);
        }
        if (wanted && problem != null) {
          table.delete(spilled.id);
        }
        problem = wanted ? problem : null; // that a deleted object cannot be read is no problem
        admission.roomMayHaveCome();
      } finally {
        lock.unlock();
      }
    }
    if (problem != null) {
      throw new UncheckedIOException(spilled.id + " is lost: " + problem.getMessage(), problem);
    }
    return pinned ? room : null;
  }

  private @Nullable Entry awaitRoomUninterruptibly(ObjectId id, long sizeBytes) {
    long deadlineNanos = System.nanoTime() + config.createTimeout().toNanos();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return admission.awaitToReadBack(id, sizeBytes, deadlineNanos);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Leaves it to the collector to unpin an entry that is pinned. */
  MemorySegment keep(Entry entry) {
    lock.lock();
    try {
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
      admission.roomMayHaveCome();
      return known;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the figures of this moment. */
  public StoreStats stats() {
    lock.lock();
    try {
      return admission.stats();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns all objects that take room or are on disk, in no order. For reports: it costs O(n)
   * under the lock.
   */
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
      admission.close();
      restored.signalAll();
    } finally {
      lock.unlock();
    }
    if (disk != null) {
      disk.close();
    }
  }

  /** Called by a creation, once. */
  boolean seal(Entry entry) {
    lock.lock();
    try {
      boolean seen = table.seal(entry, false);
      checkOpen();
      admission.roomMayHaveCome();
      return seen;
    } finally {
      lock.unlock();
    }
  }

  /** Called by a creation, once. */
  @Nullable Pin sealCopy(Entry entry) {
    lock.lock();
    try {
      table.seal(entry, true);
      checkOpen();
      Pin pin = tryPin(entry.id);
      admission.roomMayHaveCome();
      return pin;
    } finally {
      lock.unlock();
    }
  }

  /** Called by a creation, any number of times. */
  Pin pinCreating(Entry entry) {
    lock.lock();
    try {
      if (entry.state != ObjectInfo.State.CREATING) {
        throw new IllegalStateException("already sealed or aborted: " + entry.id);
      }
      table.pin(entry);
      return new Pin(this, entry);
    } finally {
      lock.unlock();
    }
  }

  /** Called by a creation, once. */
  void abort(Entry entry) {
    lock.lock();
    try {
      table.abort(entry);
      admission.roomMayHaveCome();
    } finally {
      lock.unlock();
    }
  }

  /** Called by a pin, once. */
  void unpin(Entry entry) {
    lock.lock();
    try {
      table.unpin(entry);
      admission.roomMayHaveCome();
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
      admission.roomMayHaveCome();
    } finally {
      lock.unlock();
    }
  }

  private void checkOpen() {
    if (table.isClosed()) {
      throw new IllegalStateException("the object store is closed");
    }
  }
}
