package io.aktis.wire.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.text.DecimalFormat;
import java.text.SimpleDateFormat;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.chrono.HijrahDate;
import java.time.chrono.JapaneseDate;
import java.time.chrono.ThaiBuddhistDate;
import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.Currency;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.SimpleTimeZone;
import java.util.Stack;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every JDK type that a user would expect to send comes back equal and of the same class. */
@SuppressWarnings({"ArrayRecordComponent", "JavaUtilDate", "JdkObsolete"}) // users have them
class RoundTripTest {
  private final ValueCodec codec = ValueCodec.of(RoundTripTest.class.getClassLoader());

  static Stream<Object> scalars() {
    return Stream.of(
        true,
        false,
        (byte) -1,
        Byte.MIN_VALUE,
        (short) -300,
        'ä',
        Character.MAX_VALUE,
        0,
        5,
        Integer.MIN_VALUE,
        0L,
        5L,
        Long.MAX_VALUE,
        1.5f,
        Float.NaN,
        -0.0,
        Double.MIN_VALUE,
        Double.NEGATIVE_INFINITY,
        "",
        "text",
        "grüße, 世界, 𝄞, \u0000",
        "x".repeat(100_000),
        "lone \ud800 surrogate",
        "\udc00".repeat(100),
        new BigInteger("123456789012345678901234567890"),
        BigInteger.ZERO,
        BigInteger.TWO.pow(90_000),
        new BigDecimal("-1234567890.0123456789"),
        new BigDecimal("1E+400"),
        new BigDecimal(BigInteger.TEN.pow(25_000), -7),
        MathContext.DECIMAL64,
        RoundingMode.HALF_EVEN,
        UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"),
        URI.create("http://example.org/a?b=c#d"),
        Locale.GERMANY,
        Locale.forLanguageTag("zh-Hant-TW"),
        Locale.of("no", "NO", "NY"),
        Currency.getInstance("EUR"),
        StandardCharsets.UTF_16LE,
        Path.of("/tmp/some file"),
        new File("/tmp/some file"),
        String.class,
        int.class,
        int[][].class,
        Map.Entry.class,
        new Throwable().getStackTrace()[0],
        TimeUnit.SECONDS,
        Optional.of("x"),
        Optional.empty(),
        OptionalInt.of(3),
        OptionalLong.empty(),
        OptionalDouble.of(0.5));
  }

  static Stream<Object> times() {
    return Stream.of(
        Duration.ofNanos(-1),
        Instant.parse("2026-01-02T03:04:05.678901234Z"),
        Instant.MAX,
        LocalDate.of(2024, 2, 29),
        LocalTime.of(23, 59, 59, 1),
        LocalDateTime.of(2024, 2, 29, 1, 2),
        MonthDay.of(2, 29),
        OffsetDateTime.of(2024, 1, 1, 0, 0, 0, 0, ZoneOffset.ofHoursMinutes(5, 30)),
        OffsetTime.of(1, 2, 3, 4, ZoneOffset.UTC),
        Period.of(1, 2, 3),
        Year.of(2000),
        YearMonth.of(1999, 12),
        ZoneId.of("Europe/Berlin"),
        ZoneOffset.MAX,
        ZonedDateTime.of(2024, 7, 1, 0, 0, 0, 0, ZoneId.of("America/New_York")),
        Month.MAY,
        DayOfWeek.SUNDAY,
        JapaneseDate.of(2024, 1, 1),
        HijrahDate.of(1445, 1, 1),
        ThaiBuddhistDate.of(2567, 1, 1),
        new Date(123456789L),
        new GregorianCalendar(2024, 0, 31),
        TimeZone.getTimeZone("Asia/Tokyo"),
        new SimpleTimeZone(3_600_000, "ours"),
        new GregorianCalendar(new SimpleTimeZone(7_200_000, "ours")),
        new DecimalFormat("#,##0.00"),
        new SimpleDateFormat("yyyy-MM-dd", Locale.ROOT),
        Random.class);
  }

  static Stream<Object> collections() throws UnknownHostException {
    return Stream.of(
        new ArrayList<>(Arrays.asList(1, null, "x")),
        new LinkedList<>(List.of(1, 2)),
        new Vector<>(List.of(1)),
        stackOf(1, 2),
        Arrays.asList("a", "b"),
        List.of(),
        List.of(1),
        List.of(1, 2, 3),
        Stream.of(1, null, 3).toList(),
        Stream.of(null, null).toList(),
        Stream.of(1).toList(),
        Stream.of().toList(),
        Collections.emptyList(),
        Collections.singletonList(null),
        Collections.nCopies(3, "x"),
        Collections.unmodifiableList(new ArrayList<>(List.of(1))),
        Collections.synchronizedList(new ArrayList<>(List.of(1))),
        Set.of(),
        Set.of(1, 2, 3),
        new HashSet<>(List.of("a", "b")),
        new LinkedHashSet<>(List.of("z", "a")),
        new TreeSet<>(List.of(3, 1, 2)),
        EnumSet.of(TimeUnit.DAYS, TimeUnit.HOURS),
        EnumSet.noneOf(TimeUnit.class),
        new ConcurrentSkipListSet<>(List.of(2, 1)),
        new CopyOnWriteArrayList<>(List.of(1)),
        new CopyOnWriteArraySet<>(List.of(1)),
        Collections.newSetFromMap(new ConcurrentHashMap<>()),
        new ConcurrentHashMap<>(Map.of("a", 1)).keySet(),
        ConcurrentHashMap.newKeySet(),
        Map.of(),
        Map.of("a", 1),
        Map.of("a", 1, "b", 2),
        new HashMap<>(Map.of("a", List.of(1), "b", List.of())),
        new LinkedHashMap<>(Map.of(1L, 2.0)),
        new TreeMap<>(Map.of("b", 1, "a", 2)),
        new ConcurrentHashMap<>(Map.of(1, 2)),
        new ConcurrentSkipListMap<>(Map.of(1, 2)),
        new EnumMap<>(Map.of(TimeUnit.DAYS, "d")),
        Collections.unmodifiableMap(new HashMap<>(Map.of(1, 2))),
        Map.entry("k", 4),
        new AbstractMap.SimpleEntry<>("k", 4),
        new AbstractMap.SimpleImmutableEntry<>("k", 4),
        properties(),
        BitSet.valueOf(new long[] {5, 9}),
        InetAddress.getByAddress(new byte[] {127, 0, 0, 1}),
        new InetSocketAddress(InetAddress.getByAddress(new byte[] {10, 0, 0, 1}), 80));
  }

  private static Stack<Object> stackOf(Object... elements) {
    Stack<Object> stack = new Stack<>();
    stack.addAll(Arrays.asList(elements));
    return stack;
  }

  private static Properties properties() {
    Properties properties = new Properties();
    properties.setProperty("a", "b");
    return properties;
  }

  @ParameterizedTest
  @MethodSource({"scalars", "times", "collections"})
  void jdkValue_byEveryWay_isEqualAndOfTheSameClass(Object value) {
    for (Object back :
        List.of(
            Trips.byMessage(codec, value),
            Trips.byStore(codec, value),
            Trips.fresh(codec, value),
            codec.copy(value))) {
      assertThat(back).isEqualTo(value);
      assertThat(back.getClass()).isEqualTo(value.getClass());
    }
  }

  @ParameterizedTest
  @MethodSource({"scalars", "times", "collections"})
  void jdkValue_insideOthers_isEqual(Object value) {
    List<Object> list = new ArrayList<>(Arrays.asList(value, "between", value));
    assertThat(Trips.byMessage(codec, list)).isEqualTo(list);
    Holder<Object> holder = new Holder<>(value, new Object[] {value});
    Holder<Object> back = Trips.byMessage(codec, holder);
    assertThat(back.value()).isEqualTo(value);
    assertThat(back.array()).isEqualTo(new Object[] {value});
  }

  record Holder<T>(T value, Object[] array) {}

  @Test
  void null_byMessage_isNull() {
    assertThat(Trips.<Object>byMessage(codec, null)).isNull();
    assertThat(codec.<Object>copy(null)).isNull();
  }

  @Test
  void queues_byMessage_keepTheirElements() {
    assertThat(Trips.byMessage(codec, new ArrayDeque<>(List.of(1, 2))))
        .isInstanceOf(ArrayDeque.class)
        .containsExactly(1, 2);
    assertThat(Trips.byMessage(codec, new ConcurrentLinkedQueue<>(List.of(1, 2))))
        .isInstanceOf(ConcurrentLinkedQueue.class)
        .containsExactly(1, 2);
    assertThat(Trips.byMessage(codec, new ConcurrentLinkedDeque<>(List.of(1, 2))))
        .isInstanceOf(ConcurrentLinkedDeque.class)
        .containsExactly(1, 2);
    PriorityQueue<Integer> descending = new PriorityQueue<>(Comparator.reverseOrder());
    descending.addAll(List.of(1, 3, 2));
    assertThat(Trips.byMessage(codec, descending).poll()).isEqualTo(3);
  }

  @Test
  void sortedCollections_withComparators_keepTheOrder() {
    TreeMap<String, Integer> map = new TreeMap<>(Comparator.comparing((ToLength) String::length));
    map.put("ccc", 1);
    map.put("a", 2);
    TreeMap<String, Integer> back = Trips.byMessage(codec, map);
    assertThat(back.sequencedKeySet()).containsExactly("a", "ccc");
    assertThat(back.put("x", 3)).isEqualTo(2);
    TreeSet<String> set = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    set.add("B");
    assertThat(Trips.byMessage(codec, set).contains("b")).isTrue();
  }

  interface ToLength extends Function<String, Integer>, Serializable {}

  @Test
  void identityHashMap_byMessage_keepsEntries() {
    IdentityHashMap<Object, Object> map = new IdentityHashMap<>();
    map.put(1, "one");
    assertThat(Trips.byMessage(codec, map)).hasSize(1).isInstanceOf(IdentityHashMap.class);
  }

  @Test
  void stringsUnderConstruction_byMessage_keepTheirText() {
    assertThat(Trips.byMessage(codec, new StringBuilder("hi")).toString()).isEqualTo("hi");
    assertThat(Trips.byMessage(codec, new StringBuffer("hi")).toString()).isEqualTo("hi");
    assertThat(Trips.byMessage(codec, Pattern.compile("a+", Pattern.CASE_INSENSITIVE)).flags())
        .isEqualTo(Pattern.CASE_INSENSITIVE);
  }

  @Test
  void random_byMessage_goesOnWithTheSameNumbers() {
    Random random = new Random(42);
    random.nextInt();
    Random back = Trips.byMessage(codec, random);
    assertThat(back.nextLong()).isEqualTo(random.nextLong());
  }

  @Test
  void views_byMessage_becomeCollectionsOfTheirOwn() {
    Map<String, Integer> map = new LinkedHashMap<>();
    map.put("b", 1);
    map.put("a", 2);
    assertThat(Trips.byMessage(codec, map.keySet())).isEqualTo(map.keySet());
    assertThat(new ArrayList<>(Trips.byMessage(codec, map.values()))).containsExactly(1, 2);
    assertThat(Trips.byMessage(codec, new HashMap<>(map).entrySet())).isEqualTo(map.entrySet());
    assertThat(Trips.byMessage(codec, new TreeMap<>(map).navigableKeySet().descendingSet()))
        .containsExactly("b", "a");
    assertThat(Trips.byMessage(codec, new ArrayList<>(List.of(1, 2)).reversed()))
        .containsExactly(2, 1);
    assertThat(Trips.byMessage(codec, new ArrayList<>(List.of(1, 2, 3)).subList(1, 3)))
        .containsExactly(2, 3);
    assertThat(Trips.byMessage(codec, List.of(1, 2, 3, 4).subList(1, 3))).containsExactly(2, 3);
    assertThat(Trips.byMessage(codec, new LinkedHashMap<>(map).reversed()).keySet())
        .containsExactly("a", "b");
  }

  @Test
  void statistics_byMessage_goOn() {
    var longs = Stream.of(1L, 5L).mapToLong(each -> each).summaryStatistics();
    var back = Trips.byMessage(codec, longs);
    back.accept(9);
    assertThat(back.getSum()).isEqualTo(15);
    var doubles = Stream.of(1.5, 2.5).mapToDouble(each -> each).summaryStatistics();
    assertThat(Trips.byMessage(codec, doubles).getAverage()).isEqualTo(2.0);
    var ints = Stream.of(4, 2).mapToInt(each -> each).summaryStatistics();
    assertThat(Trips.byMessage(codec, ints).getMin()).isEqualTo(2);
  }

  @Test
  void numbers_inContainers_keepTheirTypes() {
    List<Object> numbers =
        new ArrayList<>(List.of((byte) 1, (short) 1, 1, 1L, 1.0f, 1.0, 'a', true));
    List<Object> back = Trips.byMessage(codec, numbers);
    assertThat(back).isEqualTo(numbers);
    assertThat(back.stream().map(Object::getClass).toList())
        .isEqualTo(numbers.stream().map(Object::getClass).toList());
  }
}
