package io.aktis.wire.value;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** The eight kinds of primitive arrays: their tags, and how they become memory and back. */
enum ArrayKind {
  BOOLEANS(boolean[].class, ValueTag.BOOLEANS) {
    @Override
    MemorySegment segment(Object array) {
      boolean[] flags = (boolean[]) array;
      byte[] bytes = new byte[flags.length];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = flags[i] ? (byte) 1 : 0;
      }
      return MemorySegment.ofArray(bytes);
    }

    @Override
    Object array(MemorySegment memory) {
      boolean[] flags = new boolean[Math.toIntExact(memory.byteSize())];
      for (int i = 0; i < flags.length; i++) {
        flags[i] = memory.get(ValueLayout.JAVA_BYTE, i) != 0;
      }
      return flags;
    }

    @Override
    Object copy(Object array) {
      return ((boolean[]) array).clone();
    }

    @Override
    long sizeBytes(Object array) {
      return ((boolean[]) array).length;
    }
  },
  BYTES(byte[].class, ValueTag.BYTES) {
    @Override
    MemorySegment segment(Object array) {
      return MemorySegment.ofArray((byte[]) array);
    }

    @Override
    Object array(MemorySegment memory) {
      return memory.toArray(ValueLayout.JAVA_BYTE);
    }

    @Override
    Object copy(Object array) {
      return ((byte[]) array).clone();
    }

    @Override
    long sizeBytes(Object array) {
      return ((byte[]) array).length;
    }
  },
  SHORTS(short[].class, ValueTag.SHORTS) {
    @Override
    MemorySegment segment(Object array) {
      return MemorySegment.ofArray((short[]) array);
    }

    @Override
    Object array(MemorySegment memory) {
      return memory.toArray(ValueLayout.JAVA_SHORT_UNALIGNED);
    }

    @Override
    Object copy(Object array) {
      return ((short[]) array).clone();
    }

    @Override
    long sizeBytes(Object array) {
      return ((short[]) array).length * (long) Short.BYTES;
    }
  },
  CHARS(char[].class, ValueTag.CHARS) {
    @Override
    MemorySegment segment(Object array) {
      return MemorySegment.ofArray((char[]) array);
    }

    @Override
    Object array(MemorySegment memory) {
      return memory.toArray(ValueLayout.JAVA_CHAR_UNALIGNED);
    }

    @Override
    Object copy(Object array) {
      return ((char[]) array).clone();
    }

    @Override
    long sizeBytes(Object array) {
      return ((char[]) array).length * (long) Character.BYTES;
    }
  },
  INTS(int[].class, ValueTag.INTS) {
    @Override
    MemorySegment segment(Object array) {
      return MemorySegment.ofArray((int[]) array);
    }

    @Override
    Object array(MemorySegment memory) {
      return memory.toArray(ValueLayout.JAVA_INT_UNALIGNED);
    }

    @Override
    Object copy(Object array) {
      return ((int[]) array).clone();
    }

    @Override
    long sizeBytes(Object array) {
      return ((int[]) array).length * (long) Integer.BYTES;
    }
  },
  LONGS(long[].class, ValueTag.LONGS) {
    @Override
    MemorySegment segment(Object array) {
      return MemorySegment.ofArray((long[]) array);
    }

    @Override
    Object array(MemorySegment memory) {
      return memory.toArray(ValueLayout.JAVA_LONG_UNALIGNED);
    }

    @Override
    Object copy(Object array) {
      return ((long[]) array).clone();
    }

    @Override
    long sizeBytes(Object array) {
      return ((long[]) array).length * (long) Long.BYTES;
    }
  },
  FLOATS(float[].class, ValueTag.FLOATS) {
    @Override
    MemorySegment segment(Object array) {
      return MemorySegment.ofArray((float[]) array);
    }

    @Override
    Object array(MemorySegment memory) {
      return memory.toArray(ValueLayout.JAVA_FLOAT_UNALIGNED);
    }

    @Override
    Object copy(Object array) {
      return ((float[]) array).clone();
    }

    @Override
    long sizeBytes(Object array) {
      return ((float[]) array).length * (long) Float.BYTES;
    }
  },
  DOUBLES(double[].class, ValueTag.DOUBLES) {
    @Override
    MemorySegment segment(Object array) {
      return MemorySegment.ofArray((double[]) array);
    }

    @Override
    Object array(MemorySegment memory) {
      return memory.toArray(ValueLayout.JAVA_DOUBLE_UNALIGNED);
    }

    @Override
    Object copy(Object array) {
      return ((double[]) array).clone();
    }

    @Override
    long sizeBytes(Object array) {
      return ((double[]) array).length * (long) Double.BYTES;
    }
  };

  private static final ArrayKind[] ALL = values();

  final Class<?> type;
  final ValueTag tag;

  ArrayKind(Class<?> type, ValueTag tag) {
    this.type = type;
    this.tag = tag;
  }

  /** Returns the kind of a class, null if it is not that of a primitive array. */
  static @Nullable ArrayKind of(Class<?> type) {
    if (!type.isArray() || !type.componentType().isPrimitive()) {
      return null;
    }
    for (ArrayKind kind : ALL) {
      if (kind.type == type) {
        return kind;
      }
    }
    return null;
  }

  /** Returns the kind that has that tag, null if the tag is of something else. */
  static @Nullable ArrayKind of(ValueTag tag) {
    int index = tag.ordinal() - ValueTag.BOOLEANS.ordinal();
    return index >= 0 && index < ALL.length ? ALL[index] : null;
  }

  /** Returns the elements as memory: the array itself, save that flags are copied. */
  abstract MemorySegment segment(Object array);

  /** Returns a new array with the elements that the memory holds. */
  abstract Object array(MemorySegment memory);

  abstract Object copy(Object array);

  abstract long sizeBytes(Object array);
}
