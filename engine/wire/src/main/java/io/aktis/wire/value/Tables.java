package io.aktis.wire.value;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Tables of Apache Arrow. They are known by the name of their class, so that programs without Arrow
 * pay for nothing; what reads and writes them is defined once for each Arrow that is met.
 *
 * <p>Thread-safe. Forms are kept with the class of their Arrow and go when it is unloaded.
 */
final class Tables {
  private static final String ROOT = "org.apache.arrow.vector.VectorSchemaRoot";
  private static final String NEEDED_FLAGS =
      "start the JVM with --add-opens=java.base/java.nio=ALL-UNNAMED"
          + " --sun-misc-unsafe-memory-access=allow, and have all of arrow-vector and one of"
          + " arrow-memory-unsafe and arrow-memory-netty on the class path";

  private static final ClassValue<TableForm> FORMS =
      new ClassValue<>() {
        @Override
        protected TableForm computeValue(Class<?> type) {
          return TableLoader.formFor(type.getClassLoader());
        }
      };

  private Tables() {}

  /** Returns whether the values are tables. */
  static boolean isTable(Class<?> type) {
    return type.getName().equals(ROOT);
  }

  /**
   * Borrows the memory of a table.
   *
   * @throws Refusal if it cannot be sent
   */
  static Pieces pieces(Object table) {
    try {
      return Pieces.of(FORMS.get(table.getClass()).pieces(table), table);
    } catch (TableForm.RefusedException e) {
      throw new Refusal(table, String.valueOf(e.getMessage()), e.advice());
    } catch (LinkageError e) {
      throw new IllegalStateException("Apache Arrow does not work here: " + NEEDED_FLAGS, e);
    }
  }

  static Encoded encode(Object table) {
    Encoded.Builder parts = new Encoded.Builder(ValueTag.ARROW);
    parts.buffers = List.of(pieces(table));
    parts.views = true;
    return parts.build();
  }

  /**
   * Decodes a table with the Arrow that a loader finds.
   *
   * @throws ValueDecodeException if there is none, or if the bytes are damaged
   */
  static Object decode(Encoded encoded, ClassLoader loader) {
    Class<?> type;
    try {
      type = Class.forName(ROOT, false, loader);
    } catch (ClassNotFoundException e) {
      throw new ValueDecodeException(
          "the value is a table of Apache Arrow, which is missing here: add"
              + " org.apache.arrow:arrow-vector and arrow-memory-unsafe to the class path",
          e);
    }
    return decode(encoded.payload(), type);
  }

  /**
   * Decodes a table: to a view, if the memory is native, else to a copy.
   *
   * @param type the class of the table
   * @throws ValueDecodeException if the bytes are damaged
   */
  static Object decode(MemorySegment stream, Class<?> type) {
    try {
      return FORMS.get(type).table(Memory.aligned(stream));
    } catch (IOException | RuntimeException e) {
      throw new ValueDecodeException("cannot decode a table of Apache Arrow: " + e.getMessage(), e);
    } catch (LinkageError e) {
      throw new ValueDecodeException("Apache Arrow does not work here: " + NEEDED_FLAGS, e);
    }
  }

  /** Returns a copy that shares nothing with the table. */
  static Object copy(Object table) {
    return decode(pieces(table).memory(), table.getClass());
  }
}
