package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.ActorHandle;
import io.aktis.Aktis;
import io.aktis.ObjectRef;
import io.aktis.WaitOption;
import io.aktis.WaitResult;
import io.aktis.testkit.EngineTest;
import io.aktis.testkit.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Waiting for some of several references. */
@EngineTest(cpus = 2)
class WaitTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofMillis(50);

  static final class Waiter {
    int pass(Gate gate) throws InterruptedException {
      gate.pass();
      return 1;
    }
  }

  @Test
  @Semantics("3.wait.split")
  void wait_someReady_splitsInInputOrder() {
    Gate gate = Gate.closed();
    ObjectRef<Integer> a = Aktis.put(1);
    ObjectRef<Integer> b = Aktis.task(TaskTest::afterGate, gate, 2).remote();
    ObjectRef<Integer> c = Aktis.put(3);

    WaitResult<Integer> result = Aktis.wait(List.of(c, b, a), 2, LONG);

    assertThat(result.ready()).containsExactly(c, a);
    assertThat(result.notReady()).containsExactly(b);
  }

  @Test
  @Semantics("3.wait.split")
  void wait_moreReadyThanAskedFor_givesAsManyAsAskedFor() {
    List<ObjectRef<Integer>> refs = IntStream.range(0, 5).mapToObj(Aktis::put).toList();

    WaitResult<Integer> result = Aktis.wait(refs, 2, LONG);

    assertThat(result.ready()).isEqualTo(refs.subList(0, 2));
    assertThat(result.notReady()).isEqualTo(refs.subList(2, 5));
  }

  @Test
  @Semantics("3.wait.split")
  void wait_valueThatComesLater_wakesTheWaiter() {
    Gate gate = Gate.closed();
    ObjectRef<Integer> late = Aktis.task(TaskTest::afterGate, gate, 1).remote();
    Thread.startVirtualThread(() -> openAfterOne(gate));

    WaitResult<Integer> result = Aktis.wait(List.of(late));

    assertThat(result.ready()).containsExactly(late);
    assertThat(result.notReady()).isEmpty();
  }

  @Test
  @Semantics("3.wait.split")
  void wait_oneAtATimeOverAThousand_seesEachOnce() {
    List<ObjectRef<Integer>> left =
        IntStream.range(0, 1_000).mapToObj(i -> Aktis.task(() -> i).remote()).toList();
    List<Integer> seen = new ArrayList<>();

    while (!left.isEmpty()) {
      WaitResult<Integer> result = Aktis.wait(left);
      assertThat(result.ready()).hasSize(1);
      seen.add(result.ready().getFirst().get());
      left = result.notReady();
    }

    assertThat(seen)
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 1_000).boxed().toList());
  }

  @Test
  @Semantics("3.wait.split")
  void wait_whatIsLeft_canBeChangedAndSent() {
    List<ObjectRef<Integer>> refs = IntStream.range(0, 5).mapToObj(Aktis::put).toList();
    List<ObjectRef<Integer>> left = Aktis.wait(refs).notReady();

    assertThat(Aktis.task(WaitTest::sum, left).remote().get()).isEqualTo(1 + 2 + 3 + 4);
    left.add(Aktis.put(5));
    assertThat(Aktis.wait(left, 5, LONG).ready()).isEqualTo(left);
  }

  static int sum(List<ObjectRef<Integer>> refs) {
    return Aktis.get(refs).stream().mapToInt(Integer::intValue).sum();
  }

  @Test
  @Semantics("3.wait.checked")
  void wait_forAClosedReferenceThatWasLeft_isAnError() {
    List<ObjectRef<Integer>> refs = IntStream.range(0, 5).mapToObj(Aktis::put).toList();
    List<ObjectRef<Integer>> left = Aktis.wait(refs).notReady();
    left.getFirst().close();

    assertThatThrownBy(() -> Aktis.wait(left)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  @Semantics("3.wait.failed")
  void wait_failedTask_countsAsReady() {
    ObjectRef<Integer> failed = Aktis.task(TaskTest::failWithNumber).remote();

    assertThat(Aktis.wait(List.of(failed)).ready()).containsExactly(failed);
  }

  @Test
  @Semantics("3.wait.failed")
  void wait_callOfAKilledActor_countsAsReady() {
    Gate gate = Gate.closed();
    ActorHandle<Waiter> actor = Aktis.actor(Waiter::new).remote();
    ObjectRef<Integer> running = actor.call(Waiter::pass, gate);
    ObjectRef<Integer> queued = actor.call(Waiter::pass, gate);
    gate.awaitArrivals(1);

    actor.kill();

    assertThat(Aktis.wait(List.of(running, queued), 2, LONG).ready())
        .containsExactly(running, queued);
  }

  @Test
  @Semantics("3.wait.checked")
  void wait_duplicates_isAnError() {
    ObjectRef<Integer> ref = Aktis.put(1);

    assertThatThrownBy(() -> Aktis.wait(List.of(ref, ref)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("twice");
  }

  @Test
  @Semantics("3.wait.checked")
  void wait_countOutOfRange_isAnError() {
    List<ObjectRef<Integer>> refs = List.of(Aktis.put(1), Aktis.put(2));

    for (int count : new int[] {-1, 0, 3}) {
      assertThatThrownBy(() -> Aktis.wait(refs, count, LONG))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("" + count)
          .hasMessageContaining("2");
    }
    assertThatThrownBy(() -> Aktis.wait(List.<ObjectRef<Integer>>of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @Semantics("3.wait.checked")
  void wait_withoutACount_waitsForOne() {
    List<ObjectRef<Integer>> refs = List.of(Aktis.put(1), Aktis.put(2));

    assertThat(Aktis.wait(refs).ready()).containsExactly(refs.getFirst());
  }

  @Test
  @Semantics("3.wait.timeout")
  void wait_timeOver_givesWhatIsReady() {
    Gate gate = Gate.closed();
    ObjectRef<Integer> never = Aktis.task(TaskTest::afterGate, gate, 1).remote();
    ObjectRef<Integer> there = Aktis.put(2);

    WaitResult<Integer> some = Aktis.wait(List.of(never, there), 2, SHORT);
    WaitResult<Integer> none = Aktis.wait(List.of(never), 1, Duration.ZERO);

    assertThat(some.ready()).containsExactly(there);
    assertThat(some.notReady()).containsExactly(never);
    assertThat(none.ready()).isEmpty();
    assertThat(none.notReady()).containsExactly(never);
  }

  @Test
  @Semantics("3.wait.existence")
  void wait_forExistence_isReadyWhenTheValueExists() {
    Gate gate = Gate.closed();
    ObjectRef<byte[]> made = Aktis.task(() -> new byte[1 << 20]).remote();
    ObjectRef<byte[]> never = Aktis.task(() -> new byte[TaskTest.afterGate(gate, 1)]).remote();

    WaitResult<byte[]> result =
        Aktis.wait(List.of(never, made), 1, LONG, WaitOption.EXISTENCE_ONLY);

    assertThat(result.ready()).containsExactly(made);
  }

  private static void openAfterOne(Gate gate) {
    gate.awaitArrivals(1);
    gate.open();
  }
}
