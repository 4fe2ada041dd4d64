package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.Aktis;
import io.aktis.NotSerializableException;
import io.aktis.ObjectRef;
import io.aktis.testkit.EngineTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.junit.jupiter.api.Test;

/** Tables of Apache Arrow, which the program brings and the engine does not have. */
@EngineTest(cpus = 2, objectStoreBytes = 32 << 20)
class ArrowTest {
  private static final int ROWS = 200_000;

  record Labelled(String label, VectorSchemaRoot table) {}

  /** A table of that many rows: a number, null in each third row, and its text. */
  private static VectorSchemaRoot table(BufferAllocator allocator, int rows) {
    IntVector numbers = new IntVector("number", allocator);
    VarCharVector texts = new VarCharVector("text", allocator);
    for (int i = 0; i < rows; i++) {
      if (i % 3 != 2) {
        numbers.setSafe(i, i);
      }
      texts.setSafe(i, Integer.toString(i).getBytes(StandardCharsets.UTF_8));
    }
    numbers.setValueCount(rows);
    texts.setValueCount(rows);
    return VectorSchemaRoot.of(numbers, texts);
  }

  /** Who makes a table closes it: the store has its copy. */
  static ObjectRef<VectorSchemaRoot> put(int rows) {
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot table = table(allocator, rows)) {
      return Aktis.put(table);
    }
  }

  static long sum(VectorSchemaRoot table) {
    IntVector numbers = (IntVector) table.getVector("number");
    long sum = 0;
    for (int i = 0; i < table.getRowCount(); i++) {
      sum += numbers.isNull(i) ? 0 : numbers.get(i);
    }
    return sum;
  }

  private static void assertWhole(VectorSchemaRoot table, int rows) {
    long expected = 0;
    for (int i = 0; i < rows; i++) {
      expected += i % 3 == 2 ? 0 : i;
    }
    assertThat(table.getRowCount()).isEqualTo(rows);
    assertThat(sum(table)).isEqualTo(expected);
    assertThat(table.getVector("number").isNull(rows - rows % 3 - 1)).isTrue();
    assertThat(table.getVector("text").getObject(rows - 1)).hasToString(String.valueOf(rows - 1));
  }

  /** Asked where the value lies: the program may be on a machine without a node. */
  static boolean isGotWhereItLies(List<ObjectRef<VectorSchemaRoot>> ref) {
    MemorySegment stored = ref.getFirst().view();
    long address = ref.getFirst().get().getVector("number").getDataBufferAddress();
    return address >= stored.address() && address < stored.address() + stored.byteSize();
  }

  @Test
  @Semantics("3.buffers.arrow")
  void table_madeByATask_isReadByOthersWhereItLies() {
    ObjectRef<VectorSchemaRoot> ref = Aktis.task(ArrowTest::put, ROWS).remote().get();

    VectorSchemaRoot table = ref.get();

    assertWhole(table, ROWS);
    assertThat(Aktis.task(ArrowTest::sum, ref).remote().get()).isEqualTo(sum(table));
    assertThat(Aktis.task(ArrowTest::isGotWhereItLies, List.of(ref)).remote().get()).isTrue();
    table.close();
    table.close();
    assertWhole(ref.get(), ROWS);
  }

  @Test
  @Semantics("3.buffers.arrow")
  void table_ofAnySizeOrInsideAValue_isReadByATask() {
    for (int rows : new int[] {3, 1000, ROWS}) {
      ObjectRef<VectorSchemaRoot> ref = put(rows);

      assertWhole(ref.get(), rows);
      assertThat(Aktis.task(ArrowTest::sum, ref).remote().get()).isEqualTo(sum(ref.get()));
      Labelled back =
          Aktis.task((VectorSchemaRoot table) -> new Labelled("x", table), ref).remote().get();
      assertThat(back.label()).isEqualTo("x");
      assertWhole(back.table(), rows);
    }
  }

  @Test
  @Semantics({"3.buffers.arrow", "3.put.copy"})
  void table_changedOrClosedAfterPut_keepsWhatWasPut() {
    try (BufferAllocator allocator = new RootAllocator()) {
      VectorSchemaRoot table = table(allocator, ROWS);
      ObjectRef<VectorSchemaRoot> ref = Aktis.put(table);
      ((IntVector) table.getVector("number")).set(0, 99);
      table.close();

      assertWhole(ref.get(), ROWS);
    }
  }

  @Test
  @Semantics({"3.buffers.arrow", "3.buffers.pinned"})
  void table_heldAfterItsReferenceWasClosed_keepsItsContent() {
    ObjectRef<VectorSchemaRoot> ref = put(ROWS);
    VectorSchemaRoot table = ref.get();
    ref.close();

    for (int i = 0; i < 100; i++) {
      Aktis.put(new byte[1 << 20]).close();
    }

    assertWhole(table, ROWS);
  }

  @Test
  @Semantics("3.buffers.arrow")
  void table_viewed_isAStreamOfArrow() {
    MemorySegment stream = put(ROWS).view();

    assertThat(stream.isReadOnly()).isTrue();
    assertThat(stream.get(ValueLayout.JAVA_INT_UNALIGNED, 0)).isEqualTo(-1);
    assertThat(stream.get(ValueLayout.JAVA_LONG_UNALIGNED, stream.byteSize() - 8))
        .isEqualTo(0xFFFF_FFFFL);
  }

  /** With the buffers of NIO that Arrow makes by reflection. */
  static long sumByArrowsOwnReader(List<ObjectRef<VectorSchemaRoot>> ref) throws IOException {
    byte[] stream = ref.getFirst().view().toArray(ValueLayout.JAVA_BYTE);
    try (BufferAllocator allocator = new RootAllocator();
        ArrowStreamReader reader =
            new ArrowStreamReader(new ByteArrayInputStream(stream), allocator)) {
      reader.loadNextBatch();
      return sum(reader.getVectorSchemaRoot());
    }
  }

  @Test
  @Semantics("3.buffers.arrow")
  @SeveralProcesses("the options of the JVM are those of the program")
  void stream_readInATaskByArrowsOwnReader_isTheTable() {
    ObjectRef<VectorSchemaRoot> ref = put(ROWS);

    assertThat(Aktis.task(ArrowTest::sumByArrowsOwnReader, List.of(ref)).remote().get())
        .isEqualTo(sum(ref.get()));
  }

  record Column(String name, IntVector vector) {}

  static ObjectRef<IntVector> putVector(int rows) {
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot table = table(allocator, rows)) {
      return Aktis.put((IntVector) table.getVector("number"));
    }
  }

  static long sumOf(IntVector numbers) {
    return sum(new VectorSchemaRoot(List.of(numbers)));
  }

  /** Asked where the value lies: the program may be on a machine without a node. */
  static boolean isVectorGotWhereItLies(List<ObjectRef<IntVector>> ref) {
    MemorySegment stored = ref.getFirst().view();
    long address = ref.getFirst().get().getDataBufferAddress();
    return address >= stored.address() && address < stored.address() + stored.byteSize();
  }

  @Test
  @Semantics("3.buffers.arrow")
  void vector_aloneOrInsideAValue_isReadByATaskWhereItLies() {
    for (int rows : new int[] {3, ROWS}) {
      ObjectRef<IntVector> ref = putVector(rows);

      long sum = sumOf(ref.get());
      assertThat(ref.get().getValueCount()).isEqualTo(rows);
      assertThat(ref.get().getName()).isEqualTo("number");
      assertThat(Aktis.task(ArrowTest::sumOf, ref).remote().get()).isEqualTo(sum);
      Column back = Aktis.task((IntVector vector) -> new Column("x", vector), ref).remote().get();
      assertThat(sumOf(back.vector())).isEqualTo(sum);
    }
    ObjectRef<IntVector> made = Aktis.task(ArrowTest::putVector, ROWS).remote().get();
    assertThat(Aktis.task(ArrowTest::isVectorGotWhereItLies, List.of(made)).remote().get())
        .isTrue();
  }

  @Test
  @Semantics("3.buffers.arrow")
  void memoryOfAVector_isRefusedWithTheWayOut() {
    try (BufferAllocator allocator = new RootAllocator();
        IntVector vector = new IntVector("x", allocator)) {
      vector.setSafe(0, 1);
      assertThatThrownBy(() -> Aktis.put(vector.getDataBuffer()))
          .isInstanceOf(NotSerializableException.class)
          .hasMessageContaining("send a vector or a table");
    }
  }
}
