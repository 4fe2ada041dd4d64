package io.aktis.cluster.code;

import com.google.protobuf.ByteString;
import io.aktis.wire.message.CodeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The truth about the files of a {@link CodeCache}: which are there, which are held, how much room
 * is left.
 *
 * <p>One equation: <em>bytes kept + bytes reserved for writes &lt;= limit</em>. Files appear and
 * disappear under the lock, so that a file which is in the table is complete and on disk, unless
 * somebody else removes it, which is noticed when it is asked for.
 *
 * <p>Thread-safe. Under the lock files are renamed, deleted and looked at, but not read or written.
 */
final class CacheTable {
  private static final Logger LOG = LoggerFactory.getLogger(CacheTable.class);

  private final Path directory;
  private final long limitBytes;
  private final LinkedHashMap<ByteString, CodeFile> files = new LinkedHashMap<>(64, 0.75f, true);
  private final Map<ByteString, Integer> holds = new HashMap<>();
  private long keptBytes;
  private long reservedBytes;

  CacheTable(Path directory, long limitBytes) {
    this.directory = directory;
    this.limitBytes = limitBytes;
  }

  private Path placeOf(CodeFile file) {
    return directory.resolve(Sha256.hex(file) + ".jar");
  }

  /** Returns where the file is, null if it is not there; it counts as used now. */
  synchronized @Nullable Path find(CodeFile asked) throws IOException {
    CodeFile kept = files.get(asked.getSha256());
    if (kept == null) {
      return null;
    }
    Path place = placeOf(kept);
    if (Files.isRegularFile(place) && Files.size(place) == kept.getSizeBytes()) {
      return place;
    }
    LOG.warn("{} was removed or cut off by somebody else", place);
    forget(kept);
    return null;
  }

  private void forget(CodeFile kept) throws IOException {
    files.remove(kept.getSha256());
    keptBytes -= kept.getSizeBytes();
    Files.deleteIfExists(placeOf(kept));
  }

  /**
   * Sets room aside for a file, for which others have to go that nobody holds.
   *
   * @throws CodeException if there is none
   */
  synchronized void reserve(CodeFile file) throws IOException {
    long needed = file.getSizeBytes();
    if (needed > limitBytes - heldBytes() - reservedBytes) {
      throw new CodeException(
          CodeException.Reason.NO_ROOM,
          Sha256.title(file)
              + " of "
              + needed
              + " bytes does not fit into the code cache of the node: of its limit of "
              + limitBytes
              + " bytes, running jobs use "
              + (heldBytes() + reservedBytes)
              + "; wait for them to end, or start the node with a higher limit");
    }
    for (Iterator<CodeFile> oldest = files.values().iterator();
        keptBytes + reservedBytes + needed > limitBytes; ) {
      CodeFile next = oldest.next();
      if (!holds.containsKey(next.getSha256())) {
        Files.deleteIfExists(placeOf(next));
        oldest.remove();
        keptBytes -= next.getSizeBytes();
        LOG.info("{} leaves the code cache to make room", Sha256.title(next));
      }
    }
    reservedBytes += needed;
  }

  private long heldBytes() {
    long sum = 0;
    for (CodeFile file : files.values()) {
      sum += holds.containsKey(file.getSha256()) ? file.getSizeBytes() : 0;
    }
    return sum;
  }

  /** Gives room back that nothing was written to. */
  synchronized void unreserve(CodeFile file) {
    reservedBytes -= file.getSizeBytes();
  }

  /** Puts a complete file, whose hash is right, into its place; its reservation is over. */
  synchronized void commit(CodeFile file, Path written) throws IOException {
    Files.move(written, placeOf(file), StandardCopyOption.ATOMIC_MOVE);
    reservedBytes -= file.getSizeBytes();
    if (files.put(file.getSha256(), file) == null) {
      keptBytes += file.getSizeBytes();
    }
  }

  /** Nothing with those hashes goes, whether it is there yet or not. */
  synchronized void hold(Collection<ByteString> hashes) {
    hashes.forEach(hash -> holds.merge(hash, 1, Integer::sum));
  }

  /** The opposite of {@link #hold}. */
  synchronized void letGo(Collection<ByteString> hashes) {
    hashes.forEach(
        hash -> holds.computeIfPresent(hash, (same, count) -> count == 1 ? null : count - 1));
  }

  /** Removes everything, held or not. */
  synchronized void clear() throws IOException {
    for (CodeFile file : files.values()) {
      Files.deleteIfExists(placeOf(file));
    }
    files.clear();
    keptBytes = 0;
  }

  /** Returns the bytes that are kept or reserved. */
  synchronized long usedBytes() {
    return keptBytes + reservedBytes;
  }
}
