package io.aktis.runtime.port;

import io.aktis.ObjectStoreFullException;
import io.aktis.core.id.ObjectId;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The object store that this process uses: that of its node. Thread-safe; methods that wait may be
 * called by any thread but those that bring messages in.
 */
public interface StorePort {
  /**
   * Takes room for an object if there is some at once.
   *
   * @return {@code null} when there is none now
   * @throws ObjectStoreFullException when there can never be enough
   */
  @Nullable Writing tryCreate(ObjectId id, long sizeBytes);

  /**
   * Takes room for an object; waits until there is some.
   *
   * @throws ObjectStoreFullException when there is none in time
   * @throws IllegalStateException when the store is closed
   */
  Writing create(ObjectId id, long sizeBytes) throws InterruptedException;

  /**
   * Holds the bytes of an object until the reading is closed; brings them here first if they lie
   * elsewhere.
   *
   * @return {@code null} when there is no such object any more
   */
  @Nullable Reading pin(ObjectId id, Location at);

  /**
   * Returns the bytes of an object, read-only, for as long as the segment or a part of it is
   * reachable; brings them here first if they lie elsewhere.
   *
   * @return {@code null} when there is no such object any more
   */
  default @Nullable MemorySegment view(ObjectId id, Location at) {
    Reading reading = pin(id, at);
    return reading == null ? null : reading.keep();
  }

  /** An object in the making. Confined to one thread. Closing drops it unless it was sealed. */
  interface Writing extends AutoCloseable {
    /** Returns the memory to write to, of the size that was asked for. */
    MemorySegment segment();

    /** Makes the object visible to all, for good. */
    void seal();

    @Override
    void close();
  }

  /** An object that is held. */
  interface Reading extends AutoCloseable {
    /** Returns the bytes, read-only; not to be used after {@link #close}. */
    MemorySegment segment();

    /**
     * Closes this, and returns the bytes for as long as the segment or a part of it is reachable,
     * as {@link StorePort#view} does. Once, and not after the close.
     */
    MemorySegment keep();

    @Override
    void close();
  }
}
