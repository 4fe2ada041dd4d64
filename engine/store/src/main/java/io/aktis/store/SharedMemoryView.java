package io.aktis.store;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The memory of a store, or one of its overflow files, seen from another process. Which parts may
 * be read or written, and for how long, is agreed with the process of the store; this class only
 * maps. Thread-safe; whoever opened it closes it.
 *
 * <p>It is unmapped when it is closed and no {@linkplain #keptReading view by the collector} is
 * left.
 */
public final class SharedMemoryView implements AutoCloseable {
  private final Path file;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment segment;

  /**
   * The same memory, mapped for reading: what libraries write there by its address, past the checks
   * of the JDK, ends this process and does not change the object for all others.
   */
  private final MemorySegment readOnly;

  /** One for the opener until the close, one for each view. */
  private final AtomicInteger holders = new AtomicInteger(1);

  private final AtomicInteger closes = new AtomicInteger();

  private SharedMemoryView(Path file) throws IOException {
    this.file = file;
    boolean made = false;
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      this.segment = channel.map(MapMode.READ_WRITE, 0, channel.size(), arena);
      this.readOnly = channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
      made = true;
    } finally {
      if (!made) {
        arena.close();
      }
    }
  }

  /**
   * Maps a file as a whole.
   *
   * @throws IOException when it does not exist, belongs to somebody else, or cannot be mapped
   */
  public static SharedMemoryView open(Path file) throws IOException {
    return new SharedMemoryView(file);
  }

  /** Returns the length of the file in bytes. */
  public long sizeBytes() {
    return segment.byteSize();
  }

  /**
   * Returns a part to write to. An access after the close fails, it does not crash.
   *
   * @throws IndexOutOfBoundsException when the part is not inside of the file
   */
  public MemorySegment writing(long offset, long sizeBytes) {
    return segment.asSlice(offset, sizeBytes);
  }

  /**
   * Returns a part to read. An access after the close fails, it does not crash.
   *
   * @throws IndexOutOfBoundsException when the part is not inside of the file
   */
  public MemorySegment reading(long offset, long sizeBytes) {
    return readOnly.asSlice(offset, sizeBytes);
  }

  /**
   * Returns a part to read that can be used for as long as it is reachable, even after the close.
   *
   * @param released run once, in the thread of the JDK's cleaner, when nobody can reach the part
   *     any more; not run when this call fails
   * @throws IndexOutOfBoundsException when the part is not inside of the file
   * @throws IllegalStateException after the close
   */
  @SuppressWarnings("restricted") // The launcher and the manifest enable native access.
  public MemorySegment keptReading(long offset, long sizeBytes, Runnable released) {
    MemorySegment part = readOnly.asSlice(offset, sizeBytes);
    if (holders.getAndUpdate(n -> n == 0 ? 0 : n + 1) == 0) {
      throw new IllegalStateException("the mapping of " + file + " is closed");
    }
    boolean made = false;
    try {
      MemorySegment kept =
          part.reinterpret(
                  Arena.ofAuto(),
                  ignored -> {
                    try {
                      released.run();
                    } finally {
                      letGo();
                    }
                  })
              .asReadOnly();
      made = true;
      return kept;
    } finally {
      if (!made) {
        letGo();
      }
    }
  }

  private void letGo() {
    if (holders.decrementAndGet() == 0) {
      arena.close();
    }
  }

  /** Unmaps the file now, or with the last view. Idempotent. */
  @Override
  public void close() {
    if (closes.getAndIncrement() == 0) {
      letGo();
    }
  }
}
