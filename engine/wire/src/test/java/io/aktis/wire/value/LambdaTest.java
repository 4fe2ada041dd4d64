package io.aktis.wire.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Functions are values: they travel with what they capture, and every task gets its own. */
class LambdaTest {
  interface Make<T> extends Supplier<T>, Serializable {}

  interface Apply<A, B> extends Function<A, B>, Serializable {}

  interface Apply2<A, B, C> extends BiFunction<A, B, C>, Serializable {}

  private final ValueCodec codec = ValueCodec.of(LambdaTest.class.getClassLoader());

  static int twice(int number) {
    return 2 * number;
  }

  record Scale(int factor) {
    int apply(int number) {
      return factor * number;
    }
  }

  static class Counter {
    int count;

    int next() {
      return ++count;
    }
  }

  @Test
  void lambda_withoutCaptures_isSharedAndTravels() {
    Apply<Integer, Integer> plusOne = number -> number + 1;
    assertThat(codec.isImmutable(plusOne)).isTrue();
    assertThat(Trips.byMessage(codec, plusOne).apply(1)).isEqualTo(2);
  }

  @Test
  void lambda_capturingImmutableValues_isSharedAndTravels() {
    int number = 4;
    String text = "t";
    List<Integer> list = List.of(1, 2);
    Apply<Integer, String> function = more -> text + (number + more) + list;
    assertThat(codec.isImmutable(function)).isTrue();
    assertThat(codec.copy(function)).isSameAs(function);
    assertThat(Trips.byMessage(codec, function).apply(1)).isEqualTo("t5[1, 2]");
  }

  @Test
  void lambda_capturingMutableValue_getsACopyOfItsOwn() {
    List<String> list = new ArrayList<>(List.of("a"));
    Make<Integer> size = list::size;
    Make<Boolean> add = () -> list.add("b") && list.size() == 2;
    assertThat(codec.isImmutable(size)).isFalse();
    assertThat(codec.isImmutable(add)).isFalse();
    assertThat(codec.copy(add).get()).isTrue();
    assertThat(codec.copy(add).get()).isTrue();
    assertThat(Trips.byMessage(codec, add).get()).isTrue();
    assertThat(list).containsExactly("a");
    assertThat(Trips.byMessage(codec, size).get()).isEqualTo(1);
  }

  @Test
  void methodReferences_ofEveryKind_travel() {
    Apply<Integer, Integer> ofStatic = LambdaTest::twice;
    Apply2<Scale, Integer, Integer> unbound = Scale::apply;
    Apply<Integer, Integer> bound = new Scale(3)::apply;
    Apply<Integer, Scale> ofConstructor = Scale::new;
    Apply<Integer, int[]> ofArray = int[]::new;
    Apply<String, Integer> ofJdk = String::length;
    assertThat(Trips.byMessage(codec, ofStatic).apply(4)).isEqualTo(8);
    assertThat(Trips.byMessage(codec, unbound).apply(new Scale(2), 4)).isEqualTo(8);
    assertThat(Trips.byMessage(codec, bound).apply(4)).isEqualTo(12);
    assertThat(Trips.byMessage(codec, ofConstructor).apply(4)).isEqualTo(new Scale(4));
    assertThat(Trips.byMessage(codec, ofArray).apply(4)).hasSize(4);
    assertThat(Trips.byMessage(codec, ofJdk).apply("abc")).isEqualTo(3);
    assertThat(codec.isImmutable(bound)).isTrue();
    assertThat(codec.isImmutable(unbound)).isTrue();
  }

  @Test
  void methodReference_boundToMutableObject_isCopiedWithIt() {
    Counter counter = new Counter();
    Make<Integer> next = counter::next;
    assertThat(codec.isImmutable(next)).isFalse();
    Make<Integer> copy = codec.copy(next);
    assertThat(copy.get()).isEqualTo(1);
    assertThat(copy.get()).isEqualTo(2);
    assertThat(codec.copy(next).get()).isEqualTo(1);
    assertThat(counter.count).isZero();
  }

  @Test
  void lambda_capturingLambdas_travels() {
    Apply<Integer, Integer> inner = number -> number + 1;
    Apply<Integer, Integer> outer = number -> inner.apply(inner.apply(number));
    assertThat(codec.isImmutable(outer)).isTrue();
    assertThat(Trips.byMessage(codec, outer).apply(1)).isEqualTo(3);
  }

  @Test
  void lambda_capturingThis_takesTheObjectAlong() {
    assertThat(Trips.byMessage(codec, new Offset(5).plus()).apply(1)).isEqualTo(6);
  }

  static class Offset {
    private final int offset;

    Offset(int offset) {
      this.offset = offset;
    }

    Apply<Integer, Integer> plus() {
      return number -> number + offset;
    }
  }

  @Test
  void lambda_withIntersectionType_travels() {
    Supplier<String> supplier = (Supplier<String> & Serializable) () -> "made";
    assertThat(Trips.byMessage(codec, supplier).get()).isEqualTo("made");
  }

  @Test
  void lambdas_inCollections_travel() {
    List<Apply<Integer, Integer>> steps = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      int step = i;
      steps.add(number -> number + step);
    }
    int sum = 0;
    for (Apply<Integer, Integer> step : Trips.byMessage(codec, steps)) {
      sum = step.apply(sum);
    }
    assertThat(sum).isEqualTo(3);
  }
}
