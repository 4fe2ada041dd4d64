package io.aktis.store;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Bytes of one object that are mapped where they lie on disk, because there is no room for them in
 * the store's memory: a file of its own to write to, or a part of a spill file to read. Immutable;
 * closed once, when nobody uses the segment.
 */
final class Overflow implements AutoCloseable {
  private final SpillPlace place;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment segment;

  /** Maps something; the arena ends with what is mapped. */
  private interface Mapping {
    MemorySegment in(Arena arena) throws IOException;
  }

  private Overflow(SpillPlace place, Mapping mapping) throws IOException {
    this.place = place;
    boolean made = false;
    try {
      this.segment = mapping.in(arena);
      made = true;
    } finally {
      if (!made) {
        arena.close();
      }
    }
  }

  /**
   * Makes a file for one object, with all its blocks, and maps it.
   *
   * @param file is in the books, but not on the disk
   * @throws IOException when the disk refuses; the file is to be removed then
   */
  static Overflow create(SpillFile file) throws IOException {
    return new Overflow(
        new SpillPlace(file, 0),
        arena -> {
          PrivateFiles.create(file.path);
          return reserveAndMap(file, arena);
        });
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

  /**
   * Maps what was written, for reading.
   *
   * @param place counts this user
   * @throws IOException when the file is gone or too short
   * @throws UncheckedIOException when it is there but cannot be mapped
   */
  static Overflow reading(SpillPlace place, long sizeBytes) throws IOException {
    Path path = place.file().path;
    return new Overflow(
        place,
        arena -> {
          try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            if (channel.size() < place.offset() + sizeBytes) {
              throw new IOException(path + " has become shorter");
            }
            return map(channel, place.offset(), sizeBytes, arena);
          }
        });
  }

  private static MemorySegment map(FileChannel channel, long offset, long sizeBytes, Arena arena) {
    try {
      return channel.map(MapMode.READ_ONLY, offset, sizeBytes, arena);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot map what was spilled: " + e.getMessage(), e);
    }
  }

  SpillPlace place() {
    return place;
  }

  /** Returns exactly the bytes of the object, writable when they are in a file of their own. */
  MemorySegment segment() {
    return segment;
  }

  @Override
  public void close() {
    arena.close();
    place.file().spill.release(place.file());
  }
}
