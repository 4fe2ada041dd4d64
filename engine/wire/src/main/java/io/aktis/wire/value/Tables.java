package io.aktis.wire.value;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Tables and vectors of Apache Arrow; a vector is sent as a table of one column. They are known by
 * the name of their class, so that programs without Arrow pay for nothing; what reads and writes
 * them is defined once for each Arrow that is met.
 *
 * <p>Thread-safe. Forms are kept with the class of their Arrow and go when it is unloaded.
 */
final class Tables {
  private static final String VECTORS = "org.apache.arrow.vector.";
  private static final String ROOT = VECTORS + "VectorSchemaRoot";
  private static final String VECTOR = VECTORS + "FieldVector";
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

  /** Returns whether the values are tables or vectors, of Arrow's own classes. */
  static boolean isArrow(Class<?> type) {
    String name = type.getName();
    return name.startsWith(VECTORS) && (name.equals(ROOT) || isVector(type));
  }

  private static boolean isVector(Class<?> type) {
    for (Class<?> above = type; above != null; above = above.getSuperclass()) {
      for (Class<?> face : above.getInterfaces()) {
        if (face.getName().equals(VECTOR) || isVector(face)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns the form for values of a class of Arrow. */
  private static TableForm formFor(Class<?> type) {
    try {
      return FORMS.get(Class.forName(ROOT, false, type.getClassLoader()));
    } catch (ClassNotFoundException e) {
      throw new NoClassDefFoundError(ROOT);
    }
  }

  /**
   * Borrows the memory of a table or a vector.
   *
   * @throws Refusal if it cannot be sent
   */
  static Pieces pieces(Object value) {
    try {
      return Pieces.of(formFor(value.getClass()).pieces(value), value);
    } catch (TableForm.RefusedException e) {
      throw new Refusal(value, String.valueOf(e.getMessage()), e.advice());
    } catch (LinkageError e) {
      throw new IllegalStateException("Apache Arrow does not work here: " + NEEDED_FLAGS, e);
    }
  }

  static Encoded encode(Object value) {
    boolean isTable = value.getClass().getName().equals(ROOT);
    Encoded.Builder parts = new Encoded.Builder(isTable ? ValueTag.ARROW : ValueTag.ARROW_VECTOR);
    parts.buffers = List.of(pieces(value));
    parts.views = true;
    return parts.build();
  }

  /**
   * Decodes a table or a vector with the Arrow that a loader finds.
   *
   * @throws ValueDecodeException if there is none, or if the bytes are damaged
   */
  static Object decode(Encoded encoded, ClassLoader loader) {
    Class<?> root;
    try {
      root = Class.forName(ROOT, false, loader);
    } catch (ClassNotFoundException e) {
      throw new ValueDecodeException(
          "the value is of Apache Arrow, which is missing here: add"
              + " org.apache.arrow:arrow-vector and arrow-memory-unsafe to the class path",
          e);
    }
    return decode(encoded.payload(), root, encoded.tag() == ValueTag.ARROW);
  }

  /**
   * Decodes a table or a vector: to a view, if the memory is native, else to a copy.
   *
   * @param type the class of the value
   * @throws ValueDecodeException if the bytes are damaged
   */
  static Object decode(MemorySegment stream, Class<?> type) {
    return decode(stream, type, type.getName().equals(ROOT));
  }

  private static Object decode(MemorySegment stream, Class<?> type, boolean isTable) {
    try {
      MemorySegment aligned = Memory.aligned(stream);
      TableForm form = formFor(type);
      return isTable ? form.table(aligned) : form.vector(aligned);
    } catch (IOException | RuntimeException e) {
      String what = isTable ? "table" : "vector";
      throw new ValueDecodeException(
          "cannot decode a " + what + " of Apache Arrow: " + e.getMessage(), e);
    } catch (LinkageError e) {
      throw new ValueDecodeException("Apache Arrow does not work here: " + NEEDED_FLAGS, e);
    }
  }

  /** Returns a copy that shares nothing with the table or vector. */
  static Object copy(Object value) {
    return decode(pieces(value).memory(), value.getClass());
  }
}
