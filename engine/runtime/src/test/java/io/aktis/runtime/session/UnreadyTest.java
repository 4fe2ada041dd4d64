package io.aktis.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.ObjectRef;
import io.aktis.WaitResult;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a wait leaves over, and takes from that without a look at all. */
final class UnreadyTest {
  private final Set<ObjectRef<String>> ready = new HashSet<>();
  private final List<ObjectRef<String>> refs =
      IntStream.range(0, 10).mapToObj(i -> reference()).toList();
  private int looks;

  /** Something that is equal to itself only. */
  @SuppressWarnings({"unchecked", "ReferenceEquality"})
  private static ObjectRef<String> reference() {
    return (ObjectRef<String>)
        Proxy.newProxyInstance(
            UnreadyTest.class.getClassLoader(),
            new Class<?>[] {ObjectRef.class},
            (self, method, args) ->
                switch (method.getName()) {
                  case "equals" -> self == args[0];
                  case "hashCode" -> System.identityHashCode(self);
                  default -> "a reference";
                });
  }

  private boolean isReady(ObjectRef<String> ref) {
    looks++;
    return ready.contains(ref);
  }

  private WaitResult<String> split(int count) {
    return Unready.split(refs, count, this::isReady);
  }

  private WaitResult<String> take(WaitResult<String> from, int count) {
    return ((Unready<String>) from.notReady()).take(count, this::isReady);
  }

  @Test
  void split_moreReadyThanAskedFor_keepsTheInputsOrder() {
    ready.addAll(List.of(refs.get(2), refs.get(5), refs.get(9)));
    WaitResult<String> result = split(1);

    assertThat(result.ready()).containsExactly(refs.get(2));
    List<ObjectRef<String>> others = new ArrayList<>(refs);
    others.remove(2);
    assertThat(result.notReady()).isEqualTo(others).hasSize(9);
  }

  @Test
  void take_ofThoseThatWereReady_looksAtNoOthers() {
    ready.addAll(refs.subList(3, 8));
    WaitResult<String> first = split(1);
    looks = 0;
    WaitResult<String> second = take(first, 3);

    assertThat(looks).isEqualTo(3);
    assertThat(second.ready()).isEqualTo(refs.subList(4, 7));
    assertThat(second.notReady())
        .containsExactly(
            refs.get(0), refs.get(1), refs.get(2), refs.get(7), refs.get(8), refs.get(9));
    assertThat(first.notReady()).as("what was left before").hasSize(9).contains(refs.get(4));
  }

  @Test
  void take_ofMoreThanWereReady_isNothing() {
    ready.addAll(refs.subList(0, 3));
    assertThat(take(split(1), 3)).isNull();
  }

  @Test
  void take_ofOneThatIsMadeAgain_isNothing() {
    ready.addAll(refs.subList(0, 3));
    WaitResult<String> first = split(1);
    ready.remove(refs.get(1));
    assertThat(take(first, 1)).isNull();
  }

  @Test
  void list_thatIsChanged_isAnOrdinaryList() {
    ready.addAll(refs.subList(0, 3));
    List<ObjectRef<String>> left = split(1).notReady();
    left.remove(refs.get(5));
    left.add(refs.getFirst());
    left.set(0, refs.get(5));

    assertThat(left).hasSize(9).startsWith(refs.get(5), refs.get(2)).endsWith(refs.getFirst());
    assertThat(((Unready<String>) left).take(1, this::isReady)).isNull();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void loop_takingSomeAtATime_seesEachOnceInSomeOrder(long seed) {
    Random random = new Random(seed);
    List<ObjectRef<String>> seen = new ArrayList<>();
    List<ObjectRef<String>> left = refs;
    while (!left.isEmpty()) {
      left.stream().filter(_ -> random.nextInt(3) == 0).forEach(ready::add);
      ready.add(left.get(random.nextInt(left.size())));
      int count = 1 + random.nextInt(Math.min(3, left.size()));
      WaitResult<String> step =
          left instanceof Unready<String> rest ? rest.take(count, this::isReady) : null;
      step = step == null ? Unready.split(left, count, this::isReady) : step;
      List<ObjectRef<String>> before = new ArrayList<>(left);
      before.removeAll(step.ready());
      assertThat(step.notReady()).isEqualTo(before);
      seen.addAll(step.ready());
      left = step.notReady();
    }
    assertThat(seen).containsExactlyInAnyOrderElementsOf(refs);
  }
}
