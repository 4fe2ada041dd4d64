package io.aktis.store;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel.MapMode;

/**
 * A file that holds one object and is mapped instead of read, for it never was in the store's
 * memory. Immutable; closed once, when nobody uses the segment.
 */
final class Overflow implements AutoCloseable {
  private final SpillFile file;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment segment;

  /**
   * Makes the file, with all its blocks, and maps it.
   *
   * @param file is in the books, but not on the disk
   * @throws IOException when the disk refuses; the file is to be removed then
   */
  Overflow(SpillFile file) throws IOException {
    this.file = file;
    boolean made = false;
    try {
      PrivateFiles.create(file.path);
      this.segment = reserveAndMap(file, arena);
      made = true;
    } finally {
      if (!made) {
        arena.close();
      }
    }
  }

  private static MemorySegment reserveAndMap(SpillFile file, Arena arena) throws IOException {
    long length = Math.max(file.bytes, 1);
    try (RandomAccessFile access = new RandomAccessFile(file.path.toFile(), "rw");
        FileBlocks blocks = new FileBlocks(file.path)) {
      access.setLength(length);
      if (!blocks.reserve(0, length)) {
        throw new IOException("no space for the " + Bytes.inWords(length) + " of " + file.path);
      }
      return access.getChannel().map(MapMode.READ_WRITE, 0, length, arena).asSlice(0, file.bytes);
    }
  }

  SpillFile file() {
    return file;
  }

  /** Returns exactly the bytes of the object, writable. */
  MemorySegment segment() {
    return segment;
  }

  @Override
  public void close() {
    arena.close();
    file.spill.release(file);
  }
}
