package io.aktis.cluster.control;

import com.google.protobuf.ByteString;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A control store that is gone with the process; for clusters that nobody goes on with. All who
 * share the object share the store, and closing it does nothing. Thread-safe.
 */
public final class MemoryControlStore implements ControlStore {
  private final boolean shared;
  private final Map<String, SortedMap<String, ByteString>> tables = new TreeMap<>();
  private String session = "";
  private long epoch;

  /**
   * Makes an empty one.
   *
   * @param shared whether several nodes get it, as in tests
   */
  public MemoryControlStore(boolean shared) {
    this.shared = shared;
  }

  @Override
  public boolean isShared() {
    return shared;
  }

  @Override
  public synchronized String session(String proposed) {
    if (session.isEmpty()) {
      session = proposed;
    }
    return session;
  }

  @Override
  public synchronized long epoch() {
    return epoch;
  }

  @Override
  public synchronized SortedMap<String, ByteString> read(String table) {
    return new TreeMap<>(tables.getOrDefault(table, new TreeMap<>()));
  }

  @Override
  public synchronized boolean claim(long seen, ControlBatch batch) {
    if (epoch != seen) {
      return false;
    }
    epoch = seen + 1;
    apply(batch);
    return true;
  }

  @Override
  public synchronized void write(long of, ControlBatch batch) throws FencedException {
    if (epoch != of) {
      throw new FencedException(of, epoch);
    }
    apply(batch);
  }

  private void apply(ControlBatch batch) {
    for (ControlBatch.Change change : batch.changes()) {
      SortedMap<String, ByteString> table =
          tables.computeIfAbsent(change.table(), name -> new TreeMap<>());
      ByteString value = change.value();
      if (value == null) {
        table.remove(change.key());
      } else {
        table.put(change.key(), value);
      }
    }
  }

  @Override
  public void close() {}

  @Override
  public String toString() {
    return "the memory of the head";
  }
}
