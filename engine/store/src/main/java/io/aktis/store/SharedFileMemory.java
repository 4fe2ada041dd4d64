package io.aktis.store;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Memory that is a file, which other processes map as well. The file is as long as the addresses
 * but sparse; a granule gets its blocks before it is handed out for the first time, and loses them
 * when it is discarded.
 */
final class SharedFileMemory implements StoreMemory {
  private static final int ADDRESSES_PER_CAPACITY = 2;

  private final Path file;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment segment;
  private final FileBlocks blocks;

  /** One at a time takes blocks, so that a granule is filled once, before anybody writes to it. */
  private final ReentrantLock growth = new ReentrantLock();

  /** Granules that have their blocks; guarded by itself. */
  private final BitSet backed = new BitSet();

  private SharedFileMemory(Path file, long bytes) throws IOException {
    this.file = file;
    this.blocks = new FileBlocks(file);
    boolean made = false;
    try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
      access.setLength(bytes);
      this.segment = access.getChannel().map(MapMode.READ_WRITE, 0, bytes, arena);
      made = true;
    } finally {
      if (!made) {
        blocks.close();
        arena.close();
      }
    }
  }

  /**
   * Makes the file, which must not exist, for its user alone.
   *
   * @throws IOException when it exists, or cannot be made or mapped
   */
  static SharedFileMemory create(Path file, long capacityBytes) throws IOException {
    PrivateFiles.create(file);
    boolean made = false;
    try {
      SharedFileMemory memory = map(file, capacityBytes);
      made = true;
      return memory;
    } finally {
      if (!made) {
        Files.deleteIfExists(file);
      }
    }
  }

  private static SharedFileMemory map(Path file, long capacityBytes) throws IOException {
    long capacity = ExtentPool.alignUp(capacityBytes, ExtentPool.GRANULE_BYTES);
    try {
      return new SharedFileMemory(file, capacity * ADDRESSES_PER_CAPACITY);
    } catch (IOException | OutOfMemoryError e) {
      // A limit on the length of files or on addresses: the capacity alone may be within it.
      try {
        return new SharedFileMemory(file, capacity);
      } catch (IOException | OutOfMemoryError second) {
        second.addSuppressed(e);
        throw new IOException(
            "cannot map " + capacity + " bytes of " + file + ": " + second.getMessage(), second);
      }
    }
  }

  @Override
  public MemorySegment segment() {
    return segment;
  }

  @Override
  public boolean back(long offset, long bytes) {
    int from = granuleOf(offset);
    int to = granuleOf(offset + bytes - 1) + 1;
    if (nextWithoutBlocks(from) >= to) {
      return true;
    }
    growth.lock();
    try {
      for (int start = nextWithoutBlocks(from); start < to; start = nextWithoutBlocks(start)) {
        int end = endOfRunWithoutBlocks(start, to);
        if (!blocks.reserve(startOf(start), startOf(end - start))) {
          return false;
        }
        mark(start, end, true);
      }
      return true;
    } finally {
      growth.unlock();
    }
  }

  @Override
  public boolean discard(long offset, long bytes) {
    if (!blocks.release(offset, bytes)) {
      return false;
    }
    mark(granuleOf(offset), granuleOf(offset + bytes), false);
    return true;
  }

  @Override
  public long backedBytes() {
    synchronized (backed) {
      return startOf(backed.cardinality());
    }
  }

  @Override
  public void retire() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete the store's file " + file, e);
    }
  }

  @Override
  public void close() {
    arena.close();
    blocks.close();
    retire();
  }

  private int nextWithoutBlocks(int granule) {
    synchronized (backed) {
      return backed.nextClearBit(granule);
    }
  }

  private int endOfRunWithoutBlocks(int start, int limit) {
    synchronized (backed) {
      int next = backed.nextSetBit(start);
      return next < 0 ? limit : Math.min(next, limit);
    }
  }

  private void mark(int from, int to, boolean value) {
    synchronized (backed) {
      backed.set(from, to, value);
    }
  }

  private static int granuleOf(long offset) {
    return (int) (offset / ExtentPool.GRANULE_BYTES);
  }

  private static long startOf(int granule) {
    return (long) granule * ExtentPool.GRANULE_BYTES;
  }
}
