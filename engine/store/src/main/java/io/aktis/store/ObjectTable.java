package io.aktis.store;

import io.aktis.core.id.ObjectId;
import io.aktis.core.invariant.Invariant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a store, their states and their room: every move drawn in {@link ObjectStore} is a
 * method here. Never waits. Not thread-safe; the store calls it under its lock.
 */
final class ObjectTable {
  /** A spilled object of this size or more gets a file of its own; smaller ones share. */
  private static final long LARGE_BYTES = 16 << 20;

  private static final long MAX_BATCH_BYTES = 64 << 20;

  private final long capacityBytes;
  private final StoreMemory.Source memorySource;

  /** Takes what has to do with files and is to be done after the lock. */
  private final Consumer<Runnable> later;

  /**
   * Made with the first object, gone with the last one after the close. Volatile, because who has
   * an entry asks it to {@link #back} that without the lock.
   */
  private volatile @Nullable ExtentPool pool;

  private final Map<ObjectId, Entry> sealed = new HashMap<>();

  /** Every entry that is not gone: creating, sealed, spilled, deleted. */
  private final Set<Entry> live = new HashSet<>();

  // What may leave the memory: without more ado, the first two; after it was written, the third.
  private final IdleList idleCopies = new IdleList();
  private final IdleList idleOnDiskToo = new IdleList();
  private final IdleList idlePrimaries = new IdleList();

  private int creatingObjects;
  private int pinnedObjects;
  private long pinnedBytes;
  private int deletedObjects;
  private long deletedBytes;
  private int spilledObjects;
  private long spilledBytes;
  private int overflowObjects;
  private long overflowBytes;
  private boolean closed;

  ObjectTable(long capacityBytes, StoreMemory.Source memorySource, Consumer<Runnable> later) {
    this.capacityBytes = capacityBytes;
    this.memorySource = memorySource;
    this.later = later;
  }

  /** Reserves the memory before the first object. */
  void reserveMemory() {
    pool = new ExtentPool(capacityBytes, memorySource);
  }

  boolean isClosed() {
    return closed;
  }

  /** (nothing) to CREATING; null when there is no room even without what may be dropped. */
  @Nullable Entry create(ObjectId id, long sizeBytes) {
    Invariant.check(!closed, "a closed store has no room", id);
    ExtentPool memory = pool;
    if (memory == null) {
      reserveMemory();
      memory = memory();
    }
    Extent extent = memory.take(sizeBytes);
    while (extent == null && sizeBytes <= capacityBytes && dropIdle()) {
      extent = memory.take(sizeBytes);
    }
    if (extent == null) {
      return null;
    }
    return enter(new Entry(id, extent, null, memory.segment(extent, sizeBytes)));
  }

  /** (nothing) to CREATING, mapped on disk. */
  Entry create(ObjectId id, Overflow overflow) {
    Invariant.check(!closed, "a closed store has no room", id);
    overflowObjects++;
    overflowBytes += overflow.segment().byteSize();
    return enter(new Entry(id, null, overflow, overflow.segment()));
  }

  private Entry enter(Entry entry) {
    live.add(entry);
    creatingObjects++;
    return entry;
  }

  /**
   * Makes sure that a new entry can be written; called without the lock by who has the entry.
   *
   * @return false when the system has no memory for it, see {@link #abortUnbacked}
   */
  boolean back(Entry entry) {
    return entry.extent == null || memory().back(entry.extent);
  }

  /** CREATING to (nothing), for want of memory: asks for less for a while. */
  void abortUnbacked(Entry entry) {
    ExtentPool memory = memory();
    abort(entry);
    memory.shrink();
  }

  /** Drops the copy, or the object that is on disk too, unused for longest. */
  private boolean dropIdle() {
    Entry entry = idleCopies.first();
    if (entry != null) {
      sealed.remove(entry.id);
      free(entry);
      return true;
    }
    entry = idleOnDiskToo.first();
    if (entry != null) {
      evict(entry);
      return true;
    }
    return false;
  }

  /** SEALED to SPILLED. */
  private void evict(Entry entry) {
    idleOnDiskToo.remove(entry);
    entry.state = ObjectInfo.State.SPILLED;
    spilledObjects++;
    spilledBytes += entry.segment.byteSize();
    memory().giveBack(Objects.requireNonNull(entry.extent, "what is evicted is in memory"));
  }

  /** Returns whether there is something to write to disk. */
  boolean hasSpillable() {
    return idlePrimaries.first() != null;
  }

  /** Pins objects that are to be written to disk: those unused for longest. */
  List<Entry> takeForSpill(long neededBytes) {
    long wantedBytes = Math.min(MAX_BATCH_BYTES, Math.max(LARGE_BYTES, neededBytes));
    List<Entry> batch = new ArrayList<>();
    long bytes = 0;
    Entry next = idlePrimaries.first();
    while (next != null && bytes < wantedBytes) {
      boolean large = next.takenBytes() >= LARGE_BYTES;
      if (large && !batch.isEmpty()) {
        break;
      }
      pin(next);
      batch.add(next);
      bytes += next.takenBytes();
      next = large ? null : idlePrimaries.first();
    }
    return batch;
  }

  /** Unpins what was written, and evicts what nobody has pinned or deleted meanwhile. */
  void endSpill(List<Entry> batch, @Nullable List<SpillPlace> places) {
    for (int i = 0; i < batch.size(); i++) {
      Entry entry = batch.get(i);
      entry.place = places == null ? null : places.get(i);
      unpin(entry);
      if (entry.idleIn == idleOnDiskToo) {
        evict(entry);
      }
    }
  }

  /** Gives up the bytes on disk of objects that are in memory too; false if there are none. */
  boolean releaseDisk() {
    boolean released = false;
    for (Entry entry : live) {
      if (entry.state == ObjectInfo.State.SEALED && entry.extent != null && entry.place != null) {
        releasePlace(entry);
        released = true;
        if (entry.idleIn != null) {
          entry.idleIn.remove(entry);
          becomeIdle(entry);
        }
      }
    }
    return released;
  }

  private void releasePlace(Entry entry) {
    SpillPlace place = entry.place;
    if (place != null) {
      entry.place = null;
      later.accept(() -> place.file().spill.release(place.file()));
    }
  }

  /** CREATING to SEALED and pinned, under the name of a spilled entry, which goes. */
  void restore(Entry spilled, Entry entry) {
    Invariant.check(sealed.get(spilled.id) == spilled, "what is restored is there", spilled);
    endCreating(entry);
    entry.state = ObjectInfo.State.SEALED;
    takeOver(spilled, entry);
    pin(entry);
  }

  /** Puts an entry in the place of one for the same bytes, which goes. */
  private void takeOver(Entry before, Entry entry) {
    entry.copy = before.copy;
    entry.place = before.place;
    before.place = null;
    sealed.put(entry.id, entry);
    free(before);
  }

  /** SEALED to SPILLED, for what was mapped where it lies on disk. */
  private void unmap(Entry mapped) {
    Entry spilled = new Entry(mapped.id, null, null, mapped.segment);
    spilled.state = ObjectInfo.State.SPILLED;
    spilledObjects++;
    spilledBytes += spilled.segment.byteSize();
    live.add(spilled);
    takeOver(mapped, spilled);
  }

  /** CREATING to SEALED; as aborted, and false, when the name is taken or the store is closed. */
  boolean seal(Entry entry, boolean copy) {
    if (closed || sealed.containsKey(entry.id)) {
      abort(entry);
      return false;
    }
    endCreating(entry);
    entry.state = ObjectInfo.State.SEALED;
    entry.copy = copy;
    sealed.put(entry.id, entry);
    if (entry.pins == 0) {
      becomeIdle(entry);
    }
    return true;
  }

  /** CREATING to (nothing), or to DELETED while pins are out. */
  void abort(Entry entry) {
    endCreating(entry);
    forget(entry);
  }

  private void endCreating(Entry entry) {
    Invariant.check(entry.state == ObjectInfo.State.CREATING, "a creation ends once", entry);
    creatingObjects--;
  }

  /** Returns the sealed entry of this name. */
  @Nullable Entry find(ObjectId id) {
    return sealed.get(id);
  }

  void pin(Entry entry) {
    Invariant.check(
        entry.state == ObjectInfo.State.SEALED || entry.state == ObjectInfo.State.CREATING,
        "what is pinned is in memory and has a future",
        entry);
    if (entry.pins++ == 0) {
      if (entry.idleIn != null) {
        entry.idleIn.remove(entry);
      }
      pinnedObjects++;
      pinnedBytes += entry.takenBytes();
    }
  }

  /** DELETED to (nothing) with the last pin. */
  void unpin(Entry entry) {
    Invariant.check(entry.pins > 0, "a pin is released once", entry);
    if (--entry.pins == 0) {
      pinnedObjects--;
      pinnedBytes -= entry.takenBytes();
      if (entry.state == ObjectInfo.State.DELETED) {
        deletedObjects--;
        deletedBytes -= entry.takenBytes();
        free(entry);
      } else if (entry.state == ObjectInfo.State.SEALED) {
        becomeIdle(entry);
      }
    }
  }

  private void becomeIdle(Entry entry) {
    if (entry.extent == null) { // it is not in the way of anything
      if (entry.place != null) {
        unmap(entry); // next time there may be room
      }
      return;
    }
    if (entry.copy) {
      idleCopies.addLast(entry);
    } else if (entry.place != null) {
      idleOnDiskToo.addLast(entry);
    } else {
      idlePrimaries.addLast(entry);
    }
  }

  /**
   * SEALED or SPILLED to DELETED, or to (nothing) without pins; false when no sealed entry has this
   * name.
   */
  boolean delete(ObjectId id) {
    Entry entry = sealed.remove(id);
    if (entry == null) {
      return false;
    }
    forget(entry);
    return true;
  }

  /** Deletes all that is sealed; the memory goes back with the last entry. */
  void close() {
    closed = true;
    List<Entry> forgotten = List.copyOf(sealed.values());
    sealed.clear();
    forgotten.forEach(this::forget);
    ExtentPool memory = pool;
    if (memory != null) {
      later.accept(memory::retire);
    }
    closeMemoryWhenUnused();
  }

  private void forget(Entry entry) {
    if (entry.pins == 0) {
      free(entry);
    } else {
      entry.state = ObjectInfo.State.DELETED;
      deletedObjects++;
      deletedBytes += entry.takenBytes();
    }
  }

  private void free(Entry entry) {
    Invariant.check(live.remove(entry), "room is given back once", entry);
    if (entry.idleIn != null) {
      entry.idleIn.remove(entry);
    }
    if (entry.state == ObjectInfo.State.SPILLED) {
      spilledObjects--;
      spilledBytes -= entry.segment.byteSize();
    } else if (entry.extent != null) {
      memory().giveBack(entry.extent);
    }
    if (entry.overflow != null) {
      overflowObjects--;
      overflowBytes -= entry.segment.byteSize();
      later.accept(entry.overflow::close);
    }
    releasePlace(entry);
    closeMemoryWhenUnused();
  }

  private ExtentPool memory() {
    return Objects.requireNonNull(pool, "what has room has it from the pool");
  }

  private void closeMemoryWhenUnused() {
    ExtentPool memory = pool;
    if (closed && live.isEmpty() && memory != null) {
      memory.close();
      pool = null;
    }
  }

  long trim() {
    ExtentPool memory = pool;
    return memory == null ? 0 : memory.trim();
  }

  List<ObjectInfo> objects() {
    List<ObjectInfo> objects = new ArrayList<>(live.size());
    live.forEach(entry -> objects.add(entry.info()));
    return objects;
  }

  /** Tells in words when the memory is less than what was asked for; else says nothing. */
  String describeLimit() {
    ExtentPool memory = pool;
    return memory == null || memory.limitBytes() >= capacityBytes
        ? ""
        : "; the system has memory for " + Bytes.inWords(memory.limitBytes()) + " only";
  }

  StoreStats stats(CreateQueue queue) {
    ExtentPool memory = pool;
    return new StoreStats(
        capacityBytes,
        memory == null ? 0 : memory.usedBytes(),
        pinnedBytes,
        pinnedObjects,
        deletedBytes,
        deletedObjects,
        sealed.size(),
        creatingObjects,
        queue.count(),
        queue.bytes(),
        memory == null ? 0 : memory.warmBytes(),
        largestFreeBytes(memory),
        spilledBytes,
        spilledObjects,
        overflowBytes,
        overflowObjects);
  }

  private long largestFreeBytes(@Nullable ExtentPool memory) {
    if (closed) {
      return 0;
    }
    return memory == null ? capacityBytes : Math.min(capacityBytes, memory.largestFreeBytes());
  }
}
