package io.aktis.store;

import io.aktis.core.invariant.Invariant;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a store: admission by bytes, places by {@link FreeSpace}, warmth by {@link
 * Granules}, and the {@link StoreMemory} itself. Not thread-safe; the store calls it under its
 * lock.
 *
 * <h2>Where memory comes from and when it goes back</h2>
 *
 * The first write to a page of fresh memory costs up to 40 times what a write to warm memory costs,
 * so memory that was freed is used again, and kept for that. It is one range of addresses, twice as
 * long as the capacity, of which at first nothing is backed by memory:
 *
 * <pre>
 *  0                                          capacity                                2 x capacity
 *  |#### used ####|.. free, warm ..|## used ##|          free, cold: addresses only             |
 *  |     granule     |     granule     |     granule     |     granule     |     granule        |
 * </pre>
 *
 * <ul>
 *   <li>An extent is admitted exactly when its bytes and the used bytes stay within the capacity.
 *       Holes of the wrong length do not matter: there are addresses enough to place it behind
 *       them.
 *   <li>When a place in the cold part would make the warm bytes exceed the capacity, as many warm
 *       bytes without a live one are given back to the system. So the store holds no more memory
 *       than its capacity, but for granules that are part of a hole and kept by a live byte beside
 *       it.
 *   <li>Memory that is part of a file is backed by blocks of its file system, granule by granule,
 *       before it is handed out. A file system without room for more makes the pool {@linkplain
 *       #shrink shrink} to what it has; a second later it tries to grow again.
 *   <li>Otherwise memory is given back by {@link #trim} and {@link #close} only.
 * </ul>
 *
 * The road not taken is a list of arenas: an object cannot span two, so with arenas of 64 MiB a
 * store of 500 MB takes seven objects of 50 MB, not ten, and one small object keeps a whole arena.
 */
final class ExtentPool {
  /** Every extent starts at a multiple of this: a cache line, and what Arrow asks for. */
  static final int ALIGNMENT_BYTES = 64;

  /** The unit in which memory is counted and given back: a huge page. */
  static final int GRANULE_BYTES = 2 << 20;

  private static final long GROW_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final long capacityBytes;
  private final StoreMemory memory;
  private final FreeSpace space;
  private final Granules granules;
  private long usedBytes;

  /** At most the capacity; less while the file system behind the memory has no more room. */
  private long limitBytes;

  private long growAgainNanos;

  /** Reserves the addresses. */
  ExtentPool(long capacityBytes, StoreMemory.Source source) {
    this.capacityBytes = alignUp(capacityBytes, ALIGNMENT_BYTES);
    this.memory = source.reserve(this.capacityBytes);
    long addressBytes = memory.segment().byteSize();
    this.space = new FreeSpace(addressBytes);
    this.granules = new Granules(addressBytes, GRANULE_BYTES);
    this.limitBytes = this.capacityBytes;
  }

  /** Returns an extent of at least {@code sizeBytes}, or null when there is no room. */
  @Nullable Extent take(long sizeBytes) {
    if (sizeBytes > capacityBytes) {
      return null;
    }
    if (limitBytes < capacityBytes && System.nanoTime() - growAgainNanos > 0) {
      limitBytes = capacityBytes;
    }
    long bytes = alignUp(Math.max(sizeBytes, 1), ALIGNMENT_BYTES);
    Extent extent = bytes > limitBytes - usedBytes ? null : space.take(bytes);
    if (extent != null) {
      usedBytes += bytes;
      granules.occupy(extent);
      coolDownToCapacity();
    }
    return extent;
  }

  /** Takes an extent back; its memory stays warm for the next one. */
  void giveBack(Extent extent) {
    usedBytes -= extent.bytes;
    granules.vacate(extent);
    space.giveBack(extent);
    coolDownToCapacity();
  }

  /**
   * Makes sure that an extent can be written. Thread-safe, other than the rest, and to be called
   * without the lock: it may take long.
   *
   * @return false when the system has no memory for it: {@link #shrink} after giving it back
   */
  boolean back(Extent extent) {
    return memory.back(extent.offset, extent.bytes);
  }

  /**
   * For a while, does with the memory that it has got. Each call leaves less to take, so that who
   * tries again and again comes to an end.
   */
  void shrink() {
    long backed = Math.min(limitBytes - GRANULE_BYTES, memory.backedBytes());
    limitBytes = Math.max(usedBytes, backed);
    growAgainNanos = System.nanoTime() + GROW_AGAIN_NANOS;
    coolDownToCapacity();
  }

  /** Removes the name of the memory. Thread-safe. */
  void retire() {
    memory.retire();
  }

  /** Returns the first {@code sizeBytes} of an extent. */
  MemorySegment segment(Extent extent, long sizeBytes) {
    return memory.segment().asSlice(extent.offset, sizeBytes);
  }

  /** Gives all warm memory without a live byte back to the system and returns how much that is. */
  long trim() {
    return coolDown(granules.warmBytes());
  }

  private void coolDownToCapacity() {
    coolDown(granules.warmBytes() - alignUp(limitBytes, GRANULE_BYTES));
  }

  private long coolDown(long bytes) {
    return bytes <= 0 ? 0 : granules.coolDown(bytes, memory::discard);
  }

  /** Returns what the used bytes may come to now: at most the capacity. */
  long limitBytes() {
    return limitBytes;
  }

  /** Returns the bytes in use, each extent rounded up to the alignment. */
  long usedBytes() {
    return usedBytes;
  }

  /** Returns the memory taken from the system, in whole granules. */
  long warmBytes() {
    return granules.warmBytes();
  }

  /** Returns the size of the largest extent that {@link #take} would give now. */
  long largestFreeBytes() {
    return Math.min(space.largestFreeBytes(), limitBytes - usedBytes);
  }

  /** Gives everything back to the system; only when no extent is in use. */
  void close() {
    Invariant.check(usedBytes == 0, "the memory of a store goes after its objects");
    memory.close();
  }

  static long alignUp(long value, long alignment) {
    return (value + alignment - 1) & -alignment;
  }
}
