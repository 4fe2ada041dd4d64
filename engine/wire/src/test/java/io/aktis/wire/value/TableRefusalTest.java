package io.aktis.wire.value;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ZeroVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryEncoder;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

/** What of Arrow cannot be sent says so, and what to do. */
class TableRefusalTest {
  private final ValueCodec codec = ValueCodec.of(TableRefusalTest.class.getClassLoader());

  record Holder(String name, Object content) {}

  private AbstractThrowableAssert<?, ?> assertRefused(Object value) {
    assertThatThrownBy(() -> codec.copy(value)).isInstanceOf(ValueNotSerializableException.class);
    return assertThatThrownBy(() -> codec.encode(value))
        .isInstanceOf(ValueNotSerializableException.class);
  }

  @Test
  void column_encodedWithADictionary_isRefusedByName() {
    try (BufferAllocator allocator = new RootAllocator();
        VarCharVector words = new VarCharVector("word", allocator);
        VarCharVector text = new VarCharVector("text", allocator)) {
      words.setSafe(0, new byte[] {'a'});
      words.setValueCount(1);
      text.setSafe(0, new byte[] {'a'});
      text.setValueCount(1);
      Dictionary dictionary = new Dictionary(words, new DictionaryEncoding(7, false, null));
      try (FieldVector encoded = (FieldVector) DictionaryEncoder.encode(text, dictionary);
          VectorSchemaRoot table = VectorSchemaRoot.of(encoded)) {
        assertRefused(table)
            .hasMessageContaining("the column 'text' is encoded with a dictionary")
            .hasMessageContaining("DictionaryEncoder.decode");
        assertRefused(new Holder("x", table)).hasMessageContaining("Holder ▸ field content");
      }
    }
  }

  @Test
  void table_whoseRowsWereNotSet_isRefused() {
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot table = SampleTables.counting(allocator, 3)) {
      table.getVector(0).setValueCount(2);
      assertRefused(table)
          .hasMessageContaining("a table of 3 rows has a column 'number' of 2")
          .hasMessageContaining("setRowCount");
    }
  }

  @Test
  void table_thatIsClosed_isRefused() {
    try (BufferAllocator allocator = new RootAllocator()) {
      VectorSchemaRoot table = SampleTables.counting(allocator, 3);
      table.close();
      assertRefused(table).hasMessageContaining("of 0").hasMessageContaining("close");
    }
  }

  @Test
  void buffer_ofAVector_isRefused() {
    try (BufferAllocator allocator = new RootAllocator();
        IntVector vector = new IntVector("x", allocator)) {
      vector.setSafe(0, 1);
      assertRefused(vector.getDataBuffer()).hasMessageContaining("ArrowBuf");
      assertRefused(List.of(vector.getDataBuffer())).hasMessageContaining("[0]");
    }
  }

  @Test
  void vector_thatWouldComeBackAsAnother_isRefused() {
    try (ZeroVector vector = new ZeroVector("x")) {
      assertRefused(vector)
          .hasMessageContaining("ZeroVector alone would come back as a NullVector")
          .hasMessageContaining("new VectorSchemaRoot(List.of(vector))");
    }
  }

  @Test
  void vector_ofAClassOfTheUsers_isRefused() {
    class Mine extends ListVector {
      Mine(BufferAllocator allocator) {
        super("x", allocator, FieldType.nullable(ArrowType.List.INSTANCE), null);
      }
    }
    try (BufferAllocator allocator = new RootAllocator();
        Mine vector = new Mine(allocator)) {
      assertRefused(vector).hasMessageContaining("without classes of your own");
    }
  }

  @Test
  void allocator_inAValue_isRefused() {
    try (BufferAllocator allocator = new RootAllocator()) {
      assertRefused(new Holder("x", allocator))
          .hasMessageContaining("RootAllocator")
          .hasMessageContaining("make it inside the task");
    }
  }

  @Test
  void table_ofAClassOfTheUsers_isRefused() {
    class Mine extends VectorSchemaRoot {
      Mine(FieldVector vector) {
        super(List.of(vector));
      }
    }
    try (BufferAllocator allocator = new RootAllocator();
        Mine table = new Mine(new IntVector("x", allocator))) {
      assertRefused(table).hasMessageContaining("without classes of your own");
    }
  }
}
