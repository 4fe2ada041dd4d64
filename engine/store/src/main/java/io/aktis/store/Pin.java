package io.aktis.store;

import io.aktis.core.id.ObjectId;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Keeps the bytes of a sealed object where they are, even when the object is deleted, until it is
 * closed. Thread-safe; whoever pinned closes, and nothing else does: code that cannot promise to
 * close takes a {@linkplain ObjectStore#view view}.
 */
public final class Pin implements AutoCloseable {
  private final ObjectStore store;
  private final Entry entry;
  private final MemorySegment segment;
  private final AtomicBoolean closed = new AtomicBoolean();

  Pin(ObjectStore store, Entry entry) {
    this.store = store;
    this.entry = entry;
    this.segment = entry.segment.asReadOnly();
  }

  /** Returns the name of the object. */
  public ObjectId id() {
    return entry.id;
  }

  /** Returns the size of the object in bytes. */
  public long sizeBytes() {
    return segment.byteSize();
  }

  /**
   * Returns the bytes of the object, read-only. The segment and what is derived from it must not be
   * used after the close: the memory may hold another object by then.
   *
   * @throws IllegalStateException after the close
   */
  public MemorySegment segment() {
    if (closed.get()) {
      throw new IllegalStateException("the pin is closed: " + entry.id);
    }
    return segment;
  }

  /**
   * Closes this pin, and returns the bytes as a {@linkplain ObjectStore#view view}.
   *
   * @throws IllegalStateException after the close
   */
  public MemorySegment keep() {
    if (!closed.compareAndSet(false, true)) {
      throw new IllegalStateException("the pin is closed: " + entry.id);
    }
    return store.keep(entry);
  }

  /** Returns where other processes find the bytes. */
  public Placement placement() {
    return Placement.of(entry);
  }

  /** Releases the object. Closing again does nothing. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      store.unpin(entry);
    }
  }
}
