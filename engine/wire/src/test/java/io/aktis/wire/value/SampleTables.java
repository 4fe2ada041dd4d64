package io.aktis.wire.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VariableWidthFieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.DenseUnionVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.LargeListViewVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.ListViewVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.RunEndEncodedVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.complex.UnionVector;
import org.apache.arrow.vector.complex.impl.UnionMapWriter;
import org.apache.arrow.vector.holders.NullableIntHolder;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.IntervalUnit;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.Types.MinorType;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** Makes and compares tables. */
final class SampleTables {
  private static final ArrowType INT = new ArrowType.Int(32, true);

  private SampleTables() {}

  /** A table of two columns with nulls: numbers and text. */
  static VectorSchemaRoot small(BufferAllocator allocator) {
    IntVector numbers = new IntVector("number", allocator);
    VarCharVector texts = new VarCharVector("text", allocator);
    for (int i = 0; i < 5; i++) {
      if (i % 3 != 1) {
        numbers.setSafe(i, i * 1000);
        texts.setSafe(i, ("text " + i).getBytes(StandardCharsets.UTF_8));
      }
    }
    numbers.setValueCount(5);
    texts.setValueCount(5);
    return VectorSchemaRoot.of(numbers, texts);
  }

  /** A table of one column of integers, 0 to {@code rows}, without nulls. */
  static VectorSchemaRoot counting(BufferAllocator allocator, int rows) {
    IntVector numbers = new IntVector("number", allocator);
    numbers.allocateNew(rows);
    for (int i = 0; i < rows; i++) {
      numbers.set(i, i);
    }
    numbers.setValueCount(rows);
    return VectorSchemaRoot.of(numbers);
  }

  /** A column of each type, every third value null where the type allows it. */
  static VectorSchemaRoot ofAllTypes(BufferAllocator allocator, int rows) {
    List<FieldVector> vectors = new ArrayList<>();
    for (ArrowType type : flatTypes()) {
      FieldVector vector = Field.nullable("c" + vectors.size(), type).createVector(allocator);
      fill(vector, rows);
      vectors.add(vector);
    }
    vectors.add(list(allocator, rows));
    vectors.add(largeList(allocator, rows));
    vectors.add(fixedSizeList(allocator, rows));
    vectors.add(listView(allocator, rows));
    vectors.add(largeListView(allocator, rows));
    vectors.add(struct(allocator, rows));
    if (rows > 0) { // else it has no types of keys and values
      vectors.add(map(allocator, rows));
    }
    vectors.add(sparseUnion(allocator, rows));
    if (rows > 1) {
      vectors.add(denseUnion(allocator, rows));
      vectors.add(runEndEncoded(allocator, rows));
    }
    Schema schema =
        new Schema(vectors.stream().map(FieldVector::getField).toList(), Map.of("made", "here"));
    return new VectorSchemaRoot(schema, vectors, rows);
  }

  private static List<ArrowType> flatTypes() {
    List<ArrowType> types = new ArrayList<>();
    types.add(ArrowType.Null.INSTANCE);
    types.add(ArrowType.Bool.INSTANCE);
    for (int bits : new int[] {8, 16, 32, 64}) {
      types.add(new ArrowType.Int(bits, true));
      types.add(new ArrowType.Int(bits, false));
    }
    for (FloatingPointPrecision precision : FloatingPointPrecision.values()) {
      types.add(new ArrowType.FloatingPoint(precision));
    }
    for (DateUnit unit : DateUnit.values()) {
      types.add(new ArrowType.Date(unit));
    }
    for (TimeUnit unit : TimeUnit.values()) {
      types.add(new ArrowType.Time(unit, unit.ordinal() < 2 ? 32 : 64));
      types.add(new ArrowType.Timestamp(unit, null));
      types.add(new ArrowType.Timestamp(unit, "Europe/Berlin"));
      types.add(new ArrowType.Duration(unit));
    }
    for (IntervalUnit unit : IntervalUnit.values()) {
      types.add(new ArrowType.Interval(unit));
    }
    types.add(new ArrowType.Decimal(10, 2, 128));
    types.add(new ArrowType.Decimal(50, 2, 256));
    types.add(new ArrowType.FixedSizeBinary(5));
    types.add(ArrowType.Utf8.INSTANCE);
    types.add(ArrowType.Binary.INSTANCE);
    types.add(ArrowType.LargeUtf8.INSTANCE);
    types.add(ArrowType.LargeBinary.INSTANCE);
    types.add(ArrowType.Utf8View.INSTANCE);
    types.add(ArrowType.BinaryView.INSTANCE);
    return types;
  }

  private static void fill(FieldVector vector, int rows) {
    vector.setInitialCapacity(Math.max(1, rows));
    vector.allocateNew();
    for (int i = 0; i < rows; i++) {
      if (i % 3 == 1) {
        vector.setNull(i);
      } else {
        set(vector, i);
      }
    }
    vector.setValueCount(rows);
  }

  private static void set(FieldVector vector, int i) {
    switch (vector) {
      case BitVector bits -> bits.setSafe(i, i % 2);
      case BaseFixedWidthVector fixed -> {
        BitVectorHelper.setBit(fixed.getValidityBuffer(), i);
        fixed.getDataBuffer().setZero((long) i * fixed.getTypeWidth(), fixed.getTypeWidth());
        fixed.getDataBuffer().setByte((long) i * fixed.getTypeWidth(), i);
      }
      case VariableWidthFieldVector variable ->
          variable.setSafe(i, ("v" + "x".repeat(i)).getBytes(StandardCharsets.UTF_8));
      default -> {} // of nothing but nulls
    }
  }

  private static FieldVector list(BufferAllocator allocator, int rows) {
    ListVector lists = ListVector.empty("list", allocator);
    IntVector elements = (IntVector) lists.addOrGetVector(FieldType.nullable(INT)).getVector();
    int at = 0;
    for (int i = 0; i < rows; i++) {
      if (i % 3 == 1) {
        lists.setNull(i);
        continue;
      }
      lists.startNewValue(i);
      for (int j = 0; j < i % 4; j++) {
        elements.setSafe(at++, i * 10 + j);
      }
      lists.endValue(i, i % 4);
    }
    elements.setValueCount(at);
    lists.setValueCount(rows);
    return lists;
  }

  private static FieldVector largeList(BufferAllocator allocator, int rows) {
    LargeListVector lists = LargeListVector.empty("large list", allocator);
    IntVector elements = (IntVector) lists.addOrGetVector(FieldType.nullable(INT)).getVector();
    for (int i = 0; i < rows; i++) {
      lists.startNewValue(i);
      elements.setSafe(i, i);
      lists.endValue(i, 1);
    }
    elements.setValueCount(rows);
    lists.setValueCount(rows);
    return lists;
  }

  private static FieldVector fixedSizeList(BufferAllocator allocator, int rows) {
    FixedSizeListVector lists = FixedSizeListVector.empty("fixed size list", 2, allocator);
    IntVector elements = (IntVector) lists.addOrGetVector(FieldType.nullable(INT)).getVector();
    lists.allocateNew();
    for (int i = 0; i < rows; i++) {
      if (i % 3 != 1) {
        lists.setNotNull(i);
        elements.setSafe(2 * i, i);
        elements.setSafe(2 * i + 1, -i);
      }
    }
    lists.setValueCount(rows);
    return lists;
  }

  private static FieldVector listView(BufferAllocator allocator, int rows) {
    ListViewVector lists = ListViewVector.empty("list view", allocator);
    IntVector elements = (IntVector) lists.addOrGetVector(FieldType.nullable(INT)).getVector();
    lists.allocateNew();
    for (int i = 0; i < rows; i++) {
      lists.startNewValue(i);
      elements.setSafe(i, i);
      lists.endValue(i, 1);
    }
    elements.setValueCount(rows);
    lists.setValueCount(rows);
    return lists;
  }

  private static FieldVector largeListView(BufferAllocator allocator, int rows) {
    LargeListViewVector lists = LargeListViewVector.empty("large list view", allocator);
    IntVector elements = (IntVector) lists.addOrGetVector(FieldType.nullable(INT)).getVector();
    lists.allocateNew();
    for (int i = 0; i < rows; i++) {
      lists.startNewValue(i);
      elements.setSafe(i, i);
      lists.endValue(i, 1);
    }
    elements.setValueCount(rows);
    lists.setValueCount(rows);
    return lists;
  }

  private static FieldVector struct(BufferAllocator allocator, int rows) {
    StructVector structs = StructVector.empty("struct", allocator);
    IntVector numbers = structs.addOrGet("n", FieldType.nullable(INT), IntVector.class);
    VarCharVector texts =
        structs.addOrGet("t", FieldType.nullable(ArrowType.Utf8.INSTANCE), VarCharVector.class);
    structs.allocateNew();
    for (int i = 0; i < rows; i++) {
      if (i % 3 != 1) {
        structs.setIndexDefined(i);
        numbers.setSafe(i, i);
        texts.setSafe(i, ("t" + i).getBytes(StandardCharsets.UTF_8));
      }
    }
    structs.setValueCount(rows);
    return structs;
  }

  private static FieldVector map(BufferAllocator allocator, int rows) {
    MapVector maps = MapVector.empty("map", allocator, false);
    UnionMapWriter writer = maps.getWriter();
    writer.allocate();
    for (int i = 0; i < rows; i++) {
      writer.setPosition(i);
      writer.startMap();
      writer.startEntry();
      writer.key().integer().writeInt(i);
      writer.value().integer().writeInt(-i);
      writer.endEntry();
      writer.endMap();
    }
    writer.setValueCount(rows);
    return maps;
  }

  private static FieldVector sparseUnion(BufferAllocator allocator, int rows) {
    UnionVector unions = UnionVector.empty("sparse union", allocator);
    for (int i = 0; i < rows; i++) {
      unions.setType(i, MinorType.INT);
      unions.setSafe(i, holder(i));
    }
    unions.setValueCount(rows);
    return unions;
  }

  private static FieldVector denseUnion(BufferAllocator allocator, int rows) {
    DenseUnionVector unions = DenseUnionVector.empty("dense union", allocator);
    byte first = unions.registerNewTypeId(Field.nullable("a", INT));
    byte second = unions.registerNewTypeId(Field.nullable("b", INT));
    for (int i = 0; i < rows; i++) {
      unions.setTypeId(i, i % 2 == 0 ? first : second);
      unions.setSafe(i, holder(i));
    }
    unions.setValueCount(rows);
    return unions;
  }

  private static NullableIntHolder holder(int value) {
    NullableIntHolder holder = new NullableIntHolder();
    holder.isSet = 1;
    holder.value = value;
    return holder;
  }

  private static FieldVector runEndEncoded(BufferAllocator allocator, int rows) {
    Field field =
        new Field(
            "run-end encoded",
            FieldType.notNullable(ArrowType.RunEndEncoded.INSTANCE),
            List.of(
                new Field("run_ends", FieldType.notNullable(INT), null),
                Field.nullable("values", INT)));
    RunEndEncodedVector runs = (RunEndEncodedVector) field.createVector(allocator);
    IntVector ends = (IntVector) runs.getRunEndsVector();
    IntVector values = (IntVector) runs.getValuesVector();
    ends.setSafe(0, 1);
    ends.setSafe(1, rows);
    ends.setValueCount(2);
    values.setSafe(0, 11);
    values.setSafe(1, 12);
    values.setValueCount(2);
    runs.setValueCount(rows);
    return runs;
  }

  static void assertSameContent(VectorSchemaRoot actual, VectorSchemaRoot expected) {
    assertThat(actual.getRowCount()).isEqualTo(expected.getRowCount());
    assertThat(actual.getSchema().getCustomMetadata())
        .isEqualTo(expected.getSchema().getCustomMetadata());
    assertThat(actual.getFieldVectors()).hasSameSizeAs(expected.getFieldVectors());
    for (int column = 0; column < expected.getFieldVectors().size(); column++) {
      FieldVector wanted = expected.getVector(column);
      FieldVector found = actual.getVector(column);
      assertThat(found.getField()).isEqualTo(wanted.getField());
      assertThat(found.getValueCount()).isEqualTo(expected.getRowCount());
      assertThat(found.getNullCount()).isEqualTo(wanted.getNullCount());
      for (int row = 0; row < expected.getRowCount(); row++) {
        assertThat(Objects.deepEquals(found.getObject(row), wanted.getObject(row)))
            .as("column %s, row %s: %s", wanted.getField(), row, found.getObject(row))
            .isTrue();
      }
    }
  }
}
