package io.aktis.cluster.code;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.aktis.cluster.rpc.RpcChannel;
import io.aktis.wire.message.CodeFile;
import io.aktis.wire.message.CodeUnit;
import io.grpc.ServerServiceDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The files of code on a node, by their hashes. Files are complete and checked before they appear;
 * when the limit is reached, those go that were not used for longest and that no running job holds.
 * Jars that are on the class path of the node itself are not taken: they are there.
 *
 * <p>Thread-safe. Methods read and write files, so they must not be called on threads of the
 * network or of a loop; the handlers of {@link #addTo} see to that themselves. Whoever opens the
 * cache closes it, which removes the files.
 */
public final class CodeCache implements AutoCloseable {
  /** What a cache keeps if nothing else is said, in bytes. */
  public static final long DEFAULT_LIMIT_BYTES = 1L << 30;

  /** How long a transfer may stand still before it is given up. */
  static final long STALL_MS = 60_000;

  private static final String LOCK = "lock";

  private final Path directory;
  private final FileChannel lock;
  private final CacheTable table;
  private final OwnJars own;
  private final LongSupplier freeBytes;
  private final AtomicLong temporaries = new AtomicLong();
  private final LongAdder received = new LongAdder();
  private final AtomicBoolean closed = new AtomicBoolean();

  private CodeCache(
      Path directory, FileChannel lock, CacheTable table, OwnJars own, LongSupplier freeBytes) {
    this.directory = directory;
    this.lock = lock;
    this.table = table;
    this.own = own;
    this.freeBytes = freeBytes;
  }

  /**
   * Opens a cache, which is empty at first.
   *
   * @param directory made when it is not there; belongs to this cache alone, of one node
   * @param limitBytes how much it keeps
   * @throws IOException when the directory cannot be used, or another cache uses it
   */
  public static CodeCache open(Path directory, long limitBytes) throws IOException {
    Files.createDirectories(directory);
    FileStore disk = Files.getFileStore(directory);
    LongSupplier freeBytes =
        () -> {
          try {
            return disk.getUsableSpace();
          } catch (IOException e) {
            throw new UncheckedIOException("cannot tell how full the disk of " + directory, e);
          }
        };
    return open(directory, limitBytes, ClassPath.ofJvm(), freeBytes);
  }

  static CodeCache open(
      Path directory, long limitBytes, List<PathEntry> classPath, LongSupplier freeBytes)
      throws IOException {
    if (limitBytes <= 0) {
      throw new IllegalArgumentException("limitBytes is " + limitBytes + ", must be positive");
    }
    Files.createDirectories(directory);
    FileChannel lock = lock(directory);
    try {
      removeFiles(directory);
      CacheTable table = new CacheTable(directory, limitBytes);
      return new CodeCache(directory, lock, table, new OwnJars(classPath), freeBytes);
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private static FileChannel lock(Path directory) throws IOException {
    FileChannel channel =
        FileChannel.open(
            directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null; // by another cache in this JVM
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    if (lock == null) {
      channel.close();
      throw new IOException("the code cache in " + directory + " is used by another node");
    }
    return channel;
  }

  /** What an earlier node has left may be cut off or stale, and is not worth a check. */
  private static void removeFiles(Path directory) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*.{jar,tmp}")) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
  }

  /**
   * Begins to hash the jars of this process, on a thread of its own, which the first job would wait
   * for otherwise. Returns at once.
   */
  public void prepare() {
    Thread.ofPlatform().daemon().name("aktis-own-jars").start(own::read);
  }

  /** Returns the files of a unit that are not here. Those that are count as used now. */
  public CodeUnit lacks(CodeUnit unit) throws IOException {
    CodeUnit.Builder lacking = CodeUnit.newBuilder();
    Set<ByteString> seen = new LinkedHashSet<>();
    for (CodeFile file : unit.getFilesList()) {
      if (find(file) == null && seen.add(file.getSha256())) {
        lacking.addFiles(file);
      }
    }
    return lacking.build();
  }

  /**
   * Returns the files of a unit on this machine, in the order of the unit. Hold the unit first, or
   * they may be gone the next moment.
   *
   * @throws CodeException when one is not here; the message names it
   */
  public List<Path> paths(CodeUnit unit) throws IOException {
    List<Path> paths = new ArrayList<>();
    for (CodeFile file : unit.getFilesList()) {
      Path path = find(file);
      if (path == null) {
        throw new CodeException(
            CodeException.Reason.MISSING,
            Sha256.title(file) + " has not been sent to this node, or is gone from " + directory);
      }
      paths.add(path);
    }
    return paths;
  }

  /** Returns where a file is, null when it is not here. */
  @Nullable Path find(CodeFile file) throws IOException {
    check(file);
    Path known = own.find(file.getSha256());
    return known != null ? known : table.find(file);
  }

  private static void check(CodeFile file) {
    if (file.getSha256().size() != Sha256.BYTES || file.getSizeBytes() < 0) {
      throw new IllegalArgumentException(
          "the code file '"
              + file.getName()
              + "' has a hash of "
              + file.getSha256().size()
              + " bytes and a size of "
              + file.getSizeBytes()
              + "; a hash has "
              + Sha256.BYTES
              + " bytes and a size is not negative");
    }
  }

  /**
   * Takes a file.
   *
   * @param bytes all of its bytes; not closed
   * @throws CodeException when they do not have the hash, or there is no room
   */
  public void put(CodeFile file, InputStream bytes) throws IOException {
    check(file);
    try (CodeWrite write = begin(file)) {
      byte[] block = bytes.readNBytes(CodeService.CHUNK_BYTES);
      while (block.length > 0) {
        write.add(UnsafeByteOperations.unsafeWrap(block));
        block = bytes.readNBytes(CodeService.CHUNK_BYTES);
      }
      write.commit();
    }
  }

  /** Begins to take a file. */
  CodeWrite begin(CodeFile file) throws IOException {
    check(file);
    Path path = directory.resolve(temporaries.incrementAndGet() + ".tmp");
    return CodeWrite.begin(file, path, table, freeBytes, received);
  }

  /** Returns how many bytes have ever come; it grows while somebody sends. */
  public long receivedBytes() {
    return received.sum();
  }

  /**
   * Gets what is lacking of a unit from another node. Waits until it is here.
   *
   * @throws CodeException when the other node does not have it or cannot be reached, or there is no
   *     room here
   */
  public void fetchFrom(RpcChannel node, CodeUnit unit) throws IOException, InterruptedException {
    for (CodeFile file : lacks(unit).getFilesList()) {
      CodeFetch.run(node, file, this);
    }
  }

  /**
   * Keeps the files of a unit from being evicted, those that are here and those that will come, as
   * long as the hold is open. A node holds the unit of a job from the job's first message until its
   * last worker has ended.
   */
  public Hold hold(CodeUnit unit) {
    Set<ByteString> hashes = new LinkedHashSet<>();
    unit.getFilesList().forEach(file -> hashes.add(file.getSha256()));
    table.hold(hashes);
    return new Hold(table, hashes);
  }

  /** Keeps files from being evicted until it is closed. Thread-safe. */
  public static final class Hold implements AutoCloseable {
    private final CacheTable table;
    private final Set<ByteString> hashes;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Hold(CacheTable table, Set<ByteString> hashes) {
      this.table = table;
      this.hashes = hashes;
    }

    /** Lets the files go. Idempotent. */
    @Override
    public void close() {
      if (!closed.getAndSet(true)) {
        table.letGo(hashes);
      }
    }
  }

  /** Returns how much is kept or being written, in bytes. */
  public long usedBytes() {
    return table.usedBytes();
  }

  /** Adds the methods about code to the service of a node. */
  public void addTo(ServerServiceDefinition.Builder service) {
    new CodeService(this, STALL_MS).addTo(service);
  }

  /**
   * Removes the files. To be called when no call is in progress and no worker runs. Idempotent.
   *
   * @throws IOException when files cannot be removed
   */
  @Override
  public void close() throws IOException {
    if (!closed.getAndSet(true)) {
      try (lock) {
        table.clear();
        removeFiles(directory);
        Files.deleteIfExists(directory.resolve(LOCK));
      }
    }
  }
}
