package io.aktis.wire.arrow;

import io.aktis.wire.value.TableForm;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/** Finds what keeps a table from being sent. */
final class TableCheck {
  private TableCheck() {}

  /**
   * Refuses what would come back as another table.
   *
   * @throws TableForm.RefusedException if there is something
   */
  static void check(VectorSchemaRoot root) {
    for (FieldVector vector : root.getFieldVectors()) {
      Field field = vector.getField();
      if (vector.getValueCount() != root.getRowCount()) {
        throw new TableForm.RefusedException(
            "a table of "
                + root.getRowCount()
                + " rows has a column '"
                + field.getName()
                + "' of "
                + vector.getValueCount(),
            "set the rows of all columns with setRowCount, and close the table only afterwards");
      }
      Field encoded = dictionaryEncoded(List.of(field));
      if (encoded != null) {
        throw new TableForm.RefusedException(
            "the column '"
                + encoded.getName()
                + "' is encoded with a dictionary, which a VectorSchemaRoot does not hold",
            "decode it first, with DictionaryEncoder.decode");
      }
    }
  }

  /**
   * Refuses a vector that would come back as one of another class, as those that cannot be null do.
   *
   * @throws TableForm.RefusedException if it would
   */
  static void checkAlone(FieldVector vector) {
    try (FieldVector back = vector.getField().createVector(CollectedMemory.allocator())) {
      if (back.getClass() != vector.getClass()) {
        throw new TableForm.RefusedException(
            "a "
                + vector.getClass().getSimpleName()
                + " alone would come back as a "
                + back.getClass().getSimpleName(),
            "send it in a table: new VectorSchemaRoot(List.of(vector))");
      }
    }
  }

  /** Returns a field of these, or of those inside of them, that is encoded with a dictionary. */
  static @Nullable Field dictionaryEncoded(List<Field> fields) {
    for (Field field : fields) {
      Field found = field.getDictionary() != null ? field : dictionaryEncoded(field.getChildren());
      if (found != null) {
        return found;
      }
    }
    return null;
  }
}
