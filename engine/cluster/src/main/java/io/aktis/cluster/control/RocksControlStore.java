package io.aktis.cluster.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * A control store in a directory: RocksDB, which lets one process at a time open it. Each write is
 * on the disk when it returns. Thread-safe.
 *
 * <pre>
 * key                  value
 * 0x00 "epoch"         8 bytes, big endian
 * 0x00 "session"       the session, UTF-8
 * TABLE 0x00 KEY       the value of a table; both in UTF-8
 * </pre>
 */
final class RocksControlStore implements ControlStore {
  private static final byte[] EPOCH = "\0epoch".getBytes(UTF_8);
  private static final byte[] SESSION = "\0session".getBytes(UTF_8);

  /** A control store has some hundred small entries. */
  private static final long WRITE_BUFFER_BYTES = 1 << 20;

  private static final long MAX_LOG_BYTES = 1 << 20;
  private static final int MAX_OPEN_FILES = 64;

  private final Path directory;
  private final Options options;
  private final WriteOptions synced;
  private final RocksDB database;
  private boolean closed;

  private RocksControlStore(
      Path directory, Options options, WriteOptions synced, RocksDB database) {
    this.directory = directory;
    this.options = options;
    this.synced = synced;
    this.database = database;
  }

  /**
   * Opens a store, which is made if it is not there.
   *
   * @param scratch where the library of RocksDB may be unpacked
   * @throws IOException when it cannot be opened, such as by a second process
   */
  static RocksControlStore open(Path directory, Path scratch) throws IOException {
    Files.createDirectories(
        directory,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    // Its own loader unpacks into the common temporary directory, and leaves the file there when
    // the process is killed.
    NativeLibraryLoader.getInstance().loadLibrary(Files.createDirectories(scratch).toString());
    RocksDB.loadLibrary();
    Options options =
        new Options()
            .setCreateIfMissing(true)
            .setWriteBufferSize(WRITE_BUFFER_BYTES)
            .setMaxOpenFiles(MAX_OPEN_FILES)
            .setMaxTotalWalSize(4 * WRITE_BUFFER_BYTES)
            .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
            .setMaxLogFileSize(MAX_LOG_BYTES)
            .setKeepLogFileNum(2)
            .setMaxBackgroundJobs(1);
    WriteOptions synced = new WriteOptions().setSync(true);
    try {
      RocksDB database = RocksDB.open(options, directory.toString());
      return new RocksControlStore(directory, options, synced, database);
    } catch (RocksDBException e) {
      synced.close();
      options.close();
      throw failure(directory, e);
    }
  }

  private static IOException failure(Path directory, RocksDBException e) {
    String words = String.valueOf(e.getMessage());
    boolean isInUse = words.contains("lock");
    return new IOException(
        "the control store in "
            + directory
            + (isInUse ? " is in use by another process: " : " does not work: ")
            + words,
        e);
  }

  @Override
  public boolean isShared() {
    return false;
  }

  @Override
  public synchronized String session(String proposed) throws IOException {
    try {
      byte[] session = database().get(SESSION);
      if (session == null && !proposed.isEmpty()) {
        session = proposed.getBytes(UTF_8);
        database().put(synced, SESSION, session);
      }
      return session == null ? "" : new String(session, UTF_8);
    } catch (RocksDBException e) {
      throw failure(directory, e);
    }
  }

  @Override
  public synchronized long epoch() throws IOException {
    try {
      byte @Nullable [] epoch = database().get(EPOCH);
      return epoch == null ? 0 : ByteBuffer.wrap(epoch).getLong();
    } catch (RocksDBException e) {
      throw failure(directory, e);
    }
  }

  @Override
  public synchronized SortedMap<String, ByteString> read(String table) throws IOException {
    SortedMap<String, ByteString> found = new TreeMap<>();
    byte[] prefix = (table + "\0").getBytes(UTF_8);
    try (RocksIterator entries = database().newIterator()) {
      for (entries.seek(prefix); entries.isValid(); entries.next()) {
        byte[] key = entries.key();
        if (key.length < prefix.length
            || !Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length)) {
          break;
        }
        String name = new String(key, prefix.length, key.length - prefix.length, UTF_8);
        found.put(name, ByteString.copyFrom(entries.value()));
      }
      entries.status();
      return found;
    } catch (RocksDBException e) {
      throw failure(directory, e);
    }
  }

  @Override
  public synchronized boolean claim(long seen, ControlBatch batch) throws IOException {
    if (epoch() != seen) {
      return false;
    }
    apply(batch, seen + 1);
    return true;
  }

  @Override
  public synchronized void write(long epoch, ControlBatch batch) throws IOException {
    long current = epoch();
    if (epoch != current) {
      throw new FencedException(epoch, current);
    }
    apply(batch, epoch);
  }

  private void apply(ControlBatch batch, long epoch) throws IOException {
    try (WriteBatch changes = new WriteBatch()) {
      changes.put(EPOCH, ByteBuffer.allocate(Long.BYTES).putLong(epoch).array());
      for (ControlBatch.Change change : batch.changes()) {
        byte[] key = (change.table() + "\0" + change.key()).getBytes(UTF_8);
        ByteString value = change.value();
        if (value == null) {
          changes.delete(key);
        } else {
          changes.put(key, value.toByteArray());
        }
      }
      database().write(synced, changes);
    } catch (RocksDBException e) {
      throw failure(directory, e);
    }
  }

  /** A closed database would crash the process. */
  private RocksDB database() throws IOException {
    if (closed) {
      throw new IOException("the control store in " + directory + " is closed");
    }
    return database;
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      database.close();
      synced.close();
      options.close();
    }
  }

  @Override
  public String toString() {
    return directory.toString();
  }
}
