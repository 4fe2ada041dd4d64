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
import org.jspecify.annotations.Nullable;

/**
 * The objects of a store, their states and their room: every move drawn in {@link ObjectStore} is a
 * method here. Never waits. Not thread-safe; the store calls it under its lock.
 */
final class ObjectTable {
  private final long capacityBytes;
  private final StoreMemory.Source memorySource;

  /** Made with the first object, gone with the last one after the close. */
  private @Nullable ExtentPool pool;

  private final Map<ObjectId, Entry> sealed = new HashMap<>();

  /** Every entry that takes room: creating, sealed, deleted. */
  private final Set<Entry> live = new HashSet<>();

  private int creatingObjects;
  private int pinnedObjects;
  private long pinnedBytes;
  private int deletedObjects;
  private long deletedBytes;
  private boolean closed;

  ObjectTable(long capacityBytes, StoreMemory.Source memorySource) {
    this.capacityBytes = capacityBytes;
    this.memorySource = memorySource;
  }

  boolean isClosed() {
    return closed;
  }

  /** (nothing) to CREATING; null when there is no room. */
  @Nullable Entry create(ObjectId id, long sizeBytes) {
    Invariant.check(!closed, "a closed store has no room", id);
    if (pool == null) {
      pool = new ExtentPool(capacityBytes, memorySource);
    }
    Extent extent = pool.take(sizeBytes);
    if (extent == null) {
      return null;
    }
    Entry entry = new Entry(id, extent, pool.segment(extent, sizeBytes));
    live.add(entry);
    creatingObjects++;
    return entry;
  }

  /** CREATING to SEALED; to (nothing), and false, when the name is taken or the store is closed. */
  boolean seal(Entry entry) {
    if (closed || sealed.containsKey(entry.id)) {
      abort(entry);
      return false;
    }
    endCreating(entry);
    entry.state = ObjectInfo.State.SEALED;
    sealed.put(entry.id, entry);
    return true;
  }

  /** CREATING to (nothing). */
  void abort(Entry entry) {
    endCreating(entry);
    free(entry);
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
    Invariant.check(entry.state == ObjectInfo.State.SEALED, "what is pinned is sealed", entry);
    if (entry.pins++ == 0) {
      pinnedObjects++;
      pinnedBytes += entry.extent.bytes;
    }
  }

  /** DELETED to (nothing) with the last pin. */
  void unpin(Entry entry) {
    Invariant.check(entry.pins > 0, "a pin is released once", entry);
    if (--entry.pins == 0) {
      pinnedObjects--;
      pinnedBytes -= entry.extent.bytes;
      if (entry.state == ObjectInfo.State.DELETED) {
        deletedObjects--;
        deletedBytes -= entry.extent.bytes;
        free(entry);
      }
    }
  }

  /** SEALED to DELETED, or to (nothing) without pins; false when no sealed entry has this name. */
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
    closeMemoryWhenUnused();
  }

  private void forget(Entry entry) {
    if (entry.pins == 0) {
      free(entry);
    } else {
      entry.state = ObjectInfo.State.DELETED;
      deletedObjects++;
      deletedBytes += entry.extent.bytes;
    }
  }

  private void free(Entry entry) {
    Invariant.check(live.remove(entry), "room is given back once", entry);
    Objects.requireNonNull(pool, "what has room has it from the pool").giveBack(entry.extent);
    closeMemoryWhenUnused();
  }

  private void closeMemoryWhenUnused() {
    if (closed && live.isEmpty() && pool != null) {
      pool.close();
      pool = null;
    }
  }

  long trim() {
    return pool == null ? 0 : pool.trim();
  }

  List<ObjectInfo> objects() {
    List<ObjectInfo> objects = new ArrayList<>(live.size());
    live.forEach(entry -> objects.add(entry.info()));
    return objects;
  }

  StoreStats stats(CreateQueue queue) {
    return new StoreStats(
        capacityBytes,
        pool == null ? 0 : pool.usedBytes(),
        pinnedBytes,
        pinnedObjects,
        deletedBytes,
        deletedObjects,
        sealed.size(),
        creatingObjects,
        queue.count(),
        queue.bytes(),
        pool == null ? 0 : pool.warmBytes(),
        largestFreeBytes());
  }

  private long largestFreeBytes() {
    if (closed) {
      return 0;
    }
    return pool == null ? capacityBytes : Math.min(capacityBytes, pool.largestFreeBytes());
  }
}
