package io.aktis.store;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Where the memory of a store is to be: a directory whose file system was measured. Immutable.
 *
 * @param directory holds the file
 * @param inMemory whether its file system is main memory, not a disk
 * @param warning one line for the user when it is not what is best; empty otherwise
 */
public record StoreLocation(Path directory, boolean inMemory, String warning) {
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  /**
   * Chooses {@code /dev/shm} when it is memory and large enough, else the directory, which is made
   * if it does not exist.
   *
   * @param capacityBytes what the store is to hold
   * @throws IOException when neither has the room; the message tells what both have
   */
  public static StoreLocation choose(long capacityBytes, Path fallback) throws IOException {
    return choose(capacityBytes, SHARED_MEMORY, fallback);
  }

  static StoreLocation choose(long capacityBytes, Path preferred, Path fallback)
      throws IOException {
    String objection = objection(preferred, capacityBytes);
    if (objection.isEmpty() && !isMemory(preferred)) {
      objection = preferred + " is not in memory but of type " + typeOf(preferred);
    }
    if (objection.isEmpty()) {
      return new StoreLocation(preferred, true, "");
    }
    PrivateFiles.createDirectories(fallback);
    String second = objection(fallback, capacityBytes);
    if (!second.isEmpty()) {
      throw new IOException(
          "there is no place for an object store of "
              + Bytes.inWords(capacityBytes)
              + ": "
              + objection
              + "; "
              + second
              + "; ask for a smaller store, make one of them larger, or name another directory");
    }
    boolean inMemory = isMemory(fallback);
    String consequence = inMemory ? "" : ", which is slower";
    return new StoreLocation(
        fallback, inMemory, objection + ": the object store is kept in " + fallback + consequence);
  }

  /** Returns why a directory cannot hold the bytes, empty when it can. */
  private static String objection(Path directory, long bytes) throws IOException {
    if (!Files.isDirectory(directory)) {
      return directory + " is not a directory";
    }
    if (!Files.isWritable(directory)) {
      return directory + " cannot be written";
    }
    long free = Files.getFileStore(directory).getUsableSpace();
    return free >= bytes
        ? ""
        : directory
            + " has "
            + Bytes.inWords(free)
            + " free, "
            + Bytes.inWords(bytes)
            + " are needed";
  }

  private static boolean isMemory(Path directory) throws IOException {
    String type = typeOf(directory);
    return type.equals("tmpfs") || type.equals("ramfs") || type.equals("hugetlbfs");
  }

  private static String typeOf(Path directory) throws IOException {
    FileStore store = Files.getFileStore(directory);
    return store.type().toLowerCase(Locale.ROOT);
  }
}
