package io.aktis.wire.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tables of Apache Arrow are streams out of band, written with one copy and read where they lie.
 */
class TableTest {
  private final ValueCodec codec = ValueCodec.of(TableTest.class.getClassLoader());

  record Named(String name, VectorSchemaRoot table) {}

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 50, 1000})
  void table_ofAllTypesByEveryWay_isTheSame(int rows) {
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot table = SampleTables.ofAllTypes(allocator, rows)) {
      for (VectorSchemaRoot back :
          List.of(
              Trips.byMessage(codec, table),
              Trips.byStore(codec, table),
              Trips.fresh(codec, table),
              codec.copy(table),
              Trips.byMessage(codec, new Named("x", table)).table(),
              Trips.byStore(codec, new Named("x", table)).table(),
              Trips.fresh(codec, new Named("x", table)).table(),
              codec.copy(new Named("x", table)).table())) {
        SampleTables.assertSameContent(back, table);
        assertThat(back).isNotSameAs(table);
      }
    }
  }

  /** Whoever writes to memory that is mapped for reading only kills the JVM. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 50})
  void table_inMemoryThatCannotBeWritten_isReadAndSentOn(int rows, @TempDir Path directory)
      throws IOException {
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot table = SampleTables.ofAllTypes(allocator, rows)) {
      Path file = Files.write(directory.resolve("value"), codec.encode(table).toBytes());
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
          Arena arena = Arena.ofShared()) {
        MemorySegment mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
        VectorSchemaRoot back = (VectorSchemaRoot) codec.decode(Encoded.open(mapped));
        SampleTables.assertSameContent(back, table);
        SampleTables.assertSameContent(Trips.byMessage(codec, back), table);
        if (rows > 4) {
          try (VectorSchemaRoot part = back.slice(2, 3)) {
            assertThat(part.getRowCount()).isEqualTo(3);
          }
        }
        back.close();
      }
    }
  }

  record Column(String name, FieldVector vector) {}

  /** Each column of all types, alone. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 50})
  void vector_ofAnyTypeByEveryWay_isTheSame(int rows) {
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot table = SampleTables.ofAllTypes(allocator, rows)) {
      for (FieldVector vector : table.getFieldVectors()) {
        for (FieldVector back :
            List.of(
                Trips.byMessage(codec, vector),
                Trips.byStore(codec, vector),
                codec.copy(vector),
                Trips.byStore(codec, new Column("x", vector)).vector(),
                codec.copy(new Column("x", vector)).vector())) {
          assertThat(back).isNotSameAs(vector).hasSameClassAs(vector);
          SampleTables.assertSameContent(
              new VectorSchemaRoot(List.of(back)), new VectorSchemaRoot(List.of(vector)));
        }
      }
    }
  }

  @Test
  void vector_alone_isAStreamOfOneColumn() throws IOException {
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot table = SampleTables.counting(allocator, 1000)) {
      Encoded encoded = codec.encode(table.getVector(0));
      assertThat(encoded.tag()).isEqualTo(ValueTag.ARROW_VECTOR);
      byte[] stream =
          codec.decodeView(Encoded.open(Trips.sealed(encoded))).toArray(ValueLayout.JAVA_BYTE);
      try (ArrowStreamReader reader =
          new ArrowStreamReader(new ByteArrayInputStream(stream), allocator)) {
        assertThat(reader.loadNextBatch()).isTrue();
        SampleTables.assertSameContent(reader.getVectorSchemaRoot(), table);
      }
    }
  }

  @Test
  void slice_ofATable_isThatPart() {
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot table = SampleTables.small(allocator);
        VectorSchemaRoot part = table.slice(1, 3)) {
      SampleTables.assertSameContent(Trips.byStore(codec, part), part);
      assertThat(Trips.byStore(codec, part).getVector("number").getObject(1)).isEqualTo(2000);
    }
  }

  @Test
  void table_withoutColumns_keepsItsRows() {
    VectorSchemaRoot back = Trips.byStore(codec, new VectorSchemaRoot(List.of(), List.of(), 7));
    assertThat(back.getRowCount()).isEqualTo(7);
    assertThat(back.getFieldVectors()).isEmpty();
  }

  @Test
  void table_ofManyMiB_isWhole() {
    int rows = 20_000_000;
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot table = SampleTables.counting(allocator, rows)) {
      Encoded encoded = codec.encode(table);
      assertThat(encoded.sizeBytes()).isBetween(rows * 4L, rows * 4L + rows / 8 + 2000);

      VectorSchemaRoot back = (VectorSchemaRoot) codec.decode(Encoded.open(Trips.sealed(encoded)));

      IntVector numbers = (IntVector) back.getVector(0);
      for (int i = 0; i < rows; i++) {
        if (numbers.get(i) != i) {
          assertThat(numbers.get(i)).isEqualTo(i);
        }
      }
    }
  }

  @Test
  void tableMetTwice_inOneValue_isOneAgain() {
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot table = SampleTables.small(allocator)) {
      List<?> back = Trips.byStore(codec, List.of(table, "between", table));
      assertThat(back.get(0)).isSameAs(back.get(2));
      SampleTables.assertSameContent((VectorSchemaRoot) back.get(0), table);
    }
  }

  @Test
  void tables_amongOtherBuffers_findTheirOwn() {
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot one = SampleTables.small(allocator);
        VectorSchemaRoot other = SampleTables.counting(allocator, 1000)) {
      byte[] large = new byte[5000];
      Arrays.fill(large, (byte) 3);
      Object[] back = Trips.byStore(codec, new Object[] {large, one, large.clone(), other});
      assertThat(back[0]).isEqualTo(large);
      SampleTables.assertSameContent((VectorSchemaRoot) back[1], one);
      SampleTables.assertSameContent((VectorSchemaRoot) back[3], other);
    }
  }

  @Test
  void bytes_ofATable_areReadByArrowsOwnReader() throws IOException {
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot table = SampleTables.ofAllTypes(allocator, 50)) {
      MemorySegment view = codec.decodeView(Encoded.open(Trips.sealed(codec.encode(table))));
      byte[] stream = view.toArray(ValueLayout.JAVA_BYTE);

      try (ArrowStreamReader reader =
          new ArrowStreamReader(new ByteArrayInputStream(stream), allocator)) {
        assertThat(reader.loadNextBatch()).isTrue();
        SampleTables.assertSameContent(reader.getVectorSchemaRoot(), table);
        assertThat(reader.loadNextBatch()).isFalse();
        assertThat(reader.bytesRead()).isEqualTo(stream.length);
      }
    }
  }

  @Test
  void encoding_ofATable_borrowsItAndCopiesOnce() {
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot table = SampleTables.counting(allocator, 1000)) {
      Encoded encoded = codec.encode(table);
      ((IntVector) table.getVector(0)).set(17, 4711);
      VectorSchemaRoot back = (VectorSchemaRoot) codec.decode(Encoded.open(encoded.toBytes()));
      assertThat(back.getVector(0).getObject(17)).isEqualTo(4711);
    }
  }

  @Test
  void copies_ofATable_areApartFromIt() {
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot table = SampleTables.counting(allocator, 1000)) {
      List<VectorSchemaRoot> backs =
          List.of(
              Trips.fresh(codec, table),
              codec.copy(table),
              codec.copy(new Named("x", table)).table(),
              (VectorSchemaRoot) codec.decode(codec.encode(table).detached()));
      ((IntVector) table.getVector(0)).set(17, 4711);
      assertThat(backs)
          .allSatisfy(back -> assertThat(back.getVector(0).getObject(17)).isEqualTo(17));
      assertThat(codec.isImmutable(table)).isFalse();
      assertThat(codec.isImmutable(new Named("x", table))).isFalse();
    }
  }

  @Test
  void sizeOfATable_explained_isThatOfItsStream() {
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot table = SampleTables.counting(allocator, 100_000)) {
      SizeReport report = codec.explainSize(new Named("x", table));
      assertThat(report.totalBytes()).isGreaterThan(400_000);
      assertThat(report.path()).contains("field table");
    }
  }

  @Test
  void bytes_cutOffOrDamaged_areReported() {
    byte[] bytes;
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot table = SampleTables.small(allocator)) {
      bytes = codec.encode(table).toBytes();
    }
    byte[] noStream = bytes.clone();
    noStream[64] = 0;
    assertThatThrownBy(() -> codec.decode(Encoded.open(noStream)))
        .isInstanceOf(ValueDecodeException.class)
        .hasMessageContaining("not a stream of Arrow");
    byte[] noSchema = bytes.clone();
    Arrays.fill(noSchema, 68, 72, (byte) 0);
    assertThatThrownBy(() -> codec.decode(Encoded.open(noSchema)))
        .isInstanceOf(ValueDecodeException.class)
        .hasMessageContaining("starts with a schema");
    byte[] tooLong = bytes.clone();
    Arrays.fill(tooLong, 68, 71, (byte) 0x7f);
    assertThatThrownBy(() -> codec.decode(Encoded.open(tooLong)))
        .isInstanceOf(ValueDecodeException.class)
        .hasMessageContaining("cannot decode a table");
  }
}
