package io.aktis.wire.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Externalizable;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamField;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Classes of users come back as they were, whether they say Serializable or not. */
@SuppressWarnings({"ArrayRecordComponent", "UnnecessaryStringBuilder", "UnusedVariable"}) // shapes
class UserTypesTest {
  private final ValueCodec codec = ValueCodec.of(UserTypesTest.class.getClassLoader());

  record Point(int x, double y, String name) {}

  record Pair<A, B>(A left, B right) {}

  record Everything(
      boolean a,
      byte b,
      short c,
      char d,
      int e,
      long f,
      float g,
      double h,
      Integer boxed,
      String text,
      int[] numbers,
      List<String> list,
      Map<String, List<Point>> map,
      Shape shape,
      Object any) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Everything that
          && Arrays.equals(numbers, that.numbers)
          && Objects.deepEquals(parts(), that.parts());
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(parts());
    }

    private Object[] parts() {
      return new Object[] {a, b, c, d, e, f, g, h, boxed, text, list, map, shape, any};
    }
  }

  sealed interface Shape permits Circle, Square, Unit {}

  record Circle(double radius) implements Shape {}

  record Square(double side) implements Shape {}

  enum Unit implements Shape {
    ONE,
    TWO {
      @Override
      int factor() {
        return 2;
      }
    };

    int factor() {
      return 1;
    }
  }

  record Checked(int low, int high) {
    Checked {
      if (low > high) {
        throw new IllegalArgumentException("low > high");
      }
    }
  }

  @Test
  void records_byMessage_areEqual() {
    Everything value =
        new Everything(
            true,
            (byte) 1,
            (short) 2,
            'c',
            4,
            5L,
            6f,
            7.0,
            null,
            "t",
            new int[] {1, 2},
            new ArrayList<>(Arrays.asList("a", null)),
            new HashMap<>(Map.of("k", List.of(new Point(1, 2, "p")))),
            new Circle(3),
            new Pair<>(1L, new Pair<>("x", null)));
    assertThat(Trips.byMessage(codec, value)).isEqualTo(value);
    assertThat(Trips.byStore(codec, value)).isEqualTo(value);
    assertThat(codec.copy(value)).isEqualTo(value);
  }

  @Test
  void sealedTypesAndEnums_byMessage_areTheSame() {
    List<Shape> shapes = new ArrayList<>(List.of(new Circle(1), new Square(2), Unit.ONE, Unit.TWO));
    List<Shape> back = Trips.byMessage(codec, shapes);
    assertThat(back).isEqualTo(shapes);
    assertThat(back.get(3)).isSameAs(Unit.TWO);
    assertThat(Trips.byMessage(codec, (Object) Unit.TWO)).isSameAs(Unit.TWO);
  }

  @Test
  void record_withCheckingConstructor_isMadeByIt() {
    assertThat(Trips.byMessage(codec, new Pair<>(new Checked(1, 2), null)).left())
        .isEqualTo(new Checked(1, 2));
  }

  static class Base {
    private final int id;
    protected transient String cache = "cached";

    Base(int id) {
      this.id = id;
    }
  }

  static class Derived extends Base {
    private final String id;
    private Derived next;
    private final List<Derived> friends = new ArrayList<>();

    Derived(int baseId, String id) {
      super(baseId);
      this.id = id;
    }
  }

  @Test
  void classes_withSuperclassAndFinalFields_areRestored() {
    Derived back = Trips.byMessage(codec, new Derived(4, "d"));
    assertThat(((Base) back).id).isEqualTo(4);
    assertThat(back.id).isEqualTo("d");
    assertThat(back.cache).isNull();
  }

  static class WithDefaults {
    transient List<String> log = new ArrayList<>();
    int value;
  }

  @Test
  void transientFields_withConstructorWithoutArguments_areAsItLeavesThem() {
    WithDefaults value = new WithDefaults();
    value.value = 3;
    value.log.add("old");
    WithDefaults back = codec.copy(value);
    assertThat(back.value).isEqualTo(3);
    assertThat(back.log).isEmpty();
  }

  @Test
  void cycles_byMessage_areKept() {
    Derived first = new Derived(1, "a");
    Derived second = new Derived(2, "b");
    first.next = second;
    second.next = first;
    first.friends.add(first);
    first.friends.add(second);
    for (Derived back : List.of(Trips.byMessage(codec, first), codec.copy(first))) {
      assertThat(back.next.next).isSameAs(back);
      assertThat(back.friends.get(0)).isSameAs(back);
      assertThat(back.friends.get(1)).isSameAs(back.next);
    }
    List<Object> list = new ArrayList<>();
    list.add(list);
    List<Object> backList = Trips.byMessage(codec, list);
    assertThat(backList.get(0)).isSameAs(backList);
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("self", map);
    Map<String, Object> backMap = Trips.byMessage(codec, map);
    assertThat(backMap.get("self")).isSameAs(backMap);
    Object[] array = new Object[1];
    array[0] = array;
    Object[] backArray = Trips.byMessage(codec, array);
    assertThat(backArray[0]).isSameAs(backArray);
  }

  @Test
  void sharedObjects_byMessage_staySharedOnce() {
    Point point = new Point(1, 2, "p");
    StringBuilder text = new StringBuilder("t");
    int[] small = {1};
    int[] large = new int[1000];
    Object[] back =
        Trips.byMessage(codec, new Object[] {point, point, text, text, small, small, large, large});
    for (int i = 0; i < back.length; i += 2) {
      assertThat(back[i]).isSameAs(back[i + 1]);
    }
  }

  class Inner {
    int value = 5;

    ValueCodec codecOfOuter() {
      return codec;
    }
  }

  static class Outer {
    int base = 40;

    class Part {
      int more = 2;

      int sum() {
        return base + more;
      }
    }
  }

  @Test
  void innerLocalAndAnonymousClasses_byMessage_keepWhatTheyCapture() {
    Outer outer = new Outer();
    Outer.Part part = outer.new Part();
    assertThat(Trips.byMessage(codec, part).sum()).isEqualTo(42);
    int captured = 7;
    class Local {
      int get() {
        return captured;
      }
    }
    assertThat(Trips.byMessage(codec, new Local()).get()).isEqualTo(7);
    assertThat(Trips.byMessage(codec, anonymous("x")).apply("y")).isEqualTo("xy");
  }

  private static UnaryOperator<String> anonymous(String prefix) {
    return new UnaryOperator<>() {
      @Override
      public String apply(String text) {
        return prefix + text;
      }
    };
  }

  @Test
  void enumConstant_asMapKeyOrField_isTheSame() {
    Pair<Unit, Map<Unit, String>> pair = new Pair<>(Unit.TWO, new HashMap<>(Map.of(Unit.TWO, "x")));
    Pair<Unit, Map<Unit, String>> back = Trips.byMessage(codec, pair);
    assertThat(back.left()).isSameAs(Unit.TWO);
    assertThat(back.right().get(Unit.TWO)).isEqualTo("x");
  }

  static class WritesItself implements Serializable {
    private static final long serialVersionUID = 1L;
    private int value = 1;
    private transient int derived;
    private WritesItself self = this;

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      out.writeInt(derived + 1);
      out.writeObject("extra");
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      derived = in.readInt();
      if (!in.readObject().equals("extra")) {
        throw new InvalidObjectException("extra is missing");
      }
    }
  }

  @Test
  void writeObjectAndReadObject_byMessage_areCalled() {
    WritesItself value = new WritesItself();
    value.value = 9;
    value.derived = 5;
    WritesItself back = Trips.byMessage(codec, value);
    assertThat(back.value).isEqualTo(9);
    assertThat(back.derived).isEqualTo(6);
    assertThat(back.self).isSameAs(back);
  }

  static class WithFieldTable implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final ObjectStreamField[] serialPersistentFields = {
      new ObjectStreamField("text", String.class)
    };
    private int number;

    private void writeObject(ObjectOutputStream out) throws IOException {
      ObjectOutputStream.PutField fields = out.putFields();
      fields.put("text", "n" + number);
      out.writeFields();
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      number = Integer.parseInt(((String) in.readFields().get("text", "n0")).substring(1));
    }
  }

  @Test
  void serialPersistentFields_byMessage_areUsed() {
    WithFieldTable value = new WithFieldTable();
    value.number = 17;
    assertThat(Trips.byMessage(codec, value).number).isEqualTo(17);
  }

  static final class Singleton implements Serializable {
    private static final long serialVersionUID = 1L;
    static final Singleton ONLY = new Singleton();

    private Object readResolve() {
      return ONLY;
    }
  }

  static final class Proxied implements Serializable {
    private static final long serialVersionUID = 1L;
    private final transient int[] data;

    Proxied(int... data) {
      this.data = data;
    }

    private Object writeReplace() {
      return new Form(data.clone());
    }

    private record Form(int[] data) implements Serializable {
      private Object readResolve() {
        return new Proxied(data);
      }
    }
  }

  @Test
  void writeReplaceAndReadResolve_byMessage_areCalled() {
    assertThat(Trips.byMessage(codec, Singleton.ONLY)).isSameAs(Singleton.ONLY);
    assertThat(Trips.byMessage(codec, new Pair<>(Singleton.ONLY, 1)).left())
        .isSameAs(Singleton.ONLY);
    assertThat(Trips.byMessage(codec, new Proxied(1, 2)).data).containsExactly(1, 2);
  }

  public static class Tree implements Externalizable {
    private String name = "";
    private final List<Tree> children = new ArrayList<>();

    public Tree() {}

    Tree(String name) {
      this.name = name;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeUTF(name);
      out.writeInt(children.size());
      for (Tree child : children) {
        out.writeObject(child);
      }
      out.writeLong(99);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      name = in.readUTF();
      int count = in.readInt();
      for (int i = 0; i < count; i++) {
        children.add((Tree) in.readObject());
      }
      if (in.readLong() != 99) {
        throw new InvalidObjectException("misplaced");
      }
    }
  }

  @Test
  void externalizable_insideItself_isRestored() {
    Tree root = new Tree("root");
    root.children.add(new Tree("left"));
    root.children.add(new Tree("right"));
    Tree back = Trips.byMessage(codec, root);
    assertThat(back.children).extracting(child -> child.name).containsExactly("left", "right");
  }

  static class Words extends ArrayList<String> {
    private static final long serialVersionUID = 1L;
    private String language = "";
  }

  static class Counts extends HashMap<String, Integer> {
    private static final long serialVersionUID = 1L;
    private int total;
  }

  @Test
  void subclassesOfCollections_withFields_areRestored() {
    Words words = new Words();
    words.add("a");
    words.language = "en";
    Words back = Trips.byMessage(codec, words);
    assertThat(back).containsExactly("a");
    assertThat(back.language).isEqualTo("en");
    Counts counts = new Counts();
    counts.put("a", 1);
    counts.total = 1;
    Counts backCounts = Trips.byMessage(codec, counts);
    assertThat(backCounts).containsEntry("a", 1);
    assertThat(backCounts.total).isEqualTo(1);
  }

  @Test
  void arrays_ofEveryShape_areEqual() {
    Object[] arrays = {
      new int[][] {{1}, {2, 3}, null},
      new String[] {"a", null},
      new Point[] {new Point(1, 2, "x"), null},
      new Object[] {1, "x", new long[] {1}},
      new List<?>[] {List.of(1)},
      new Unit[] {Unit.TWO},
      new Integer[] {1, null},
      new double[2][3][4],
      new Shape[] {new Circle(1), Unit.ONE}
    };
    for (Object array : arrays) {
      Object back = Trips.byMessage(codec, array);
      assertThat(back.getClass()).isEqualTo(array.getClass());
      assertThat(Objects.deepEquals(back, array)).isTrue();
    }
  }

  @Test
  void mapsAndSets_withRecordKeys_findTheirKeys() {
    Map<Point, String> map = new HashMap<>(Map.of(new Point(1, 2, "x"), "v"));
    assertThat(Trips.byMessage(codec, map).get(new Point(1, 2, "x"))).isEqualTo("v");
    LinkedHashSet<Pair<String, Integer>> set = new LinkedHashSet<>(List.of(new Pair<>("a", 1)));
    assertThat(Trips.byMessage(codec, set).contains(new Pair<>("a", 1))).isTrue();
  }

  @Test
  void copy_ofMutableParts_sharesNothing() {
    List<int[]> inner = new ArrayList<>(List.of(new int[] {1}));
    Pair<List<int[]>, StringBuilder> pair = new Pair<>(inner, new StringBuilder("a"));
    Pair<List<int[]>, StringBuilder> copy = codec.copy(pair);
    inner.get(0)[0] = 2;
    pair.right().append("b");
    assertThat(copy.left().get(0)[0]).isEqualTo(1);
    assertThat(copy.right().toString()).isEqualTo("a");
  }

  @Test
  void largeGraph_byMessage_isEqual() {
    Map<Integer, List<Point>> map = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      map.put(i, new ArrayList<>(List.of(new Point(i, i / 2.0, "p" + i))));
    }
    assertThat(Trips.byMessage(codec, map)).isEqualTo(map);
    assertThat(codec.copy(map)).isEqualTo(map);
  }
}
