package io.aktis.cluster.code;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What has been found out about files, as long as they do not change. Bounded. Thread-safe; two
 * threads that ask for the same may both find it out.
 *
 * @param <V> what is found out
 */
final class FileFacts<V> {
  private static final int MAX_FILES = 10_000;

  private final ConcurrentHashMap<Path, Known<V>> known = new ConcurrentHashMap<>();
  private final Reader<V> reader;

  private record Known<V>(FileStamp stamp, V value) {}

  /** Finds something out by reading a file. */
  interface Reader<V> {
    V read(Path file) throws IOException;
  }

  FileFacts(Reader<V> reader) {
    this.reader = reader;
  }

  /**
   * Returns what is known about the version of the file that the stamp is of.
   *
   * @throws CodeException if the file is another now
   */
  V of(Path file, FileStamp stamp) throws IOException {
    Known<V> before = known.get(file);
    if (before != null && before.stamp.equals(stamp)) {
      return before.value;
    }
    V value = reader.read(file);
    if (!FileStamp.of(file).equals(stamp)) {
      throw new CodeException(
          CodeException.Reason.CHANGED,
          file + " changed while it was read; open the session when the build is done");
    }
    if (known.size() >= MAX_FILES) {
      known.clear();
    }
    known.put(file, new Known<>(stamp, value));
    return value;
  }
}
