package io.aktis.wire.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Large arrays and buffers stay out of band: copied once on the way in, viewed on the way out. */
class MemoryTest {
  private final ValueCodec codec = ValueCodec.of(MemoryTest.class.getClassLoader());

  record Named(String name, Object data) {}

  static Stream<Object> arrays() {
    return Stream.of(100, 5000)
        .flatMap(length ->
            Stream.of(
                    boolean.class,
                    byte.class,
                    short.class,
                    char.class,
                    int.class,
                    long.class,
                    float.class,
                    double.class)
                .map(type -> filled(type, length)));
  }

  private static Object filled(Class<?> type, int length) {
    Object array = Array.newInstance(type, length);
    for (int i = 0; i < length; i++) {
      switch (array) {
        case boolean[] flags -> flags[i] = i % 3 == 0;
        case byte[] bytes -> bytes[i] = (byte) i;
        case short[] shorts -> shorts[i] = (short) (i * 31);
        case char[] chars -> chars[i] = (char) (i * 31);
        case int[] ints -> ints[i] = i * 1_000_003;
        case long[] longs -> longs[i] = i * 1_000_000_000_039L;
        case float[] floats -> floats[i] = i / 3f;
        case double[] doubles -> doubles[i] = i / 3.0;
        default -> throw new AssertionError();
      }
    }
    return array;
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, (16 << 20) - 1, 16 << 20, (24 << 20) + 5})
  void copy_ofAnySize_isWholeAndNothingElse(long sizeBytes) {
    try (Arena shared = Arena.ofShared();
        Arena confined = Arena.ofConfined()) {
      MemorySegment from = shared.allocate(sizeBytes);
      for (long at = 0; at < sizeBytes; at += 4093) {
        from.set(ValueLayout.JAVA_BYTE, at, (byte) at);
      }
      for (Arena arena : List.of(shared, confined)) {
        MemorySegment to = arena.allocate(sizeBytes + 10).fill((byte) 7);
        Memory.copy(from, to, 3);
        assertThat(to.asSlice(3, sizeBytes).mismatch(from)).isEqualTo(-1);
        assertThat(Memory.bytes(to.asSlice(0, 3))).containsOnly(7);
        assertThat(Memory.bytes(to.asSlice(sizeBytes + 3))).containsOnly(7);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("arrays")
  void array_byEveryWay_isEqualAndApart(Object array) {
    for (Object back :
        List.of(
            Trips.byMessage(codec, array),
            Trips.byStore(codec, array),
            Trips.fresh(codec, array),
            codec.copy(array),
            Trips.byMessage(codec, new Named("x", array)).data(),
            Trips.byStore(codec, new Named("x", array)).data(),
            Trips.fresh(codec, new Named("x", array)).data(),
            codec.copy(new Named("x", array)).data())) {
      assertThat(Objects.deepEquals(back, array)).isTrue();
      assertThat(back).isNotSameAs(array);
    }
  }

  @ParameterizedTest
  @MethodSource("arrays")
  void arrayInStore_asView_isItsMemory(Object array) {
    MemorySegment view = codec.decodeView(Encoded.open(Trips.sealed(codec.encode(array))));
    ArrayKind kind = ArrayKind.of(array.getClass());
    assertThat(view.byteSize()).isEqualTo(kind.sizeBytes(array));
    assertThat(view.isReadOnly()).isTrue();
    assertThat(Objects.deepEquals(kind.array(view), array)).isTrue();
  }

  @Test
  void largeArray_inTheStore_isAlignedAndViewedWithoutACopy() {
    int[] numbers = (int[]) filled(int.class, 1000);
    MemorySegment sealed = Trips.sealed(codec.encode(numbers));
    MemorySegment view = codec.decodeView(Encoded.open(sealed));
    assertThat(view.address() % 64).isZero();
    assertThat(view.address()).isBetween(sealed.address(), sealed.address() + 128);
    assertThat(view.getAtIndex(ValueLayout.JAVA_INT, 999)).isEqualTo(numbers[999]);
  }

  @Test
  void encoding_ofLargeArrays_borrowsThem() {
    byte[] large = new byte[1 << 20];
    Encoded encoded = codec.encode(new Named("x", large));
    large[17] = 42;
    Named back = (Named) codec.decode(Encoded.open(encoded.toBytes()));
    assertThat(((byte[]) back.data())[17]).isEqualTo((byte) 42);
    assertThat(encoded.inBand().byteSize()).isLessThan(200);
  }

  static Stream<ByteBuffer> buffers() {
    byte[] bytes = (byte[]) filled(byte.class, 5000);
    ByteBuffer direct = ByteBuffer.allocateDirect(5000).put(0, bytes);
    return Stream.of(
        ByteBuffer.wrap(bytes),
        ByteBuffer.wrap(bytes).asReadOnlyBuffer(),
        ByteBuffer.wrap(bytes, 10, 20),
        ByteBuffer.wrap(bytes, 10, 3000).slice().order(ByteOrder.LITTLE_ENDIAN),
        direct,
        direct.duplicate().position(7).limit(11).order(ByteOrder.LITTLE_ENDIAN),
        ByteBuffer.allocate(0));
  }

  @ParameterizedTest
  @MethodSource("buffers")
  void byteBuffer_byEveryWay_isEqualAndReadOnly(ByteBuffer buffer) {
    int position = buffer.position();
    for (ByteBuffer back :
        List.of(
            Trips.byMessage(codec, buffer),
            Trips.byStore(codec, buffer),
            Trips.fresh(codec, buffer),
            codec.copy(buffer),
            (ByteBuffer) Trips.byMessage(codec, new Named("x", buffer)).data(),
            (ByteBuffer) Trips.byStore(codec, new Named("x", buffer)).data(),
            (ByteBuffer) Trips.fresh(codec, new Named("x", buffer)).data(),
            (ByteBuffer) codec.copy(new Named("x", buffer)).data())) {
      assertThat(back).isEqualTo(buffer);
      assertThat(back.order()).isEqualTo(buffer.order());
      assertThat(back.isReadOnly()).isTrue();
      assertThat(back.position()).isZero();
    }
    assertThat(buffer.position()).isEqualTo(position);
  }

  @Test
  void byteBuffer_inTheStore_isAView() {
    ByteBuffer buffer = ByteBuffer.allocate(4096);
    MemorySegment writable = Arena.ofAuto().allocate(codec.encode(buffer).sizeBytes(), 64);
    codec.encode(buffer).writeTo(writable);
    Encoded opened = Encoded.open(writable);
    assertThat(opened.hasViews()).isTrue();
    ByteBuffer back = (ByteBuffer) codec.decode(opened);
    writable.set(ValueLayout.JAVA_BYTE, writable.byteSize() - 1, (byte) 9);
    assertThat(back.get(4095)).isEqualTo((byte) 9);
    assertThatThrownBy(() -> back.put(0, (byte) 1)).isInstanceOf(ReadOnlyBufferException.class);
  }

  @Test
  void decodedCopies_areApartFromTheSender() {
    ByteBuffer buffer = ByteBuffer.allocate(4096);
    MemorySegment segment = Arena.ofAuto().allocate(4096);
    List<ByteBuffer> backs =
        List.of(
            Trips.fresh(codec, buffer),
            codec.copy(buffer),
            (ByteBuffer) codec.copy(new Named("x", buffer)).data());
    MemorySegment backSegment = Trips.fresh(codec, segment);
    buffer.put(0, (byte) 7);
    segment.set(ValueLayout.JAVA_BYTE, 0, (byte) 7);
    assertThat(backs).allSatisfy(back -> assertThat(back.get(0)).isZero());
    assertThat(backSegment.get(ValueLayout.JAVA_BYTE, 0)).isZero();
  }

  @Test
  void memorySegments_byEveryWay_areEqualReadOnlyAndAligned() {
    MemorySegment nativeMemory = Arena.ofAuto().allocate(4000, 8);
    nativeMemory.set(ValueLayout.JAVA_LONG, 8, 4711);
    MemorySegment ofInts = MemorySegment.ofArray(new int[] {1, 2, 3});
    for (MemorySegment segment :
        List.of(nativeMemory, nativeMemory.asSlice(0, 16), ofInts, ofInts.asSlice(4, 4))) {
      for (MemorySegment back :
          List.of(
              Trips.byMessage(codec, segment),
              Trips.byStore(codec, segment),
              Trips.fresh(codec, segment),
              codec.copy(segment),
              (MemorySegment) Trips.byMessage(codec, new Named("x", segment)).data(),
              (MemorySegment) Trips.byStore(codec, new Named("x", segment)).data())) {
        assertThat(back.mismatch(segment)).isEqualTo(-1);
        assertThat(back.isReadOnly()).isTrue();
        assertThat(back.asSlice(0, 4).get(ValueLayout.JAVA_INT, 0))
            .isEqualTo(segment.get(ValueLayout.JAVA_INT, 0));
      }
    }
  }

  @Test
  void confinedSegment_ofThisThread_isCopiedAtOnce() {
    Encoded encoded;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment segment = arena.allocate(4096);
      segment.set(ValueLayout.JAVA_INT, 0, 5);
      encoded = codec.encode(new Named("x", segment));
    }
    Named back = (Named) codec.decode(Encoded.open(encoded.toBytes()));
    assertThat(((MemorySegment) back.data()).get(ValueLayout.JAVA_INT, 0)).isEqualTo(5);
  }

  @Test
  void manyBuffers_inOneValue_areAllAlignedAndDistinct() {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      values.add(filled(long.class, 1000 + i));
      values.add(ByteBuffer.wrap((byte[]) filled(byte.class, 2000 + i)));
    }
    MemorySegment sealed = Trips.sealed(codec.encode(values));
    Encoded opened = Encoded.open(sealed);
    assertThat(opened.buffers()).hasSize(40);
    assertThat(opened.buffers())
        .allSatisfy(
            buffer -> assertThat((buffer.memory().address() - sealed.address()) % 64).isZero());
    List<?> back = (List<?>) codec.decode(opened);
    assertThat(Objects.deepEquals(back.toArray(), values.toArray())).isTrue();
  }

  @Test
  void gapsBetweenBuffers_afterWriting_areZero() {
    Object[] value = {filled(byte.class, 1025), filled(byte.class, 1026)};
    MemorySegment sealed = Trips.sealed(codec.encode(value));
    byte[] again = codec.encode(value).toBytes();
    assertThat(sealed.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(again);
  }

  @Test
  void bytes_cutOffOrDamaged_areReported() {
    byte[] bytes = codec.encode(new Named("x", filled(int.class, 1000))).toBytes();
    for (int length : new int[] {0, 3, 23, 30, 60, 100, bytes.length - 1}) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> codec.decode(Encoded.open(cut)))
          .isInstanceOf(ValueDecodeException.class);
    }
    byte[] future = bytes.clone();
    future[2] = 9;
    assertThatThrownBy(() -> Encoded.open(future)).hasMessageContaining("version 9");
    byte[] unknown = bytes.clone();
    unknown[3] = 120;
    assertThatThrownBy(() -> Encoded.open(unknown)).hasMessageContaining("tag 120");
    assertThatThrownBy(() -> codec.decodeView(codec.encode("text")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void smallValues_thatAreKept_takeLittleMoreThanTheirBytes() {
    byte[] bytes = codec.encode("small").toBytes();
    Encoded[] kept = new Encoded[300_000];
    long before = usedHeapBytes();

    for (int i = 0; i < kept.length; i++) {
      kept[i] = Encoded.open(bytes);
    }

    assertThat((usedHeapBytes() - before) / kept.length).as("bytes for each").isLessThan(72);
    assertThat(codec.decode(kept[kept.length - 1])).isEqualTo("small");
  }

  private static long usedHeapBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
