package io.aktis.wire.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;

/** A decoded table lies in the memory it was opened from, and keeps it as long as it is needed. */
class TableViewTest {
  private final ValueCodec codec = ValueCodec.of(TableViewTest.class.getClassLoader());
  private final CountDownLatch released = new CountDownLatch(1);

  record Named(String name, VectorSchemaRoot table) {}

  /** Memory such as a store hands out: a segment whose end is told. */
  @SuppressWarnings({"restricted", "MustBeClosedChecker"}) // closed when the segment is collected
  private MemorySegment pinned(Object value) {
    Encoded encoded = codec.encode(value);
    Arena arena = Arena.ofShared();
    MemorySegment memory = arena.allocate(encoded.sizeBytes(), 64);
    encoded.writeTo(memory);
    return memory
        .reinterpret(
            Arena.ofAuto(),
            _ -> {
              arena.close();
              released.countDown();
            })
        .asReadOnly();
  }

  private VectorSchemaRoot pinnedTable() {
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot table = SampleTables.ofAllTypes(allocator, 1000)) {
      return (VectorSchemaRoot) codec.decode(Encoded.open(pinned(table)));
    }
  }

  private boolean isReleased() throws InterruptedException {
    for (int i = 0; i < 600; i++) {
      System.gc();
      if (released.await(100, TimeUnit.MILLISECONDS)) {
        return true;
      }
    }
    return false;
  }

  private static void assertLiesIn(MemorySegment memory, FieldVector vector) {
    for (ArrowBuf buffer : vector.getFieldBuffers()) {
      if (buffer.readableBytes() > 0) {
        assertThat(buffer.memoryAddress())
            .as("a buffer of %s", vector.getField())
            .isBetween(
                memory.address(), memory.address() + memory.byteSize() - buffer.readableBytes());
      }
    }
    for (FieldVector child : vector.getChildrenFromFields()) {
      assertLiesIn(memory, child);
    }
  }

  @Test
  void vectors_ofAllTypesInAStore_lieInItsMemory() {
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot table = SampleTables.ofAllTypes(allocator, 1000)) {
      MemorySegment alone = Trips.sealed(codec.encode(table));
      MemorySegment inside = Trips.sealed(codec.encode(new Named("x", table)));

      VectorSchemaRoot one = (VectorSchemaRoot) codec.decode(Encoded.open(alone));
      Named other = (Named) codec.decode(Encoded.open(inside));

      assertThat(Encoded.open(alone).hasViews()).isTrue();
      assertThat(Encoded.open(inside).hasViews()).isTrue();
      one.getFieldVectors().forEach(vector -> assertLiesIn(alone, vector));
      other.table().getFieldVectors().forEach(vector -> assertLiesIn(inside, vector));
    }
  }

  @Test
  void stream_ofAnySizeInAStore_isAlignedAndSoIsItsBody() {
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot table = SampleTables.counting(allocator, 100)) {
      MemorySegment sealed = Trips.sealed(codec.encode(table));
      MemorySegment stream = codec.decodeView(Encoded.open(sealed));
      VectorSchemaRoot back = (VectorSchemaRoot) codec.decode(Encoded.open(sealed));
      assertThat(stream.address() % 64).isZero();
      assertThat(stream.isReadOnly()).isTrue();
      assertThat(back.getVector(0).getValidityBuffer().memoryAddress() % 64).isZero();
    }
  }

  @Test
  void memory_whileAPartOfTheTableIsReachable_isKept() throws InterruptedException {
    VectorSchemaRoot part = pinnedTable().slice(100, 5);
    for (int i = 0; i < 5; i++) {
      System.gc();
      assertThat(released.await(20, TimeUnit.MILLISECONDS)).isFalse();
    }
    assertThat(part.getRowCount()).isEqualTo(5);
    part.close();
    part = null;
    assertThat(isReleased()).isTrue();
  }

  @Test
  void memory_ofATableThatIsClosed_isReleasedThoughTheTableIsReachable()
      throws InterruptedException {
    VectorSchemaRoot table = pinnedTable();
    table.close();
    assertThat(isReleased()).isTrue();
    table.close();
    assertThat(table.getVector("list").getValueCount()).isZero();
  }

  @Test
  void memory_ofATableThatIsDropped_isReleasedByTheCollector() throws InterruptedException {
    VectorSchemaRoot table = pinnedTable();
    assertThat(table.getRowCount()).isEqualTo(1000);
    table = null;
    assertThat(isReleased()).isTrue();
  }

  @Test
  void memory_whileItsTableIsSentOn_isKept() {
    for (int i = 0; i < 20; i++) {
      Encoded encoded = codec.encode(pinnedTable());
      System.gc(); // nobody but the encoding holds the table
      VectorSchemaRoot back = (VectorSchemaRoot) codec.decode(Encoded.open(encoded.toBytes()));
      assertThat(back.getVector("list").getObject(6)).isEqualTo(List.of(60, 61));
    }
  }

  @Test
  void tables_copiedFromMessagesAndNeverClosed_countAsDirectMemoryUntilCollected() {
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot table = SampleTables.counting(allocator, 1 << 20)) {
      byte[] bytes = codec.encode(table).toBytes(); // more than 4 MiB
      long before = directBytes();
      List<VectorSchemaRoot> backs = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        backs.add((VectorSchemaRoot) codec.decode(Encoded.open(bytes)));
      }
      assertThat(directBytes() - before).isGreaterThan(40 << 20);
      assertThat(backs.getLast().getVector(0).getObject(77)).isEqualTo(77);
      backs.clear();
      await(() -> directBytes() - before < 20 << 20);
    }
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  private static void await(BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(60));
      System.gc();
    }
  }
}
