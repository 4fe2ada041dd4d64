package io.aktis.wire.value;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.LongStream;
import org.apache.fory.memory.MemoryBuffer;

/** Borrowing, copying and viewing memory that a user made. */
final class Memory {
  private static final long PART_BYTES = 8L << 20;

  /** Never started: what it may not touch belongs to one thread. */
  private static final Thread STRANGER = Thread.ofVirtual().unstarted(() -> {});

  private Memory() {}

  /** Borrows what is between position and limit. */
  static MemorySegment of(ByteBuffer buffer) {
    return of(MemorySegment.ofBuffer(buffer));
  }

  /**
   * Borrows a segment. One that only this thread may touch is copied, because the bytes may be
   * written out by another.
   *
   * @throws Refusal if the segment is closed, or belongs to another thread
   */
  static MemorySegment of(MemorySegment segment) {
    if (!segment.scope().isAlive()) {
      throw new Refusal(
          segment, "the memory segment is closed", "copy it before its arena is closed");
    }
    if (!segment.isAccessibleBy(Thread.currentThread())) {
      throw new Refusal(
          segment,
          "the memory segment belongs to another thread",
          "make it in a shared or automatic arena");
    }
    return segment.isAccessibleBy(STRANGER) ? segment : copy(segment);
  }

  /** Returns a read-only copy on the heap, aligned to 8 bytes. */
  static MemorySegment copy(MemorySegment memory) {
    long size = memory.byteSize();
    MemorySegment copy =
        MemorySegment.ofArray(new long[Math.toIntExact(size + Long.BYTES - 1 >> 3)])
            .asSlice(0, size);
    return copy.copyFrom(memory).asReadOnly();
  }

  /**
   * Copies all of {@code from}. What is large is copied in parts, of which idle threads of the
   * common pool take some: one thread cannot use all that memory can give.
   */
  static void copy(MemorySegment from, MemorySegment to, long start) {
    long sizeBytes = from.byteSize();
    if (sizeBytes < 2 * PART_BYTES
        || !from.isAccessibleBy(STRANGER)
        || !to.isAccessibleBy(STRANGER)) {
      MemorySegment.copy(from, 0, to, start, sizeBytes);
      return;
    }
    LongStream.range(0, Math.ceilDiv(sizeBytes, PART_BYTES))
        .map(part -> part * PART_BYTES)
        .parallel()
        .forEach(at ->
            MemorySegment.copy(from, at, to, start + at, Math.min(PART_BYTES, sizeBytes - at)));
  }

  /** Returns native memory at a multiple of 8: this if it is, else a copy. */
  static MemorySegment aligned(MemorySegment memory) {
    if (memory.isNative() && memory.address() % Long.BYTES == 0) {
      return memory;
    }
    return allocateNative(memory.byteSize()).copyFrom(memory).asReadOnly();
  }

  /**
   * Returns native memory that the collector frees, aligned like a buffer. The JDK counts it as it
   * counts direct buffers, and asks the collector when much was dropped.
   */
  static MemorySegment allocateNative(long sizeBytes) {
    return Arena.ofAuto().allocate(sizeBytes, Encoded.BUFFER_ALIGNMENT);
  }

  /** Writes bytes after their number. */
  static void writeSized(MemoryBuffer out, byte[] bytes) {
    out.writeVarUInt32(bytes.length);
    out.writeBytes(bytes);
  }

  /** Reads what {@link #writeSized} wrote. Fory's own counterpart fails from 16 KiB on. */
  static byte[] readSized(MemoryBuffer in) {
    return in.readBytes(in.readVarUInt32());
  }

  static byte[] bytes(MemorySegment memory) {
    return memory.toArray(ValueLayout.JAVA_BYTE);
  }

  /** Returns a read-only buffer: a view if the memory does not change, else a copy. */
  static ByteBuffer asBuffer(MemorySegment memory, boolean sealed, boolean littleEndian) {
    ByteBuffer buffer =
        sealed ? memory.asByteBuffer() : ByteBuffer.wrap(bytes(memory)).asReadOnlyBuffer();
    return buffer.order(littleEndian ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
  }

  /**
   * Returns a read-only segment: a view if the memory does not change, else a copy. Bytes of a
   * message are copied too, because they may lie at any address.
   */
  static MemorySegment asSegment(MemorySegment memory, boolean sealed) {
    return sealed && memory.isNative() ? memory : copy(memory);
  }
}
