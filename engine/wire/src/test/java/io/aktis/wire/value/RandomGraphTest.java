package io.aktis.wire.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/** Values made at random, the same each run, come back equal whichever way they take. */
@SuppressWarnings("ArrayRecordComponent") // shapes
class RandomGraphTest {
  record Leaf(int number, String text, double fraction) {}

  record Node(Object left, Object right, List<Object> children) {}

  record Wide(long a, Integer b, String c, byte[] d, Object e, Map<String, Object> f) {}

  private final ValueCodec codec = ValueCodec.of(RandomGraphTest.class.getClassLoader());

  @RepeatedTest(200)
  void graph_madeAtRandom_isEqualByEveryWay(RepetitionInfo run) {
    Random random = new Random(run.getCurrentRepetition() * 7919L);
    Object value = value(random, 5);
    for (Object back :
        Arrays.asList(
            Trips.byMessage(codec, value),
            Trips.byStore(codec, value),
            Trips.fresh(codec, value),
            codec.copy(value))) {
      assertThat(Objects.equals(plain(back), plain(value)))
          .as("seed of run %d", run.getCurrentRepetition())
          .isTrue();
    }
    if (codec.isImmutable(value)) {
      assertThat(codec.copy(value)).isSameAs(value);
    }
  }

  /** Returns the value with arrays and records as lists that start with their class. */
  private static Object plain(Object value) {
    return switch (value) {
      case null -> null;
      case List<?> list -> list.stream().map(RandomGraphTest::plain).toList();
      case Map<?, ?> map -> {
        Map<Object, Object> plain = new LinkedHashMap<>();
        map.forEach((key, each) -> plain.put(key, plain(each)));
        yield plain;
      }
      case Optional<?> optional -> optional.map(RandomGraphTest::plain);
      case Record record -> plainRecord(record);
      default -> value.getClass().isArray() ? plainArray(value) : value;
    };
  }

  private static Object plainRecord(Record record) {
    List<Object> parts = new ArrayList<>(List.of(record.getClass()));
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      try {
        parts.add(plain(component.getAccessor().invoke(record)));
      } catch (ReflectiveOperationException e) {
        throw new LinkageError(e.getMessage(), e);
      }
    }
    return parts;
  }

  private static Object plainArray(Object array) {
    List<Object> parts = new ArrayList<>(List.of(array.getClass()));
    for (int i = 0; i < Array.getLength(array); i++) {
      parts.add(plain(Array.get(array, i)));
    }
    return parts;
  }

  private static Object value(Random random, int depth) {
    return depth == 0 || random.nextInt(4) == 0 ? leaf(random) : branch(random, depth - 1);
  }

  private static Object leaf(Random random) {
    return switch (random.nextInt(14)) {
      case 0 -> null;
      case 1 -> random.nextInt();
      case 2 -> random.nextLong();
      case 3 -> (short) random.nextInt();
      case 4 -> random.nextDouble();
      case 5 -> text(random);
      case 6 -> random.nextBoolean();
      case 7 -> TimeUnit.values()[random.nextInt(TimeUnit.values().length)];
      case 8 -> Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000));
      case 9 -> new UUID(random.nextLong(), random.nextLong());
      case 10 -> BigDecimal.valueOf(random.nextLong(), random.nextInt(20));
      case 11 -> new Leaf(random.nextInt(), text(random), random.nextDouble());
      case 12 -> random.nextGaussian() > 0 ? 'x' : (byte) random.nextInt();
      default -> Optional.of(text(random));
    };
  }

  private static String text(Random random) {
    int length = random.nextInt(random.nextInt(5) == 0 ? 300 : 12);
    int[] points = new int[length];
    for (int i = 0; i < length; i++) {
      int bound = new int[] {0x7f, 0xff, 0xd7ff, Character.MAX_CODE_POINT}[random.nextInt(4)];
      points[i] = random.nextInt(bound + 1);
    }
    return new String(points, 0, length);
  }

  private static Object branch(Random random, int depth) {
    return switch (random.nextInt(12)) {
      case 0 -> list(random, depth);
      case 1 -> new ArrayList<>(List.copyOf(nonNull(list(random, depth))));
      case 2 -> List.copyOf(nonNull(list(random, depth)));
      case 3 -> map(random, depth, new HashMap<>());
      case 4 -> map(random, depth, new LinkedHashMap<>());
      case 5 -> map(random, depth, new TreeMap<>());
      case 6 -> list(random, depth).toArray();
      case 7 -> new Node(value(random, depth), value(random, depth), list(random, depth));
      case 8 -> numbers(random);
      case 9 ->
          new Wide(
              random.nextLong(),
              random.nextInt(2) == 0 ? null : random.nextInt(),
              text(random),
              new byte[random.nextInt(3000)],
              value(random, depth),
              map(random, depth, new HashMap<>()));
      case 10 -> new ArrayList<>(new ArrayDeque<>(nonNull(list(random, depth))));
      default -> Optional.ofNullable(value(random, depth));
    };
  }

  private static List<Object> list(Random random, int depth) {
    List<Object> list = new ArrayList<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      list.add(value(random, depth));
    }
    return list;
  }

  private static List<Object> nonNull(List<Object> list) {
    list.removeIf(Objects::isNull);
    return list;
  }

  private static Map<String, Object> map(Random random, int depth, Map<String, Object> map) {
    for (int i = random.nextInt(6); i > 0; i--) {
      map.put(text(random), value(random, depth));
    }
    return map;
  }

  private static Object numbers(Random random) {
    int length = random.nextInt(2) == 0 ? random.nextInt(10) : random.nextInt(2000);
    return switch (random.nextInt(4)) {
      case 0 -> random.ints(length).toArray();
      case 1 -> random.longs(length).toArray();
      case 2 -> random.doubles(length).toArray();
      default -> new boolean[length];
    };
  }
}
