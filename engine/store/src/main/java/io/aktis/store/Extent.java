package io.aktis.store;

import org.jspecify.annotations.Nullable;

/**
 * A stretch of the store's address space, in use or free. All extents together are a chain without
 * gap or overlap, in the order of their offsets. Confined to its {@link FreeSpace}, which alone
 * changes it.
 */
final class Extent {
  long offset;
  long bytes;
  boolean free;
  @Nullable Extent previous;
  @Nullable Extent next;

  Extent(long offset, long bytes) {
    this.offset = offset;
    this.bytes = bytes;
  }

  long end() {
    return offset + bytes;
  }

  @Override
  public String toString() {
    return (free ? "free [" : "used [") + offset + ", " + end() + ")";
  }
}
