package io.aktis.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.ActorDiedException;
import io.aktis.ActorGroup;
import io.aktis.ActorHandle;
import io.aktis.ActorPool;
import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.CallerInterruptedException;
import io.aktis.ObjectRef;
import io.aktis.PoolCalls;
import io.aktis.TaskCancelledException;
import io.aktis.coordination.Barrier;
import io.aktis.coordination.Queue;
import io.aktis.coordination.Semaphore;
import io.aktis.coordination.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The tools that are built on actors, on one CPU, where they are used in less usual ways. */
@Timeout(60)
final class ToolsOnTheEngineTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  private AktisSession session;

  static final class Worker {
    private int calls;

    int square(int n) {
      return n * n;
    }

    int exitAt(int n) {
      if (n == 3) {
        Aktis.exitActor();
      }
      return n;
    }

    int count() {
      return ++calls;
    }
  }

  static final class Reader {
    String next(Queue<String> queue) {
      return queue.take();
    }
  }

  @BeforeEach
  void open() {
    session = Aktis.init(options -> options.cpus(1));
  }

  @AfterEach
  void close() {
    session.close();
  }

  // ---- pools and groups -------------------------------------------------------------------

  @Test
  void pool_whoseActorDies_goesOnWithTheOthers() {
    try (ActorPool<Worker> pool = ActorPool.of(2, Worker::new)) {
      PoolCalls<Worker, Integer, Integer> calls = pool.calls(Worker::exitAt);
      IntStream.range(0, 40).forEach(calls::submit);
      int failed = 0;
      List<Integer> results = new ArrayList<>();
      while (calls.hasNext()) {
        try {
          results.add(calls.next());
        } catch (ActorDiedException e) {
          failed++;
        }
      }

      assertThat(failed).isLessThanOrEqualTo(2);
      assertThat(results).hasSize(40 - failed).isSorted();
      assertThat(pool.size()).isEqualTo(1);
    }
  }

  @Test
  void pool_withoutActors_saysSo() {
    try (ActorPool<Worker> pool = ActorPool.of(1, Worker::new)) {
      ActorHandle<Worker> taken = pool.pop().orElseThrow();
      PoolCalls<Worker, Integer, Integer> calls = pool.calls(Worker::square);
      calls.submit(3);

      assertThatThrownBy(calls::next)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("no actor is left in the pool; items that wait: 1");
      pool.push(taken);
      assertThat(calls.next()).isEqualTo(9);
    }
  }

  @Test
  void pool_map_readsItemsAsTheyAreNeeded() {
    AtomicInteger read = new AtomicInteger();
    Iterable<Integer> endless = () -> IntStream.generate(read::getAndIncrement).iterator();
    try (ActorPool<Worker> pool = ActorPool.of(2, Worker::new)) {
      assertThat(pool.map(Worker::square, endless).limit(100))
          .containsExactlyElementsOf(IntStream.range(0, 100).mapToObj(n -> n * n).toList());
      assertThat(read.get()).isBetween(100, 100 + 2 * 16 + 1);
    }
  }

  @Test
  void pool_closed_takesNoMoreItems() {
    ActorPool<Worker> pool = ActorPool.of(1, Worker::new);
    PoolCalls<Worker, Integer, Integer> calls = pool.calls(Worker::square);
    pool.close();
    pool.close();

    assertThatThrownBy(() -> calls.submit(1)).hasMessage("the pool is closed");
  }

  @Test
  void pool_ofAnotherSession_isNotTheCurrentOne() {
    try (AktisSession other = Aktis.open(options -> options.cpus(1));
        ActorPool<Worker> pool = ActorPool.of(other, 2, other.actor(() -> new Worker()))) {
      assertThat(pool.map(Worker::square, List.of(1, 2, 3))).containsExactly(1, 4, 9);
    }
  }

  @Test
  void group_isIterable_andKeepsTheStateOfEach() {
    try (ActorGroup<Worker> group = ActorGroup.of(3, Worker::new)) {
      Aktis.<Integer>get(group.callAll(Worker::count));
      group.get(1).call(Worker::count).get();

      List<Integer> counts = new ArrayList<>();
      group.forEach(worker -> counts.add(worker.call(Worker::count).get()));
      assertThat(counts).containsExactly(2, 3, 2);
    }
  }

  // ---- coordination -----------------------------------------------------------------------

  @Test
  void queue_ofReferences_keepsThemReferences() {
    try (Queue<ObjectRef<Integer>> queue = Queue.of(3)) {
      queue.put(Aktis.put(5));
      queue.putAll(List.of(Aktis.put(6), Aktis.put(7)));

      assertThat(queue.take().get()).isEqualTo(5);
      assertThat(Aktis.<Integer>get(queue.takeUpTo(5))).containsExactly(6, 7);
    }
  }

  @Test
  void queue_insideAnActor_isTheSameQueue() {
    try (Queue<String> queue = Queue.of(1);
        ActorHandle<Reader> reader = Aktis.actor(Reader::new).remote()) {
      ObjectRef<String> read = reader.call(Reader::next, queue);
      queue.put("for the actor");

      assertThat(read.get(LONG)).isEqualTo("for the actor");
      assertThat(Aktis.task((Queue<String> q) -> q, queue).remote().get()).isEqualTo(queue);
    }
  }

  @Test
  void queue_whoseTakerIsCancelled_losesNothing() {
    try (Queue<String> queue = Queue.of(1);
        Signal started = Signal.create()) {
      ObjectRef<String> taker =
          Aktis.task(
                  () -> {
                    started.send();
                    return queue.take();
                  })
              .remote();
      started.await(LONG);
      taker.cancel();
      assertThatThrownBy(() -> taker.get(LONG)).isInstanceOf(TaskCancelledException.class);

      queue.put("kept");

      assertThat(queue.take(LONG)).isEqualTo("kept");
    }
  }

  @Test
  void queue_whoseTakerIsInterruptedWhileOthersPut_losesNothing() throws Exception {
    for (int round = 0; round < 200; round++) {
      try (Queue<Integer> queue = Queue.of(1)) {
        int element = round;
        AtomicInteger taken = new AtomicInteger(-1);
        Thread taker = Thread.ofPlatform().start(() -> takeUnlessInterrupted(queue, taken));
        Thread putter = Thread.ofPlatform().start(() -> queue.put(element));
        taker.interrupt();
        taker.join();
        putter.join();

        assertThat(taken.get() == -1 ? queue.take(LONG) : taken.get()).isEqualTo(round);
      }
    }
  }

  private static void takeUnlessInterrupted(Queue<Integer> queue, AtomicInteger taken) {
    try {
      taken.set(queue.take());
    } catch (CallerInterruptedException e) {
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }
  }

  @Test
  void queue_withThousandsOfTakers_servesEachOnce() {
    try (Queue<Integer> queue = Queue.of(10)) {
      List<ObjectRef<Integer>> takers =
          IntStream.range(0, 2_000)
              .mapToObj(i -> Aktis.task((Queue<Integer> q) -> q.take(), queue).cpus(0).remote())
              .toList();
      for (int i = 0; i < takers.size(); i++) {
        queue.put(i);
      }

      assertThat(Aktis.<Integer>get(takers, LONG))
          .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 2_000).boxed().toList());
    }
  }

  @Test
  void barrier_ofMoreTasksThanCpus_letsAllThrough() {
    try (Barrier barrier = Barrier.of(20)) {
      List<ObjectRef<Boolean>> parties =
          IntStream.range(0, 20)
              .mapToObj(i -> Aktis.task((Barrier b) -> b.await(), barrier).remote())
              .toList();

      assertThat(Aktis.<Boolean>get(parties, LONG)).containsOnlyOnce(true);
    }
  }

  @Test
  void tool_whoseHandleIsClosed_saysSo() {
    Queue<String> queue = Queue.of(1);
    queue.close();
    queue.close();

    assertThatThrownBy(() -> queue.put("late"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void arguments_thatMakeNoSense_areRefusedInWords() {
    Queue<String> queue = Queue.of(2);
    Semaphore semaphore = Semaphore.of(2);

    assertThatThrownBy(() -> Queue.of(0)).hasMessage("the capacity must be at least 1, not 0");
    assertThatThrownBy(() -> Queue.of(null, 1)).hasMessage("the session must not be null");
    assertThatThrownBy(() -> queue.put(null)).hasMessage("the element must not be null");
    assertThatThrownBy(() -> queue.putAll(null)).hasMessage("the elements must not be null");
    assertThatThrownBy(() -> queue.putAll(Arrays.asList("a", null)))
        .hasMessage("the element must not be null");
    assertThatThrownBy(() -> queue.putAll(List.of("a", "b", "c")))
        .hasMessage("a batch of 3 never fits into a queue of 2");
    assertThatThrownBy(() -> queue.take(null)).hasMessage("the timeout must not be null");
    assertThatThrownBy(() -> queue.take(Duration.ofSeconds(-1)))
        .hasMessage("the timeout must be a duration of zero or more, not PT-1S");
    assertThatThrownBy(() -> queue.takeUpTo(0))
        .hasMessage("the number of elements must be at least 1, not 0");
    assertThatThrownBy(() -> semaphore.acquire(3))
        .hasMessage("acquire(3) can never succeed: there are 2 permits");
    assertThatThrownBy(() -> semaphore.release(0))
        .hasMessage("the number of permits must be at least 1, not 0");
    assertThatThrownBy(semaphore::release)
        .hasMessage("release(1): fewer of the 2 permits are taken");
    assertThatThrownBy(() -> Barrier.of(-1))
        .hasMessage("the number of parties must be at least 1, not -1");
    assertThatThrownBy(() -> ActorPool.of(0, Worker::new))
        .hasMessage("the number of actors must be at least 1, not 0");
    assertThatThrownBy(() -> ActorGroup.of(2, Aktis.actor(Worker::new).named("only")))
        .hasMessage("the actor is named 'only', but 2 are to be made");
  }
}
