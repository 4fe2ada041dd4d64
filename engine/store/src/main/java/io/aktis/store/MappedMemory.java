package io.aktis.store;

import io.aktis.core.invariant.Invariant;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory mapped from Linux: twice the capacity in addresses, in huge pages where the system grants
 * them, given back granule by granule.
 */
final class MappedMemory implements StoreMemory {
  private static final int ADDRESSES_PER_CAPACITY = 2;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment segment;

  @SuppressWarnings("restricted") // The launcher and the manifest enable native access.
  private MappedMemory(long mappedAddress, long mappedBytes, long bytes) {
    long address = ExtentPool.alignUp(mappedAddress, ExtentPool.GRANULE_BYTES);
    NativeCalls.Mapping.preferHugePages(address, bytes);
    this.segment =
        MemorySegment.ofAddress(address)
            .reinterpret(bytes, arena, s -> unmap(mappedAddress, mappedBytes));
  }

  static MappedMemory reserve(long capacityBytes) {
    long capacity = ExtentPool.alignUp(capacityBytes, ExtentPool.GRANULE_BYTES);
    // A system that counts addresses as memory (strict overcommit, a limit of the shell) gets the
    // second try.
    for (long bytes = capacity * ADDRESSES_PER_CAPACITY; bytes >= capacity; bytes -= capacity) {
      long mappedBytes = bytes + ExtentPool.GRANULE_BYTES;
      long address = NativeCalls.Mapping.map(mappedBytes);
      if (address != 0) {
        return new MappedMemory(address, mappedBytes, bytes);
      }
    }
    throw new OutOfMemoryError(
        "the system refuses " + capacity + " bytes of addresses for the object store");
  }

  @Override
  public MemorySegment segment() {
    return segment;
  }

  @Override
  public boolean discard(long offset, long bytes) {
    return NativeCalls.Mapping.drop(segment.address() + offset, bytes);
  }

  @Override
  public void close() {
    arena.close();
  }

  private static void unmap(long address, long bytes) {
    Invariant.check(NativeCalls.Mapping.unmap(address, bytes), "mapped pages can be unmapped");
  }
}
