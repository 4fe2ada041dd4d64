package io.aktis.store;

import io.aktis.core.id.ObjectId;
import java.lang.foreign.MemorySegment;

/**
 * One object that takes room. Its changing fields are guarded by the lock of its store. Two entries
 * may have the same id: entries are told apart by identity.
 */
final class Entry {
  final ObjectId id;
  final Extent extent;

  /** Exactly the bytes of the object, writable. */
  final MemorySegment segment;

  ObjectInfo.State state = ObjectInfo.State.CREATING;
  int pins;
  int views;

  Entry(ObjectId id, Extent extent, MemorySegment segment) {
    this.id = id;
    this.extent = extent;
    this.segment = segment;
  }

  ObjectInfo info() {
    return new ObjectInfo(id, segment.byteSize(), pins, views, state);
  }

  @Override
  public String toString() {
    return id + " " + state + " " + extent + " pins=" + pins;
  }
}
