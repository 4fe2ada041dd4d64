package io.aktis.wire.value;

import java.util.Arrays;
import java.util.Map;
import org.apache.fory.Fory;
import org.apache.fory.memory.MemoryBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One Fory and the state of the one encoding or decoding that it is busy with.
 *
 * <p>Fory runs without generated code. Generated serializers are 1.2 to 1.6 times as fast here, but
 * each class costs 50 to 400 ms in the thread that first meets it, and leaves a class loader
 * behind.
 *
 * <p>No registry is shared between units: Fory would share the serializers of arrays through it,
 * and ours know their unit.
 *
 * <p>Confined to the thread that took it from the {@link UnitPool}. A unit whose operation failed
 * is thrown away: Fory does not promise to be usable after that.
 */
final class ForyUnit {
  private static final int START_BYTES = 512;
  private static final int KEEP_BYTES = 64 * 1024;
  private static final int MAX_DEPTH = 30_000;

  private final Fory fory;
  private final HandleHooks hooks;
  private final Outgoing outgoing;
  private @Nullable Incoming incoming;
  private MemoryBuffer out = MemoryBuffer.newHeapBuffer(START_BYTES);

  ForyUnit(ClassLoader loader, HandleHooks hooks, Map<String, Class<?>> handleTypes) {
    this.hooks = hooks;
    this.outgoing = new Outgoing(hooks);
    this.fory =
        Fory.builder()
            .withXlang(false)
            .withCompatible(false)
            .withRefTracking(true)
            .requireClassRegistration(false)
            .withCodegen(false)
            .withMaxDepth(MAX_DEPTH)
            .withMaxGraphMemoryBytes(Long.MAX_VALUE)
            .withMaxUnbackedContainerItems(Integer.MAX_VALUE)
            .withSerializerFactory(new SerializerTable(this))
            .withClassLoader(loader)
            .build();
    SerializerTable.register(fory, this, handleTypes);
  }

  /** Encodes a value other than null. */
  Encoded encode(Object value) {
    try {
      write(value);
      Encoded.Builder parts = new Encoded.Builder(ValueTag.JAVA);
      int length = out.writerIndex();
      parts.inBand(takeBytes(length), length);
      outgoing.addTo(parts);
      return parts.build();
    } finally {
      finish();
    }
  }

  /** Encodes a failure whose description has been made, some parts of it as descriptions only. */
  Encoded encodeThrowable(
      Throwable throwable, ThrowableStory story, ThrowableCodec.Substitutes substitutes) {
    try {
      outgoing.tell(story, substitutes);
      write(throwable);
      Encoded.Builder parts = new Encoded.Builder(ValueTag.THROWABLE);
      int length = out.writerIndex();
      parts.inBand(story.followedBy(out.getHeapMemory(), length));
      outgoing.addTo(parts);
      return parts.build();
    } finally {
      finish();
    }
  }

  /** Tries {@link #encodeThrowable}, for its failure only. */
  void tryThrowable(
      Throwable throwable, ThrowableStory story, ThrowableCodec.Substitutes substitutes) {
    try {
      outgoing.tell(story, substitutes);
      write(throwable);
    } finally {
      finish();
    }
  }

  private void write(Object value) {
    out.writerIndex(0);
    fory.serialize(out, value);
  }

  /** Returns an array that starts with what was written; a large one is given away, not copied. */
  private byte[] takeBytes(int length) {
    byte[] written = out.getHeapMemory();
    boolean given = written.length > KEEP_BYTES && length >= written.length / 2;
    return given ? written : Arrays.copyOf(written, length);
  }

  /** Forgets the encoding that is over; a large array is not kept, it may be given away. */
  private void finish() {
    outgoing.clear();
    if (out.getHeapMemory().length > KEEP_BYTES) {
      out = MemoryBuffer.newHeapBuffer(START_BYTES);
    }
  }

  /** Decodes what {@link #encode} made. */
  Object decode(Encoded encoded) {
    int length = Math.toIntExact(encoded.inBandBytes());
    return read(
        Incoming.of(hooks, encoded, null), encoded.inBandArray(), encoded.inBandStart(), length);
  }

  /** Decodes the object behind the description of a failure. */
  Throwable decodeThrowable(Encoded encoded, ThrowableStory story, byte[] object) {
    return (Throwable) read(Incoming.of(hooks, encoded, story), object, 0, object.length);
  }

  /** Encodes and decodes at once. */
  Object copy(Object value) {
    try {
      write(value);
      Object[] tokens = outgoing.export();
      try {
        return read(
            Incoming.ofCopy(hooks, tokens, outgoing.buffers()),
            out.getHeapMemory(),
            0,
            out.writerIndex());
      } finally {
        for (Object token : tokens) {
          hooks.release(token);
        }
      }
    } finally {
      finish();
    }
  }

  private Object read(Incoming from, byte[] array, int start, int length) {
    incoming = from;
    try {
      return fory.deserialize(MemoryBuffer.fromByteArray(array, start, length));
    } finally {
      incoming = null;
    }
  }

  /** Returns whether instances of the class can be encoded as far as their class tells. */
  boolean knows(Class<?> type) {
    try {
      return !(fory.getSerializer(type) instanceof RefusingSerializer);
    } catch (RuntimeException e) {
      return false;
    }
  }

  Outgoing outgoing() {
    return outgoing;
  }

  Incoming incoming() {
    if (incoming == null) {
      throw new IllegalStateException("nothing is being decoded");
    }
    return incoming;
  }
}
