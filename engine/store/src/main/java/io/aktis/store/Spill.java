package io.aktis.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The files of one spill directory and their quota. Knows nothing of the store: it writes, reads,
 * maps and deletes. Thread-safe; its lock guards the books alone and is taken under no other but
 * never taken around the store's. The store closes it.
 */
final class Spill implements AutoCloseable {
  /** Buffers of channels are that long at most. */
  private static final long STEP_BYTES = 64 << 20;

  private static final int PROBE_BYTES = 4096;

  private final Path directory;
  private final long quotaBytes;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private final List<SpillFile> files = new ArrayList<>();
  private long fileBytes;
  private long lastNumber;
  private boolean closed;

  private Spill(SpillConfig config) {
    this.directory = config.directory();
    this.quotaBytes = config.quotaBytes();
  }

  /**
   * Makes the directory, and a file with something in it to see that this works.
   *
   * @throws IOException when not; the message names the directory
   */
  static Spill open(SpillConfig config) throws IOException {
    Path probe = config.directory().resolve("probe");
    try {
      PrivateFiles.createDirectories(config.directory());
      PrivateFiles.create(probe);
      try {
        Files.write(probe, new byte[PROBE_BYTES]);
      } finally {
        Files.delete(probe);
      }
    } catch (IOException e) {
      throw new IOException(
          "the spill directory " + config.directory() + " cannot be used: " + e.getMessage(), e);
    }
    return new Spill(config);
  }

  /** Returns whether the quota has room for a file. */
  boolean hasQuota(long bytes) {
    lock.lock();
    try {
      return bytes <= quotaBytes - fileBytes;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Writes objects into one file, in their order.
   *
   * @return their places, or null when the quota has no room
   * @throws IOException when the disk refuses; nothing is left of the file then
   */
  @Nullable List<SpillPlace> write(List<MemorySegment> objects) throws IOException {
    long bytes = objects.stream().mapToLong(MemorySegment::byteSize).sum();
    SpillFile file = enter("spill", bytes, objects.size());
    if (file == null) {
      return null;
    }
    boolean written = false;
    try {
      Uninterrupted.run(() -> write(file.path, objects));
      written = true;
    } finally {
      if (!written) {
        remove(file);
      }
    }
    List<SpillPlace> places = new ArrayList<>(objects.size());
    long offset = 0;
    for (MemorySegment object : objects) {
      places.add(new SpillPlace(file, offset));
      offset += object.byteSize();
    }
    return places;
  }

  private static void write(Path path, List<MemorySegment> objects) throws IOException {
    Files.deleteIfExists(path); // of a try that was interrupted
    PrivateFiles.create(path);
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      for (MemorySegment object : objects) {
        for (long at = 0; at < object.byteSize(); at += STEP_BYTES) {
          ByteBuffer step = step(object, at);
          while (step.hasRemaining()) {
            channel.write(step);
          }
        }
      }
    }
  }

  private static ByteBuffer step(MemorySegment object, long at) {
    return object.asSlice(at, Math.min(STEP_BYTES, object.byteSize() - at)).asByteBuffer();
  }

  /**
   * Reads an object back.
   *
   * @throws IOException when the disk refuses or the file is gone or too short; the segment holds
   *     anything then
   */
  void read(SpillPlace place, MemorySegment object) throws IOException {
    Uninterrupted.run(() -> read(place.file().path, place.offset(), object));
  }

  private static void read(Path path, long offset, MemorySegment object) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      for (long at = 0; at < object.byteSize(); at += STEP_BYTES) {
        ByteBuffer step = step(object, at);
        while (step.hasRemaining()) {
          if (channel.read(step, offset + at + step.position()) < 0) {
            throw new IOException(path + " has become shorter");
          }
        }
      }
    }
  }

  /**
   * Makes a file for one object, with all its blocks, and maps it.
   *
   * @return null when the quota has no room
   * @throws IOException when the disk refuses
   */
  @Nullable Overflow overflow(long bytes) throws IOException {
    SpillFile file = enter("overflow", bytes, 1);
    if (file == null) {
      return null;
    }
    boolean made = false;
    try {
      Overflow overflow = Overflow.create(file);
      made = true;
      return overflow;
    } finally {
      if (!made) {
        remove(file);
      }
    }
  }

  /**
   * Maps an object where it was written.
   *
   * @throws IOException when the file is gone or too short
   * @throws UncheckedIOException when it is there but cannot be mapped
   */
  Overflow map(SpillPlace place, long sizeBytes) throws IOException {
    retain(place.file());
    boolean mapped = false;
    try {
      Overflow overflow = Overflow.reading(place, sizeBytes);
      mapped = true;
      return overflow;
    } finally {
      if (!mapped) {
        release(place.file());
      }
    }
  }

  private void retain(SpillFile file) throws IOException {
    lock.lock();
    try {
      if (file.objects == 0) {
        throw new IOException(file.path + " is deleted");
      }
      file.objects++;
    } finally {
      lock.unlock();
    }
  }

  /** An object, or who has mapped it, does not need its file any more. */
  void release(SpillFile file) {
    boolean last;
    lock.lock();
    try {
      last = --file.objects == 0;
    } finally {
      lock.unlock();
    }
    if (last) {
      remove(file);
    }
  }

  /** Puts a file into the books; null when there is no room for it. */
  private @Nullable SpillFile enter(String kind, long bytes, int objects) {
    lock.lock();
    try {
      if (closed || bytes > quotaBytes - fileBytes) {
        return null;
      }
      Path path = directory.resolve(kind + "-" + ++lastNumber);
      SpillFile file = new SpillFile(this, path, bytes, objects);
      files.add(file);
      fileBytes += bytes;
      return file;
    } finally {
      lock.unlock();
    }
  }

  /** Deletes a file and takes it out of the books; one that cannot be deleted keeps its quota. */
  private void remove(SpillFile file) {
    try {
      Files.deleteIfExists(file.path);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + file.path, e);
    }
    boolean last;
    lock.lock();
    try {
      files.remove(file);
      fileBytes -= file.bytes;
      last = closed && files.isEmpty();
    } finally {
      lock.unlock();
    }
    if (last) {
      removeDirectory();
    }
  }

  /** Tells in words how it stands, behind the figures of the store. */
  String describe() {
    long used;
    lock.lock();
    try {
      used = fileBytes;
    } finally {
      lock.unlock();
    }
    return "; on disk in "
        + directory
        + " are "
        + Bytes.inWords(used)
        + " of a quota of "
        + Bytes.inWords(quotaBytes)
        + ", free on that disk "
        + freeInWords();
  }

  private String freeInWords() {
    try {
      return Bytes.inWords(Files.getFileStore(directory).getUsableSpace());
    } catch (IOException e) {
      return "unknown (" + e.getMessage() + ")";
    }
  }

  /**
   * Deletes all files, also those that somebody still maps, and the directory. Nothing new is
   * written afterwards; a write that is under way deletes its file itself when it ends.
   */
  @Override
  public void close() {
    List<SpillFile> left;
    lock.lock();
    try {
      closed = true;
      left = List.copyOf(files);
    } finally {
      lock.unlock();
    }
    for (SpillFile file : left) {
      try {
        Files.deleteIfExists(file.path);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot delete " + file.path, e);
      }
    }
    removeDirectory();
  }

  private void removeDirectory() {
    try {
      Files.deleteIfExists(directory);
    } catch (DirectoryNotEmptyException e) {
      // A write that is under way, which removes it when it ends; or files that are not ours.
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete the spill directory " + directory, e);
    }
  }
}
