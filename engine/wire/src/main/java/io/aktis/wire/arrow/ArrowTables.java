package io.aktis.wire.arrow;

import io.aktis.wire.value.TableForm;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * The form of a {@link VectorSchemaRoot}: a stream in Arrow's IPC format of its schema, one record
 * batch and the mark of the end.
 *
 * <p>Thread-safe.
 */
public final class ArrowTables implements TableForm {
  /** Makes one; called by its name, see {@link io.aktis.wire.arrow}. */
  public ArrowTables() {}

  @Override
  public List<MemorySegment> pieces(Object table) {
    VectorSchemaRoot root = (VectorSchemaRoot) table;
    TableCheck.check(root);
    return TablePieces.of(root);
  }

  @Override
  public Object table(MemorySegment stream) throws IOException {
    return TableView.of(stream);
  }
}
