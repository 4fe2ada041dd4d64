package io.aktis.store;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory of the C library, for systems other than Linux: as many addresses as the capacity, because
 * some systems count them as memory, and nothing is given back before the end.
 */
final class MallocMemory implements StoreMemory {
  private final Arena arena = Arena.ofShared();
  private final MemorySegment segment;

  @SuppressWarnings("restricted") // The launcher and the manifest enable native access.
  private MallocMemory(long allocated, long bytes) {
    long address = ExtentPool.alignUp(allocated, ExtentPool.ALIGNMENT_BYTES);
    this.segment =
        MemorySegment.ofAddress(address)
            .reinterpret(bytes, arena, s -> NativeCalls.Heap.free(allocated));
  }

  static MallocMemory reserve(long capacityBytes) {
    long bytes = ExtentPool.alignUp(capacityBytes, ExtentPool.GRANULE_BYTES);
    long address = NativeCalls.Heap.malloc(bytes + ExtentPool.ALIGNMENT_BYTES);
    if (address == 0) {
      throw new OutOfMemoryError("the system refuses " + bytes + " bytes for the object store");
    }
    return new MallocMemory(address, bytes);
  }

  @Override
  public MemorySegment segment() {
    return segment;
  }

  @Override
  public boolean discard(long offset, long bytes) {
    return false;
  }

  @Override
  public void close() {
    arena.close();
  }
}
