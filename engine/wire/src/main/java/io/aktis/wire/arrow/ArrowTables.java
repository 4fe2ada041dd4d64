package io.aktis.wire.arrow;

import io.aktis.wire.value.TableForm;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * The form of a {@link VectorSchemaRoot}: a stream in Arrow's IPC format of its schema, one record
 * batch and the mark of the end. A {@link FieldVector} is a table of one column.
 *
 * <p>Thread-safe.
 */
public final class ArrowTables implements TableForm {
  /** Makes one; called by its name, see {@link io.aktis.wire.arrow}. */
  public ArrowTables() {}

  @Override
  public List<MemorySegment> pieces(Object value) {
    VectorSchemaRoot root =
        value instanceof FieldVector vector ? tableOf(vector) : (VectorSchemaRoot) value;
    TableCheck.check(root);
    return TablePieces.of(root);
  }

  private static VectorSchemaRoot tableOf(FieldVector vector) {
    TableCheck.checkAlone(vector);
    return new VectorSchemaRoot(List.of(vector));
  }

  @Override
  public Object table(MemorySegment stream) throws IOException {
    return TableView.of(stream);
  }

  @Override
  public Object vector(MemorySegment stream) throws IOException {
    List<FieldVector> vectors = TableView.of(stream).getFieldVectors();
    if (vectors.size() != 1) {
      throw new IOException("a vector has one column, and this table " + vectors.size());
    }
    return vectors.getFirst();
  }
}
