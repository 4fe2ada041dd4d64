package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.ActorGroup;
import io.aktis.ActorPool;
import io.aktis.Aktis;
import io.aktis.ObjectRef;
import io.aktis.TaskFailedException;
import io.aktis.TimeoutException;
import io.aktis.coordination.Barrier;
import io.aktis.coordination.Queue;
import io.aktis.coordination.Semaphore;
import io.aktis.coordination.Signal;
import io.aktis.testkit.EngineTest;
import io.aktis.testkit.Gate;
import io.aktis.testkit.Notes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The tools that are built on actors. */
@EngineTest(cpus = 2)
class ToolsTest {
  private static final Duration SHORT = Duration.ofMillis(50);

  static final class Squarer {
    int square(int i) {
      if (i < 0) {
        throw new IllegalArgumentException("negative");
      }
      return i * i;
    }

    int squareAfter(Gate gate) throws InterruptedException {
      gate.pass();
      return 1;
    }
  }

  @Test
  @Semantics("4.tools.pool")
  void pool_map_givesResultsInOrder() {
    try (var pool = ActorPool.of(3, Squarer::new)) {
      List<Integer> items = IntStream.range(0, 200).boxed().toList();

      assertThat(pool.map(Squarer::square, items))
          .containsExactlyElementsOf(items.stream().map(i -> i * i).toList());
      assertThat(pool.size()).isEqualTo(3);
      assertThat(pool.idle()).isEqualTo(3);
    }
  }

  @Test
  @Semantics("4.tools.pool")
  void pool_mapUnordered_givesWhatIsReadyFirst() {
    List<Gate> gates = List.of(Gate.closed(), Gate.closed());
    gates.get(1).open();
    try (var pool = ActorPool.of(2, Squarer::new)) {
      var calls = pool.calls((Squarer s, Integer i) -> TaskTest.afterGate(gates.get(i), i));
      calls.submit(0);
      calls.submit(1);

      assertThat(calls.nextUnordered()).isEqualTo(1);
      gates.get(0).open();
      assertThat(calls.nextUnordered()).isEqualTo(0);
      assertThat(pool.mapUnordered(Squarer::square, List.of(1, 2, 3)))
          .containsExactlyInAnyOrder(1, 4, 9);
    }
  }

  @Test
  @Semantics("4.tools.pool")
  void pool_submitAndNext_keepTheOrderAndTheFailures() {
    try (var pool = ActorPool.of(2, Squarer::new)) {
      var calls = pool.calls(Squarer::square);
      List.of(3, -1, 4).forEach(calls::submit);

      assertThat(calls.next()).isEqualTo(9);
      assertThatThrownBy(calls::next).isInstanceOf(TaskFailedException.class);
      assertThat(calls.next()).isEqualTo(16);
      assertThat(calls.hasNext()).isFalse();
    }
  }

  @Test
  @Semantics("4.tools.pool")
  void pool_nextInVain_timesOutAndCanBeAskedAgain() {
    Gate gate = Gate.closed();
    try (var pool = ActorPool.of(1, Squarer::new)) {
      var calls = pool.calls(Squarer::squareAfter);
      calls.submit(gate);

      assertThatThrownBy(() -> calls.next(SHORT)).isInstanceOf(TimeoutException.class);
      gate.open();
      assertThat(calls.next()).isEqualTo(1);
    }
  }

  @Test
  @Semantics("4.tools.group")
  void group_callAllAndEach_reachEveryActor() {
    try (var group = ActorGroup.of(3, Squarer::new)) {
      assertThat(Aktis.<Integer>get(group.callAll(Squarer::square, 4))).containsExactly(16, 16, 16);
      assertThat(Aktis.<Integer>get(group.callEach(Squarer::square, List.of(1, 2, 3))))
          .containsExactly(1, 4, 9);
      assertThatThrownBy(() -> group.callEach(Squarer::square, List.of(1)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  @Semantics("4.tools.queue")
  void queue_fromTaskToTask_keepsTheOrderAndIsBounded() {
    try (Queue<Integer> queue = Queue.of(5)) {
      ObjectRef<Void> filler = Aktis.run(ToolsTest::fill, queue, 100).remote();
      ObjectRef<List<Integer>> drained = Aktis.task(ToolsTest::drain, queue, 100).remote();

      assertThat(drained.get()).isEqualTo(IntStream.range(0, 100).boxed().toList());
      filler.get();
      assertThat(queue.size()).isZero();
    }
  }

  @Test
  @Semantics("4.tools.queue")
  void queue_full_refusesOrTimesOut() {
    try (Queue<String> queue = Queue.of(2)) {
      queue.putAll(List.of("a", "b"));

      assertThat(queue.offer("c")).isFalse();
      assertThatThrownBy(() -> queue.put("c", SHORT)).isInstanceOf(TimeoutException.class);
      assertThatThrownBy(() -> queue.putAll(List.of("c", "d", "e")))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(queue.takeUpTo(10)).containsExactly("a", "b");
    }
  }

  @Test
  @Semantics("4.tools.queue")
  void queue_empty_isPolledInVainOrTimesOut() {
    try (Queue<String> queue = Queue.of(2)) {
      assertThat(queue.poll()).isEmpty();
      assertThatThrownBy(() -> queue.take(SHORT)).isInstanceOf(TimeoutException.class);
    }
  }

  @Test
  @Semantics("4.tools.coordination")
  void barrier_allPartiesCome_oneIsTheLast() {
    try (Barrier barrier = Barrier.of(4)) {
      List<ObjectRef<Boolean>> parties =
          IntStream.range(0, 4).mapToObj(_ -> Aktis.task(() -> barrier.await()).remote()).toList();

      assertThat(Aktis.<Boolean>get(parties)).containsOnlyOnce(true);
    }
  }

  @Test
  @Semantics("4.tools.coordination")
  void barrier_somebodyIsMissing_timesOut() {
    try (Barrier barrier = Barrier.of(2)) {
      assertThatThrownBy(() -> barrier.await(SHORT)).isInstanceOf(TimeoutException.class);
      assertThat(barrier.waiting()).isZero();
    }
  }

  @Test
  @Semantics("4.tools.coordination")
  void semaphore_twoPermits_letTwoInAtATime() {
    Gate gate = Gate.closed();
    Notes waiting = Notes.empty();
    try (Semaphore semaphore = Semaphore.of(2)) {
      List<ObjectRef<Void>> tasks =
          IntStream.range(0, 5)
              .mapToObj(
                  _ -> Aktis.run(ToolsTest::passWithPermit, semaphore, gate, waiting).remote())
              .toList();
      gate.awaitArrivals(2);
      waiting.awaitCount(2);

      assertThat(semaphore.available()).isZero();
      assertThat(semaphore.tryAcquire()).isFalse();
      gate.open();
      Aktis.<Void>get(tasks);
      assertThat(semaphore.available()).isEqualTo(2);
      assertThatThrownBy(semaphore::release).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  @Semantics("4.tools.coordination")
  void signal_sent_letsEverybodyGoOn() {
    try (Signal signal = Signal.create()) {
      List<ObjectRef<Void>> waiters =
          IntStream.range(0, 10).mapToObj(_ -> Aktis.run(() -> signal.await()).remote()).toList();
      assertThat(signal.isSent()).isFalse();
      assertThat(waiters).noneMatch(ObjectRef::isReady);

      signal.send();

      Aktis.<Void>get(waiters);
      signal.await(Duration.ZERO);
      signal.reset();
      assertThatThrownBy(() -> signal.await(SHORT)).isInstanceOf(TimeoutException.class);
    }
  }

  static void fill(Queue<Integer> queue, int count) {
    for (int i = 0; i < count; i++) {
      queue.put(i);
    }
  }

  static List<Integer> drain(Queue<Integer> queue, int count) {
    List<Integer> drained = new ArrayList<>();
    while (drained.size() < count) {
      drained.addAll(queue.takeUpTo(7));
    }
    return drained;
  }

  static void passWithPermit(Semaphore semaphore, Gate gate, Notes waiting)
      throws InterruptedException {
    waiting.add("comes");
    semaphore.acquire();
    try {
      gate.pass();
    } finally {
      semaphore.release();
    }
  }
}
