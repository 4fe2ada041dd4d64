package io.aktis.wire.value;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The ways a value can take: as a message, through a store, and within the process. */
final class Trips {
  private Trips() {}

  @SuppressWarnings("unchecked")
  static <T> T byMessage(ValueCodec codec, T value) {
    return (T) codec.decode(Encoded.open(codec.encode(value).toBytes()));
  }

  @SuppressWarnings("unchecked")
  static <T> T byStore(ValueCodec codec, T value) {
    return (T) codec.decode(Encoded.open(sealed(codec.encode(value))));
  }

  @SuppressWarnings("unchecked")
  static <T> T fresh(ValueCodec codec, T value) {
    return (T) codec.decode(codec.encode(value));
  }

  /** Writes to a segment as a store would: aligned, with other bytes before it was used. */
  static MemorySegment sealed(Encoded encoded) {
    MemorySegment memory = Arena.ofAuto().allocate(encoded.sizeBytes(), 64);
    memory.fill((byte) 0x5a);
    encoded.writeTo(memory);
    return memory.asReadOnly();
  }
}
