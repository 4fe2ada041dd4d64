package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.Aktis;
import io.aktis.ObjectRef;
import io.aktis.TaskFailedException;
import io.aktis.TimeoutException;
import io.aktis.testkit.EngineTest;
import io.aktis.testkit.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Putting, getting, completion order and futures. */
@EngineTest(cpus = 2)
class ObjectTest {
  private static final Duration SHORT = Duration.ofMillis(50);

  /** Far more than the contract allows, for a machine that is busy with other things. */
  private static final Duration SLACK = Duration.ofSeconds(2);

  @Test
  @Semantics("3.put.copy")
  void put_value_isReadyAtOnce() {
    ObjectRef<String> ref = Aktis.put("value");

    assertThat(ref.isReady()).isTrue();
    assertThat(ref.get()).isEqualTo("value");
    assertThat(ref.id()).isNotBlank();
  }

  @Test
  @Semantics("3.put.ref")
  void put_reference_isAnError() {
    ObjectRef<Integer> ref = Aktis.put(1);

    assertThatThrownBy(() -> Aktis.put(ref))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("reference");
  }

  @Test
  @Semantics("3.get.order")
  void get_severalInAnyOrderOfCompletion_keepsTheOrderGiven() {
    Gate gate = Gate.closed();
    ObjectRef<Integer> late = Aktis.task(TaskTest::afterGate, gate, 1).remote();
    ObjectRef<Integer> early = Aktis.task(() -> 2).remote();
    early.get();
    gate.open();

    assertThat(Aktis.<Integer>get(List.of(late, early, late))).containsExactly(1, 2, 1);
    assertThat(Aktis.<Integer>get(List.of())).isEmpty();
  }

  @Test
  @Semantics("3.get.failfast")
  void get_severalOneFails_throwsAtOnceThoughOthersAreNotReady() {
    Gate gate = Gate.closed();
    ObjectRef<Integer> never = Aktis.task(TaskTest::afterGate, gate, 1).remote();
    ObjectRef<Integer> failed = Aktis.task(TaskTest::failWithNumber).remote();

    assertThatThrownBy(() -> Aktis.<Integer>get(List.of(never, failed)))
        .isInstanceOf(TaskFailedException.class)
        .hasRootCauseMessage("no number");
    assertThat(never.isReady()).isFalse();
  }

  @Test
  @Semantics("3.get.deadline")
  void get_thousandAtATimeWithTimeout_allEndSoonAfterTheirDeadline() throws InterruptedException {
    Gate gate = Gate.closed();
    ObjectRef<Integer> never = Aktis.task(TaskTest::afterGate, gate, 1).remote();
    List<Long> millis = Collections.synchronizedList(new ArrayList<>());

    List<Thread> waiters =
        IntStream.range(0, 1_000)
            .mapToObj(_ -> Thread.startVirtualThread(() -> millis.add(millisToTimeout(never))))
            .toList();
    for (Thread waiter : waiters) {
      waiter.join();
    }

    assertThat(millis)
        .hasSize(1_000)
        .allSatisfy(took -> assertThat(took).isBetween(SHORT.toMillis(), SLACK.toMillis()));
  }

  @Test
  @Semantics("3.get.deadline")
  void get_severalWithTimeout_isOneDeadlineForAll() {
    Gate gate = Gate.closed();
    List<ObjectRef<Integer>> never =
        IntStream.range(0, 100)
            .mapToObj(i -> Aktis.task(TaskTest::afterGate, gate, i).remote())
            .toList();
    long start = System.nanoTime();

    assertThatThrownBy(() -> Aktis.<Integer>get(never, SHORT)).isInstanceOf(TimeoutException.class);

    assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(SHORT, SLACK);
  }

  @Test
  @Semantics("3.get.deadline")
  void get_withTimeoutInATask_isKeptThere() {
    Gate gate = Gate.closed();
    ObjectRef<Integer> never = Aktis.task(TaskTest::afterGate, gate, 1).remote();

    ObjectRef<Long> took = Aktis.task(() -> millisToTimeout(never)).remote();

    assertThat(took.get()).isBetween(SHORT.toMillis(), SLACK.toMillis());
  }

  /** The task that waits has lent its CPU, and the task it waits for keeps it. */
  @Test
  @EngineTest(cpus = 1)
  @Semantics({"3.get.deadline", "2.blocked.cpu"})
  void get_withTimeoutInATaskWhoseCpuIsTaken_isKeptToo() {
    Gate gate = Gate.closed();

    ObjectRef<Long> took =
        Aktis.task(() -> millisToTimeout(Aktis.task(TaskTest::afterGate, gate, 1).remote()))
            .remote();

    assertThat(took.get(Duration.ofSeconds(10))).isBetween(SHORT.toMillis(), SLACK.toMillis());
  }

  @Test
  @Semantics("3.get.deadline")
  void get_readyBeforeTheDeadline_givesTheValue() {
    assertThat(Aktis.task(() -> 42).remote().get(Duration.ofDays(100_000))).isEqualTo(42);
  }

  @Test
  @Semantics("3.get.zero")
  void get_withZero_onlyLooks() {
    Gate gate = Gate.closed();
    ObjectRef<Integer> ref = Aktis.task(TaskTest::afterGate, gate, 42).remote();

    assertThatThrownBy(() -> ref.get(Duration.ZERO)).isInstanceOf(TimeoutException.class);
    gate.open();
    ref.get();

    assertThat(ref.get(Duration.ZERO)).isEqualTo(42);
    assertThat(Aktis.put(1).get(Duration.ZERO)).isEqualTo(1);
    assertThat(Aktis.<Integer>get(List.of(ref, ref), Duration.ZERO)).containsExactly(42, 42);
  }

  @Test
  @Semantics("3.get.untouched")
  void get_timedOut_leavesTheTaskRunning() {
    Gate gate = Gate.closed();
    ObjectRef<Integer> ref = Aktis.task(TaskTest::afterGate, gate, 42).remote();
    gate.awaitArrivals(1);
    assertThatThrownBy(() -> ref.get(SHORT)).isInstanceOf(TimeoutException.class);

    gate.open();

    assertThat(ref.get()).isEqualTo(42);
    assertThat(ref.attempts()).isEqualTo(1);
  }

  @Test
  @Semantics("3.completed.order")
  void completed_tasksThatFinishOneByOne_comeInThatOrder() {
    List<Gate> gates = IntStream.range(0, 3).mapToObj(_ -> Gate.closed()).toList();
    List<ObjectRef<Integer>> refs =
        IntStream.range(0, 3)
            .mapToObj(i -> Aktis.task(TaskTest::afterGate, gates.get(i), i).cpus(0).remote())
            .toList();
    List<Integer> order = List.of(2, 0, 1);
    List<Integer> seen = new ArrayList<>();
    gates.get(order.getFirst()).open();

    for (ObjectRef<Integer> done : Aktis.completed(refs)) {
      seen.add(done.get());
      if (seen.size() < order.size()) {
        gates.get(order.get(seen.size())).open();
      }
    }

    assertThat(seen).isEqualTo(order);
  }

  @Test
  @Semantics("3.completed.order")
  void completed_failedOnes_areGivenToo() {
    ObjectRef<Integer> failed = Aktis.task(TaskTest::failWithNumber).remote();
    List<ObjectRef<Integer>> refs = List.of(failed, Aktis.put(1));

    List<ObjectRef<Integer>> done = new ArrayList<>();
    Aktis.completed(refs).forEach(done::add);

    assertThat(done).containsExactlyInAnyOrderElementsOf(refs);
  }

  @Test
  @Semantics("3.completed.order")
  void completed_iteratedTwice_isAnError() {
    Iterable<ObjectRef<Integer>> done = Aktis.completed(List.of(Aktis.put(1)));
    assertThat(done.iterator().next().get()).isEqualTo(1);

    assertThatThrownBy(done::iterator).isInstanceOf(IllegalStateException.class);
  }

  @Test
  @Semantics("3.completed.linear")
  void completed_hundredThousandReferences_isFast() {
    List<ObjectRef<Integer>> refs =
        IntStream.range(0, 100_000).mapToObj(i -> Aktis.task(() -> i).remote()).toList();
    long start = System.nanoTime();
    long sum = 0;

    for (ObjectRef<Integer> done : Aktis.completed(refs)) {
      sum += done.get();
    }

    assertThat(sum).isEqualTo(100_000L * 99_999 / 2);
    // Quadratic work would be ten thousand million steps.
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
  }

  @Test
  @Semantics("3.future.value")
  void future_ofATask_completesWithItsValue() throws Exception {
    Gate gate = Gate.closed();
    CompletableFuture<Integer> future = Aktis.task(TaskTest::afterGate, gate, 41).remote().future();
    CompletableFuture<Integer> next = future.thenApply(i -> i + 1);
    assertThat(next).isNotDone();

    gate.open();

    assertThat(next.get()).isEqualTo(42);
  }

  @Test
  @Semantics("3.future.value")
  void future_ofAFailedTask_completesWithWhatGetThrows() {
    CompletableFuture<Integer> future = Aktis.task(TaskTest::failWithNumber).remote().future();

    assertThatThrownBy(future::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(TaskFailedException.class)
        .hasRootCauseMessage("no number");
  }

  @Test
  @Semantics("3.future.value")
  void future_ofAPutValue_completesWithIt() throws Exception {
    assertThat(Aktis.put(42).future().get()).isEqualTo(42);
  }

  @Test
  @Semantics("3.future.value")
  void future_timedOutOrCancelledByItsHolder_leavesTheTaskAlone() {
    Gate gate = Gate.closed();
    ObjectRef<Integer> ref = Aktis.task(TaskTest::afterGate, gate, 42).remote();

    assertThat(ref.future().cancel(true)).isTrue();
    gate.open();

    assertThat(ref.get()).isEqualTo(42);
  }

  private static long millisToTimeout(ObjectRef<Integer> never) {
    long start = System.nanoTime();
    try {
      never.get(SHORT);
    } catch (TimeoutException expected) {
      return Duration.ofNanos(System.nanoTime() - start).toMillis();
    }
    throw new AssertionError("The value was there");
  }
}
