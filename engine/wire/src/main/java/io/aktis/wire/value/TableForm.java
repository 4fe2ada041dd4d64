package io.aktis.wire.value;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The form of tables and vectors of one version of Apache Arrow: implemented by classes that are
 * defined beside that Arrow, which the engine itself does not have. Not for others to implement.
 *
 * <p>Thread-safe.
 */
public interface TableForm {
  /**
   * Returns the bytes of a table, or of a vector as a table of one column, as pieces that lie one
   * after the other. They borrow its memory, which must be neither closed nor collected until they
   * are copied.
   *
   * @throws RefusedException if the value cannot be sent
   */
  List<MemorySegment> pieces(Object value);

  /**
   * Returns a table whose vectors lie in that memory.
   *
   * @param stream native memory that does not change; reachable from the table until it is closed
   * @throws IOException if the bytes cannot be read
   */
  Object table(MemorySegment stream) throws IOException;

  /**
   * Returns the one column of a table as {@link #table} does.
   *
   * @param stream as there
   * @throws IOException if the bytes cannot be read, or the table has not one column
   */
  Object vector(MemorySegment stream) throws IOException;

  /** Says why a table or vector cannot be sent, and what to do about it. */
  final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String advice;

    /** Makes one. */
    public RefusedException(String reason, String advice) {
      super(reason, null, false, false);
      this.advice = advice;
    }

    /** Returns what the user can do. */
    public String advice() {
      return advice;
    }
  }
}
