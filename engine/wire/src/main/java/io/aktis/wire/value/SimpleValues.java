package io.aktis.wire.value;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The values that have tags of their own: numbers, strings, arrays of numbers, and memory. */
final class SimpleValues {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfChar CHAR =
      ValueLayout.JAVA_CHAR_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfDouble DOUBLE =
      ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final int SHORT_TEXT = 64;
  private static final Encoded NULL = new Encoded.Builder(ValueTag.NULL).build();

  private SimpleValues() {}

  /** Encodes a value that has a tag of its own; returns null for any other. */
  static @Nullable Encoded encode(@Nullable Object value) {
    return switch (value) {
      case null -> NULL;
      case String text -> ofText(text);
      case Number number -> ofNumber(number);
      case Boolean flag -> of(ValueTag.BOOLEAN, new byte[] {flag ? (byte) 1 : 0});
      case Character unit -> {
        byte[] bytes = new byte[Character.BYTES];
        MemorySegment.ofArray(bytes).set(CHAR, 0, unit);
        yield of(ValueTag.CHAR, bytes);
      }
      case ByteBuffer buffer -> {
        Encoded.Builder parts = new Encoded.Builder(ValueTag.BUFFER);
        parts.detail = (byte) (buffer.order() == ByteOrder.LITTLE_ENDIAN ? 1 : 0);
        yield ofMemory(parts, Memory.of(buffer));
      }
      case MemorySegment memory ->
          ofMemory(new Encoded.Builder(ValueTag.SEGMENT), Memory.of(memory));
      default -> ofArray(value);
    };
  }

  private static @Nullable Encoded ofNumber(Number value) {
    byte[] bytes = new byte[Long.BYTES];
    MemorySegment memory = MemorySegment.ofArray(bytes);
    switch (value) {
      case Integer number -> memory.set(INT, 0, number);
      case Long number -> memory.set(LONG, 0, number);
      case Double number -> memory.set(DOUBLE, 0, number);
      case Float number -> memory.set(FLOAT, 0, number);
      case Short number -> memory.set(SHORT, 0, number);
      case Byte number -> bytes[0] = number;
      default -> {
        return null;
      }
    }
    ValueTag tag = tagOf(value);
    return new Encoded.Builder(tag).inBand(bytes, numberBytes(tag)).build();
  }

  private static ValueTag tagOf(Number value) {
    return switch (value) {
      case Integer _ -> ValueTag.INT;
      case Long _ -> ValueTag.LONG;
      case Double _ -> ValueTag.DOUBLE;
      case Float _ -> ValueTag.FLOAT;
      case Short _ -> ValueTag.SHORT;
      default -> ValueTag.BYTE;
    };
  }

  private static int numberBytes(ValueTag tag) {
    return switch (tag) {
      case LONG, DOUBLE -> Long.BYTES;
      case INT, FLOAT -> Integer.BYTES;
      case SHORT -> Short.BYTES;
      default -> Byte.BYTES;
    };
  }

  private static @Nullable Encoded ofText(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return isWellFormed(text, utf8) ? of(ValueTag.STRING, utf8) : null;
  }

  /** Returns whether UTF-8 has kept the text; it cannot say surrogates that have no partner. */
  private static boolean isWellFormed(String text, byte[] utf8) {
    if (text.length() > SHORT_TEXT) {
      return text.equals(new String(utf8, StandardCharsets.UTF_8));
    }
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return text.equals(new String(utf8, StandardCharsets.UTF_8));
      }
    }
    return true;
  }

  private static @Nullable Encoded ofArray(Object value) {
    ArrayKind kind = ArrayKind.of(value.getClass());
    return kind == null ? null : new Encoded.Builder(kind.tag).payload(kind.segment(value)).build();
  }

  private static Encoded ofMemory(Encoded.Builder parts, MemorySegment memory) {
    parts.payload(memory);
    parts.views = !parts.buffers.isEmpty();
    return parts.build();
  }

  private static Encoded of(ValueTag tag, byte[] payload) {
    return new Encoded.Builder(tag).inBand(payload).build();
  }

  /** Decodes a value that has a tag of its own. */
  static @Nullable Object decode(Encoded encoded) {
    MemorySegment payload = encoded.payload();
    boolean sealed = encoded.isSealed();
    return switch (encoded.tag()) {
      case NULL -> null;
      case BOOLEAN -> payload.get(ValueLayout.JAVA_BYTE, 0) != 0;
      case BYTE -> payload.get(ValueLayout.JAVA_BYTE, 0);
      case SHORT -> payload.get(SHORT, 0);
      case CHAR -> payload.get(CHAR, 0);
      case INT -> payload.get(INT, 0);
      case LONG -> payload.get(LONG, 0);
      case FLOAT -> payload.get(FLOAT, 0);
      case DOUBLE -> payload.get(DOUBLE, 0);
      case STRING -> new String(Memory.bytes(payload), StandardCharsets.UTF_8);
      case BUFFER -> Memory.asBuffer(payload, sealed && encoded.hasViews(), encoded.detail() == 1);
      case SEGMENT -> Memory.asSegment(payload, sealed && encoded.hasViews());
      default -> {
        ArrayKind kind = ArrayKind.of(encoded.tag());
        if (kind == null) {
          throw new ValueDecodeException("a " + encoded.tag() + " is no simple value", null);
        }
        yield kind.array(payload);
      }
    };
  }

  /** Decodes an array, a buffer, a segment or a table to memory that cannot be written. */
  static MemorySegment view(Encoded encoded) {
    boolean hasView =
        switch (encoded.tag()) {
          case BUFFER, SEGMENT, ARROW, ARROW_VECTOR -> true;
          default -> ArrayKind.of(encoded.tag()) != null;
        };
    if (!hasView) {
      throw new IllegalArgumentException("a " + encoded.tag() + " has no view");
    }
    return Memory.asSegment(encoded.payload(), encoded.isSealed());
  }
}
