package io.aktis.store;

import java.lang.foreign.MemorySegment;

/**
 * One range of memory for all objects of a store. Reserving it costs addresses only: memory comes
 * with the first write to a page.
 */
interface StoreMemory extends AutoCloseable {
  /** How a store comes by its memory, when it creates its first object. */
  @FunctionalInterface
  interface Source {
    /**
     * Reserves a range for objects of {@code capacityBytes} together: longer than that, where
     * addresses are cheap, so that there is always a gap of the right length.
     *
     * @throws OutOfMemoryError when the operating system refuses
     */
    StoreMemory reserve(long capacityBytes);
  }

  /** Returns the whole range, aligned to {@link ExtentPool#ALIGNMENT_BYTES} at least. */
  MemorySegment segment();

  /**
   * Gives the memory behind a part of the range back to the operating system. What it held is lost;
   * it may be written again. Both numbers are multiples of {@link ExtentPool#GRANULE_BYTES}.
   *
   * @return false when that is not possible: then nothing has changed
   */
  boolean discard(long offset, long bytes);

  /**
   * Makes sure that a part of the range can be written: an access to memory that a file system
   * cannot back would end the process. May take long, so it is called without the store's lock, for
   * parts that are in use and hence not discarded meanwhile. Thread-safe.
   *
   * @return false when the file system has no room for it
   */
  default boolean back(long offset, long bytes) {
    return true;
  }

  /** Returns the bytes that can be written without asking {@link #back} again. Thread-safe. */
  default long backedBytes() {
    return segment().byteSize();
  }

  /** Nobody new will use the memory: removes its name, where it has one. Thread-safe. */
  default void retire() {}

  /** Gives everything back. An access to a segment of it fails from now on, it does not crash. */
  @Override
  void close();

  /** Reserves what suits the operating system. */
  static StoreMemory reserve(long capacityBytes) {
    return NativeCalls.isLinux()
        ? MappedMemory.reserve(capacityBytes)
        : MallocMemory.reserve(capacityBytes);
  }
}
