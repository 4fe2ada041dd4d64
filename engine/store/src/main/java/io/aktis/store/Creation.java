package io.aktis.store;

import io.aktis.core.id.ObjectId;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * An object being written. It ends with {@link #seal} or {@link #abort}; {@link #close} aborts what
 * was not sealed, so that a creation in a try statement is never lost. Thread-safe; whoever made it
 * ends it.
 */
public final class Creation implements AutoCloseable {
  private final ObjectStore store;
  private final Entry entry;
  private final AtomicBoolean ended = new AtomicBoolean();

  Creation(ObjectStore store, Entry entry) {
    this.store = store;
    this.entry = entry;
  }

  /** Returns the name the object will have. */
  public ObjectId id() {
    return entry.id;
  }

  /** Returns the size of the object in bytes. */
  public long sizeBytes() {
    return entry.segment.byteSize();
  }

  /**
   * Returns the memory to write: exactly {@link #sizeBytes}, aligned to 64, of any content. Several
   * threads may write to it; their writes must happen before the seal. The segment must not be used
   * afterwards: it is not revoked, because that would cost more than the rest of the create.
   *
   * @throws IllegalStateException after the end of this creation
   */
  public MemorySegment segment() {
    if (ended.get()) {
      throw new IllegalStateException("already sealed or aborted: " + entry.id);
    }
    return entry.segment;
  }

  /**
   * Makes the object immutable and lets everybody see it. When another object of the same name was
   * sealed before, that one stays and this one is dropped: two attempts of one task make the same
   * value.
   *
   * @return whether this object is the one that can be seen
   * @throws IllegalStateException after the end of this creation, and when the store is closed; the
   *     memory has been given back then
   */
  public boolean seal() {
    end();
    return store.seal(entry);
  }

  /**
   * Seals as {@link #seal} does, but as a copy of an object that another node keeps: under pressure
   * it is dropped before anything is written to disk, when nobody has pinned it.
   *
   * @return a pin of the object that can be seen under the name now, which the caller closes; null
   *     when that is gone already, or on disk
   * @throws IllegalStateException as {@link #seal} does
   */
  public @Nullable Pin sealCopy() {
    end();
    return store.sealCopy(entry);
  }

  /**
   * Pins what has been written so far, for who reads it before all is: the bytes stay where they
   * are until the pin is closed, whether this creation is sealed or aborted meanwhile. Only parts
   * of it must be read that are written, and written no more; the pin does not know which.
   *
   * @return the pin, which the caller closes
   * @throws IllegalStateException after the end of this creation
   */
  public Pin pin() {
    return store.pinCreating(entry);
  }

  private void end() {
    if (!ended.compareAndSet(false, true)) {
      throw new IllegalStateException("already sealed or aborted: " + entry.id);
    }
  }

  /** Returns where other processes find the bytes. */
  public Placement placement() {
    return Placement.of(entry);
  }

  /** Gives the memory back. Does nothing after the end of this creation. */
  public void abort() {
    if (ended.compareAndSet(false, true)) {
      store.abort(entry);
    }
  }

  /** Aborts, unless sealed. */
  @Override
  public void close() {
    abort();
  }
}
