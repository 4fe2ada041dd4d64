package io.aktis.wire.value;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One buffer out of band: memory in one piece, or in several that are written one after the other.
 *
 * <p>Immutable, save that it shares the memory it borrows.
 */
final class Pieces {
  private final List<MemorySegment> pieces;
  private final long sizeBytes;

  /** Keeps the memory of the pieces from being freed by the collector; null where they do so. */
  private final @Nullable Object owner;

  private Pieces(List<MemorySegment> pieces, @Nullable Object owner) {
    this.pieces = pieces;
    this.owner = owner;
    long sum = 0;
    for (MemorySegment piece : pieces) {
      sum += piece.byteSize();
    }
    this.sizeBytes = sum;
  }

  static Pieces of(MemorySegment memory) {
    return new Pieces(List.of(memory), null);
  }

  /** Borrows the pieces of what {@code owner} holds, which is kept reachable. */
  static Pieces of(List<MemorySegment> pieces, Object owner) {
    return new Pieces(List.copyOf(pieces), owner);
  }

  long sizeBytes() {
    return sizeBytes;
  }

  /** Writes all pieces, the first one at {@code start}. */
  void copyTo(MemorySegment target, long start) {
    try {
      long at = start;
      for (MemorySegment piece : pieces) {
        Memory.copy(piece, target, at);
        at += piece.byteSize();
      }
    } finally {
      Reference.reachabilityFence(owner);
    }
  }

  /** Returns the memory: itself if it is in one piece, else a copy, aligned like a buffer. */
  MemorySegment memory() {
    if (pieces.size() == 1 && owner == null) {
      return pieces.getFirst();
    }
    MemorySegment whole = Memory.allocateNative(sizeBytes);
    copyTo(whole, 0);
    return whole;
  }
}
