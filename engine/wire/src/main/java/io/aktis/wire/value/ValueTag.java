package io.aktis.wire.value;

/**
 * What the payload of an encoded value is. Everything but {@link #JAVA} and the second half of
 * {@link #THROWABLE} can be read in any language; numbers are little-endian.
 */
public enum ValueTag {
  /** No value; empty payload. */
  NULL(0),
  /** One byte, 0 or 1. */
  BOOLEAN(1),
  /** A signed 8-bit integer. */
  BYTE(2),
  /** A signed 16-bit integer. */
  SHORT(3),
  /** A UTF-16 code unit, 2 bytes. */
  CHAR(4),
  /** A signed 32-bit integer. */
  INT(5),
  /** A signed 64-bit integer. */
  LONG(6),
  /** An IEEE 754 number of 32 bits. */
  FLOAT(7),
  /** An IEEE 754 number of 64 bits. */
  DOUBLE(8),
  /** UTF-8. Strings that UTF-8 cannot say (lone surrogates) are {@link #JAVA}. */
  STRING(9),

  /** {@code boolean[]}, a byte each. */
  BOOLEANS(16),
  /** {@code byte[]}. */
  BYTES(17),
  /** {@code short[]}. */
  SHORTS(18),
  /** {@code char[]}, UTF-16 code units. */
  CHARS(19),
  /** {@code int[]}. */
  INTS(20),
  /** {@code long[]}. */
  LONGS(21),
  /** {@code float[]}. */
  FLOATS(22),
  /** {@code double[]}. */
  DOUBLES(23),

  /**
   * The bytes of a {@code ByteBuffer}; the detail byte is its order, 0 big- and 1 little-endian.
   */
  BUFFER(32),
  /** The bytes of a {@code MemorySegment}. */
  SEGMENT(33),
  /**
   * A table of Arrow, buffer 0: a stream in Arrow's IPC format of a schema, one record batch and
   * the mark of the end. Any reader of such streams can take it as it lies.
   */
  ARROW(34),
  /** A vector of Arrow, buffer 0: a stream as of {@link #ARROW}, whose one column it is. */
  ARROW_VECTOR(35),

  /** One handle, the only one in the table; empty payload. */
  HANDLE(48),

  /** A Java object graph, for Java processes of the same job. */
  JAVA(64),
  /** A failure: a description for everybody, then the Java object if it could be encoded. */
  THROWABLE(65);

  private static final ValueTag[] BY_CODE = new ValueTag[128];

  static {
    for (ValueTag tag : values()) {
      BY_CODE[tag.code] = tag;
    }
  }

  private final byte code;

  ValueTag(int code) {
    this.code = (byte) code;
  }

  /** Returns the number that stands for this tag in the bytes. */
  public byte code() {
    return code;
  }

  /**
   * Returns the tag with that number.
   *
   * @throws ValueDecodeException if there is none
   */
  public static ValueTag of(byte code) {
    ValueTag tag = code < 0 ? null : BY_CODE[code];
    if (tag == null) {
      throw new ValueDecodeException("unknown value tag " + code, null);
    }
    return tag;
  }
}
