package io.aktis.store;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

final class StoreMemoryTest {
  private static final long CAPACITY = 3L * ExtentPool.GRANULE_BYTES;

  @Test
  void malloc_isAlignedAndWritable_untilClosed() {
    MallocMemory memory = MallocMemory.reserve(CAPACITY - 1);
    checkRange(memory, CAPACITY);
    assertThat(memory.discard(0, ExtentPool.GRANULE_BYTES)).isFalse();
    assertThat(memory.segment().get(JAVA_BYTE, 0)).isEqualTo((byte) 1);
    checkClose(memory);
  }

  @Test
  void mapped_isAlignedAndWritable_untilClosed() {
    assumeTrue(NativeCalls.isLinux());
    MappedMemory memory = MappedMemory.reserve(CAPACITY - 1);
    assertThat(memory.segment().address() % ExtentPool.GRANULE_BYTES).isZero();
    checkRange(memory, 2 * CAPACITY);
    checkClose(memory);
  }

  @Test
  void mapped_discarded_losesItsBytesOnly() {
    assumeTrue(NativeCalls.isLinux());
    MappedMemory memory = MappedMemory.reserve(CAPACITY);
    MemorySegment segment = memory.segment().fill((byte) 1);
    assertThat(memory.discard(ExtentPool.GRANULE_BYTES, ExtentPool.GRANULE_BYTES)).isTrue();

    assertThat(segment.get(JAVA_BYTE, ExtentPool.GRANULE_BYTES - 1)).isEqualTo((byte) 1);
    assertThat(segment.get(JAVA_BYTE, ExtentPool.GRANULE_BYTES)).isZero();
    assertThat(segment.get(JAVA_BYTE, 2 * ExtentPool.GRANULE_BYTES)).isEqualTo((byte) 1);
    memory.close();
  }

  @Test
  void reserve_ofMoreThanTheSystemHas_fails() {
    assertThatThrownBy(() -> StoreMemory.reserve(1L << 56)).isInstanceOf(OutOfMemoryError.class);
  }

  private static void checkRange(StoreMemory memory, long bytes) {
    MemorySegment segment = memory.segment();
    assertThat(segment.byteSize()).isEqualTo(bytes);
    assertThat(segment.address() % ExtentPool.ALIGNMENT_BYTES).isZero();
    segment.fill((byte) 1);
    assertThat(segment.get(JAVA_BYTE, bytes - 1)).isEqualTo((byte) 1);
  }

  private static void checkClose(StoreMemory memory) {
    MemorySegment segment = memory.segment();
    memory.close();
    assertThatThrownBy(() -> segment.get(JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
  }
}
