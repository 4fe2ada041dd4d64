package io.aktis.wire.arrow;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.apache.arrow.memory.AllocationManager;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.ForeignAllocation;
import org.apache.arrow.memory.ReferenceManager;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Memory of tables that nobody has to close: it is let go when it is released, or when nothing of
 * it can be reached any more. Arrow's own memory leaks in the second case.
 *
 * <p>Each table has an allocator of its own, so that no table keeps the accounts, and with them the
 * memory, of another.
 */
final class CollectedMemory {
  static final ArrowBuf EMPTY = new ArrowBuf(ReferenceManager.NO_OP, null, 0, 0);

  private static final AllocationManager.Factory FACTORY =
      new AllocationManager.Factory() {
        @Override
        public AllocationManager create(BufferAllocator accounting, long sizeBytes) {
          return new Chunk(accounting, sizeBytes);
        }

        @Override
        public ArrowBuf empty() {
          return EMPTY;
        }
      };

  private CollectedMemory() {}

  static BufferAllocator allocator() {
    return new RootAllocator(
        RootAllocator.configBuilder().allocationManagerFactory(FACTORY).build());
  }

  /** What Arrow allocates by itself while it loads, such as the validity of a full column. */
  private static final class Chunk extends AllocationManager {
    private static final int ALIGNMENT = 64;

    private final long sizeBytes;
    private final long address;

    @SuppressWarnings("UnusedVariable") // keeps the memory reachable
    private @Nullable MemorySegment memory;

    Chunk(BufferAllocator accounting, long sizeBytes) {
      super(accounting);
      this.sizeBytes = sizeBytes;
      MemorySegment made = Arena.ofAuto().allocate(sizeBytes, ALIGNMENT);
      this.address = made.address();
      this.memory = made;
    }

    @Override
    public long getSize() {
      return sizeBytes;
    }

    @Override
    protected long memoryAddress() {
      return address;
    }

    @Override
    protected void release0() {
      memory = null;
    }
  }

  /** Memory that somebody else made, and keeps as long as the segment can be reached. */
  static final class View extends ForeignAllocation {
    @SuppressWarnings("UnusedVariable") // keeps the memory reachable
    private @Nullable MemorySegment memory;

    View(MemorySegment memory) {
      super(memory.byteSize(), memory.address());
      this.memory = memory;
    }

    @Override
    protected void release0() {
      memory = null;
    }
  }
}
