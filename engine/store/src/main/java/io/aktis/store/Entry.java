package io.aktis.store;

import io.aktis.core.id.ObjectId;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One object. Its changing fields are guarded by the lock of its store. Two entries may have the
 * same id: entries are told apart by identity. A spilled object that comes back gets a new entry.
 */
final class Entry {
  final ObjectId id;

  /** Its part of the store's memory, given back while it is spilled; null for an overflow. */
  final @Nullable Extent extent;

  /** Where it is mapped on disk, when it is not in the store's memory. */
  final @Nullable Overflow overflow;

  /** Exactly the bytes of the object; not to be touched while it is spilled. */
  final MemorySegment segment;

  ObjectInfo.State state = ObjectInfo.State.CREATING;
  int pins;
  int views;

  /** Somebody else has the object as well: it may be dropped. */
  boolean copy;

  /** The same bytes on disk. */
  @Nullable SpillPlace place;

  /** Somebody is reading the bytes back. */
  boolean restoring;

  // Links of the list that it is idle in.
  @Nullable IdleList idleIn;
  @Nullable Entry idleBefore;
  @Nullable Entry idleAfter;

  Entry(ObjectId id, @Nullable Extent extent, @Nullable Overflow overflow, MemorySegment segment) {
    this.id = id;
    this.extent = extent;
    this.overflow = overflow;
    this.segment = segment;
  }

  /** Returns the bytes of memory that it takes, or of those mapped on disk. */
  long takenBytes() {
    return extent == null ? segment.byteSize() : extent.bytes;
  }

  ObjectInfo info() {
    return new ObjectInfo(id, segment.byteSize(), pins, views, state);
  }

  @Override
  public String toString() {
    return id + " " + state + " " + (extent == null ? "overflow" : extent) + " pins=" + pins;
  }
}
