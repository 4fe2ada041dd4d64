package io.aktis.wire.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.Serializable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Shared is what can never change; whatever is not known to be is copied. */
@SuppressWarnings({"ArrayRecordComponent", "JavaUtilDate", "UnnecessaryStringBuilder"}) // shapes
class SharingTest {
  private final ValueCodec codec = ValueCodec.of(SharingTest.class.getClassLoader());

  record Point(int x, int y) {}

  record Named(String name, Point at, TimeUnit unit, Duration length, ZoneId zone) {}

  record Chain(String name, Chain next) {}

  record Box<T>(T value) {}

  record WithArray(int[] numbers) {}

  record WithList(List<String> words) {}

  sealed interface Shape permits Circle, Square {}

  record Circle(double radius) implements Shape {}

  record Square(double side) implements Shape {}

  record Drawing(Shape shape) {}

  static class Mutable {
    int value;
  }

  static final class FinalFields {
    final int value = 1;
  }

  enum Stateful {
    ONE;
    int count;
  }

  interface Make<T> extends Supplier<T>, Serializable {}

  static Stream<Object> immutable() {
    return Stream.of(
        "text",
        1,
        1L,
        (short) 1,
        (byte) 1,
        'c',
        true,
        1f,
        1.0,
        BigInteger.ONE,
        BigDecimal.ONE,
        TimeUnit.DAYS,
        Stateful.ONE,
        Instant.EPOCH,
        ZonedDateTime.now(ZoneId.of("Europe/Paris")),
        ZoneId.of("UTC"),
        UUID.randomUUID(),
        URI.create("a:b"),
        Locale.ROOT,
        String.class,
        StandardCharsets.UTF_8,
        Path.of("a"),
        new File("a"),
        Optional.of("x"),
        Optional.empty(),
        OptionalInt.of(1),
        new Point(1, 2),
        new Named("a", new Point(1, 2), TimeUnit.DAYS, Duration.ZERO, ZoneId.of("UTC")),
        new Chain("a", new Chain("b", null)),
        new Drawing(new Circle(1)),
        new Box<>("x"),
        new Box<>(List.of(new Point(1, 2))),
        new WithList(List.of("a")),
        List.of(),
        List.of(1, 2, 3),
        List.of(1, 2, 3).subList(0, 2),
        Set.of("a", "b"),
        Map.of("a", List.of(1)),
        Map.of(1, 2, 3, 4),
        Map.entry("a", 1),
        Stream.of("a", null).toList(),
        Collections.emptyList(),
        Collections.singletonList("x"),
        List.copyOf(IntStream.range(0, 5000).boxed().toList()));
  }

  static Stream<Object> copied() {
    return Stream.of(
        new int[0],
        new ArrayList<>(),
        new HashMap<>(),
        Arrays.asList(1),
        Collections.unmodifiableList(new ArrayList<>(List.of(1))),
        new StringBuilder(),
        new Date(0),
        new AtomicInteger(),
        new Mutable(),
        new FinalFields(),
        new Object(),
        new WithArray(new int[1]),
        new WithList(new ArrayList<>()),
        new Box<>(new Mutable()),
        new Box<>(new Box<>(new int[1])),
        List.of(new Mutable()),
        Map.of("k", new ArrayList<>()),
        Set.of(new Mutable()),
        Optional.of(new Mutable()),
        Map.entry("k", new int[1]),
        ByteBuffer.allocate(1),
        ByteBuffer.allocate(1).asReadOnlyBuffer(),
        MemorySegment.ofArray(new byte[1]).asReadOnly(),
        new RuntimeException(),
        new BigDecimal("1") {},
        IntStream.range(0, 20_000).boxed().toList());
  }

  @ParameterizedTest
  @MethodSource("immutable")
  void value_thatCannotChange_isSharedAndCanBeSent(Object value) {
    assertThat(codec.isImmutable(value)).isTrue();
    assertThat(codec.copy(value)).isSameAs(value);
    assertThat(Trips.byMessage(codec, value)).isEqualTo(value);
  }

  @ParameterizedTest
  @MethodSource("copied")
  void value_notKnownToBeImmutable_isNotShared(Object value) {
    assertThat(codec.isImmutable(value)).isFalse();
  }

  @Test
  void null_always_isShared() {
    assertThat(codec.isImmutable(null)).isTrue();
    assertThat(codec.isImmutable(new String[0])).isFalse();
  }

  @Test
  void record_withGenericComponent_isJudgedByEachValue() {
    assertThat(codec.isImmutable(new Box<>(1))).isTrue();
    assertThat(codec.isImmutable(new Box<>(new int[1]))).isFalse();
    assertThat(codec.isImmutable(new Box<>(null))).isTrue();
  }

  @Test
  void nesting_beyondTheBound_isCopied() {
    Object value = "x";
    for (int i = 0; i < 30; i++) {
      value = new Box<>(value);
    }
    assertThat(codec.isImmutable(value)).isTrue();
    for (int i = 0; i < 1000; i++) {
      value = new Box<>(value);
    }
    assertThat(codec.isImmutable(value)).isFalse();
  }

  @Test
  void wideTree_ofSharedLists_isBoundedNotExponential() {
    Object value = "x";
    for (int i = 0; i < 60; i++) {
      value = List.of(value, value);
    }
    assertThat(codec.isImmutable(value)).isFalse();
  }

  @Test
  void lambda_notSerializable_isNotShared() {
    Supplier<String> supplier = () -> "x";
    Make<String> serializable = () -> "x";
    assertThat(codec.isImmutable(supplier)).isFalse();
    assertThat(codec.isImmutable(serializable)).isTrue();
  }

  @Test
  void segment_ofSealedMemory_isShared() {
    MemorySegment sealed = Arena.ofAuto().allocate(100);
    MemorySegment other = Arena.ofAuto().allocate(100);
    ValueCodec withStore =
        ValueCodec.of(
            SharingTest.class.getClassLoader(),
            HandleHooks.NONE,
            memory -> memory.scope().equals(sealed.scope()));
    assertThat(withStore.isImmutable(sealed.asReadOnly())).isTrue();
    assertThat(withStore.isImmutable(new Box<>(sealed.asSlice(4, 4).asReadOnly()))).isTrue();
    assertThat(withStore.isImmutable(sealed)).isFalse();
    assertThat(withStore.isImmutable(other.asReadOnly())).isFalse();
  }

  @Test
  void copy_ofCommonCollections_isEqualAndApart() {
    ArrayList<Integer> list = new ArrayList<>(List.of(1, 2));
    HashMap<String, Integer> map = new HashMap<>(Map.of("a", 1));
    int[] array = {1, 2};
    assertThat(codec.copy(list)).isEqualTo(list).isNotSameAs(list).isInstanceOf(ArrayList.class);
    assertThat(codec.copy(map)).isEqualTo(map).isNotSameAs(map).isInstanceOf(HashMap.class);
    assertThat(codec.copy(array)).isEqualTo(array).isNotSameAs(array);
  }
}
