package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.ActorHandle;
import io.aktis.Aktis;
import io.aktis.NotSerializableException;
import io.aktis.ObjectRef;
import io.aktis.testkit.EngineTest;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Currency;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Values on their way between caller, task, actor and store. */
@EngineTest(cpus = 2)
class ValueTest {
  record Point(int x, int y) {}

  record Named<T>(String name, T value) {}

  sealed interface Shape {}

  record Circle(Point centre, double radius) implements Shape {}

  record Path2d(List<Point> points) implements Shape {}

  /** A class with fields that change. */
  static class Basket {
    final List<String> fruit = new ArrayList<>();
    int weight;

    List<String> fruit() {
      return fruit;
    }

    List<String> add(String more) {
      fruit.add(more);
      return fruit;
    }
  }

  /** A class with more fields below another one. */
  static final class LabelledBasket extends Basket {
    String label = "";
  }

  static final class Ring {
    Ring next = this;
    int number;
  }

  @Test
  @Semantics({"2.values.copy", "3.put.copy"})
  void put_thenChangedByTheCaller_keepsWhatWasPut() {
    List<String> list = new ArrayList<>(List.of("a"));
    ObjectRef<List<String>> ref = Aktis.put(list);

    list.add("b");

    assertThat(ref.get()).containsExactly("a");
  }

  @Test
  @Semantics("2.values.copy")
  void get_twice_givesTwoCopies() {
    ObjectRef<List<String>> ref = Aktis.put(new ArrayList<>(List.of("a")));

    List<String> mine = ref.get();
    mine.add("b");

    assertThat(ref.get()).isNotSameAs(mine).containsExactly("a");
  }

  @Test
  @Semantics("2.values.copy")
  void task_changingItsArgument_leavesTheCallersAlone() {
    List<String> list = new ArrayList<>(List.of("a"));
    ObjectRef<List<String>> ref = Aktis.put(list);

    assertThat(Aktis.task(ValueTest::append, list).remote().get()).containsExactly("a", "task");
    assertThat(Aktis.task(ValueTest::append, ref).remote().get()).containsExactly("a", "task");

    assertThat(list).containsExactly("a");
    assertThat(ref.get()).containsExactly("a");
  }

  @Test
  @Semantics("2.values.copy")
  void task_submittedThenArgumentChanged_seesWhatWasSubmitted() {
    List<String> list = new ArrayList<>(List.of("a"));
    ObjectRef<Integer> size = Aktis.task((List<String> l) -> l.size(), list).remote();

    list.add("b");

    assertThat(size.get()).isEqualTo(1);
  }

  @Test
  @Semantics("2.values.copy")
  void lambda_changingItsCapture_changesACopy() {
    Basket basket = new Basket();

    List<String> inTask = Aktis.task(() -> basket.add("plum")).remote().get();

    assertThat(inTask).containsExactly("plum");
    assertThat(basket.fruit).isEmpty();
  }

  @Test
  @Semantics("2.values.copy")
  void actor_givingItsStateAway_givesACopy() {
    try (ActorHandle<Basket> basket = Aktis.actor(Basket::new).remote()) {
      List<String> early = basket.call(Basket::add, "plum").get();
      early.add("stone");

      assertThat(basket.call(Basket::add, "pear").get()).containsExactly("plum", "pear");
      assertThat(early).containsExactly("plum", "stone");
    }
  }

  @Test
  @Semantics("2.values.copy")
  void actor_keepingAnArgument_keepsACopy() {
    Basket mine = new Basket();
    mine.fruit.add("plum");
    try (ActorHandle<Named<Basket>> holder =
        Aktis.actor((Basket b) -> new Named<>("holder", b), mine).remote()) {
      holder.ready().get();
      mine.fruit.add("worm");

      assertThat(holder.call(named -> named.value().fruit()).get()).containsExactly("plum");
    }
  }

  @Test
  @OneProcess("between processes everything is copied")
  @Semantics("2.values.shared")
  void value_knownToBeImmutable_isShared() {
    String text = "x".repeat(1_000);
    Named<Point> record = new Named<>(text, new Point(1, 2));
    BigInteger big = BigInteger.TWO.pow(1_000);

    assertThat(Aktis.put(text).get()).isSameAs(text);
    assertThat(Aktis.put(DayOfWeek.MONDAY).get()).isSameAs(DayOfWeek.MONDAY);
    assertThat(Aktis.put(big).get()).isSameAs(big);
    assertThat(Aktis.put(record).get()).isSameAs(record);
    assertThat(Aktis.task((Named<Point> n) -> n, record).remote().get()).isSameAs(record);
  }

  @Test
  @Semantics("2.values.copy")
  void record_withAMutablePart_isCopied() {
    Named<List<String>> record = new Named<>("list", new ArrayList<>(List.of("a")));
    ObjectRef<Named<List<String>>> ref = Aktis.put(record);

    record.value().add("b");

    assertThat(ref.get().value()).containsExactly("a");
  }

  static Stream<Object> values() {
    return Stream.of(
        (byte) 1,
        (short) 2,
        3,
        4L,
        5.5f,
        6.25,
        'c',
        true,
        Double.NaN,
        "text äöü \ud83d\ude00",
        new BigDecimal("1.10"),
        BigInteger.TEN.pow(50),
        UUID.fromString("0d5a5ba1-8a3f-4d4e-9d0b-4a1f8d6a0f11"),
        LocalDate.of(2026, 2, 28),
        LocalDateTime.of(2026, 2, 28, 12, 30),
        ZonedDateTime.of(LocalDateTime.of(2026, 2, 28, 12, 30), ZoneId.of("Europe/Rome")),
        Instant.ofEpochSecond(1_000_000_000, 999),
        Duration.ofNanos(1),
        DayOfWeek.FRIDAY,
        Locale.ITALY,
        Currency.getInstance("EUR"),
        URI.create("https://example.org/a?b#c"),
        StandardCharsets.UTF_8,
        String.class,
        int.class,
        new Point(1, -2),
        new Circle(new Point(0, 0), 1.5),
        new Path2d(List.of(new Point(1, 2), new Point(3, 4))),
        Optional.of("there"),
        Optional.empty(),
        List.of(),
        List.of(1, 2L, 3.0, "four"),
        Set.of("a"),
        Map.of("k", List.of(1)),
        Arrays.asList("a", null),
        new ArrayList<>(List.of(1L, 2L)),
        new HashSet<>(Set.of(1, 2, 3)),
        new TreeSet<>(Set.of("b", "a")),
        new HashMap<>(Map.of(1, "one")),
        new LinkedHashMap<>(Map.of("k", new Point(1, 1))),
        new TreeMap<>(Map.of("b", 2, "a", 1)),
        new ConcurrentHashMap<>(Map.of("a", 1)),
        EnumSet.of(DayOfWeek.MONDAY, DayOfWeek.SUNDAY),
        new EnumMap<>(Map.of(DayOfWeek.MONDAY, 1)),
        BitSet.valueOf(new long[] {5}));
  }

  @ParameterizedTest
  @MethodSource("values")
  @Semantics("2.values.types")
  void value_ofAnyClass_comesBackEqualAndOfItsClass(Object value) {
    Object put = Aktis.put(value).get();
    Object passed = Aktis.task((Object o) -> o, value).remote().get();
    Object contained = Aktis.task((List<Object> l) -> l.getFirst(), List.of(value)).remote().get();

    assertThat(List.of(put, passed, contained))
        .allSatisfy(copy -> assertThat(copy).isEqualTo(value).hasSameClassAs(value));
  }

  @Test
  @Semantics("2.values.types")
  void value_withoutEquals_comesBackWithItsContent() {
    assertThat(Aktis.put(new ArrayDeque<>(List.of(1, 2))).get()).containsExactly(1, 2);
    assertThat(Aktis.put(new PriorityQueue<>(List.of(3, 1))).get()).containsExactly(1, 3);
    assertThat(Aktis.put(new AtomicLong(7)).get()).hasValue(7);
    assertThat(Aktis.put(new StringBuilder("abc")).get()).hasToString("abc");
  }

  @Test
  @Semantics("2.values.types")
  void value_ofAClassHierarchy_keepsTheFieldsOfAllLevels() {
    LabelledBasket basket = new LabelledBasket();
    basket.label = "market";
    basket.weight = 3;
    basket.fruit.add("plum");

    LabelledBasket copy = Aktis.put(basket).get();

    assertThat(copy).usingRecursiveComparison().isEqualTo(basket);
  }

  @Test
  @Semantics("2.values.types")
  void array_ofAnyType_comesBackEqual() {
    assertThat(Aktis.put(new int[] {1, 2}).get()).containsExactly(1, 2);
    assertThat(Aktis.put(new boolean[] {true, false}).get()).containsExactly(true, false);
    assertThat(Aktis.put(new String[] {"a", null}).get()).containsExactly("a", null);
    assertThat(Aktis.put(new long[][] {{1}, {}, {2, 3}}).get())
        .isDeepEqualTo(new long[][] {{1}, {}, {2, 3}});
    assertThat(Aktis.put(new Point[] {new Point(1, 2)}).get()).containsExactly(new Point(1, 2));
    assertThat(Aktis.put(new Object[] {1, "a", 2L}).get()).containsExactly(1, "a", 2L);
  }

  @Test
  @Semantics("2.values.types")
  void value_large_comesBackEqual() {
    List<Point> points =
        Stream.iterate(new Point(0, 0), p -> new Point(p.x() + 1, p.y() - 1))
            .limit(100_000)
            .toList();

    assertThat(Aktis.put(new ArrayList<>(points)).get()).isEqualTo(points);
    assertThat(Aktis.task((List<Point> l) -> l.size(), points).remote().get()).isEqualTo(100_000);
  }

  @Test
  @Semantics("2.values.graph")
  void value_withACycle_comesBackWithIt() {
    Ring one = new Ring();
    one.next = new Ring();
    one.next.number = 2;
    one.next.next = one;

    Ring copy = Aktis.put(one).get();

    assertThat(copy).isNotSameAs(one);
    assertThat(copy.next.number).isEqualTo(2);
    assertThat(copy.next.next).isSameAs(copy);
  }

  @Test
  @Semantics("2.values.graph")
  void value_withASharedPart_comesBackWithOnePart() {
    Basket shared = new Basket();

    List<Basket> copy = Aktis.put(new ArrayList<>(List.of(shared, shared))).get();

    assertThat(copy.get(0)).isSameAs(copy.get(1)).isNotSameAs(shared);
  }

  @Test
  @Semantics("2.values.graph")
  @SuppressWarnings("JdkObsolete") // users have linked lists, long ones too
  void value_linked_comesBackWhole() {
    Ring copy = Aktis.put(chain(100)).get();

    for (int i = 0; i < 100; i++) {
      assertThat(copy.number).isEqualTo(i);
      copy = copy.next;
    }
    LinkedList<Integer> list = new LinkedList<>(IntStream.range(0, 100_000).boxed().toList());
    assertThat(Aktis.put(list).get()).isEqualTo(list);
  }

  @Test
  @Semantics("8.unserializable")
  void value_linkedTooDeeply_isRefusedAndTheEngineGoesOn() {
    assertThatThrownBy(() -> Aktis.put(chain(100_000)))
        .isInstanceOf(NotSerializableException.class)
        .hasMessageContaining("deep");

    assertThat(Aktis.put(1).get()).isEqualTo(1);
  }

  private static Ring chain(int length) {
    Ring first = new Ring();
    Ring last = first;
    for (int i = 1; i < length; i++) {
      Ring ring = new Ring();
      ring.number = i;
      last.next = ring;
      last = ring;
    }
    return first;
  }

  static List<String> append(List<String> list) {
    list.add("task");
    return list;
  }
}
