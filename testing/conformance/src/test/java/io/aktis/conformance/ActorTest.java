package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.ActorDiedException;
import io.aktis.ActorHandle;
import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.ObjectRef;
import io.aktis.TaskCancelledException;
import io.aktis.TaskFailedException;
import io.aktis.testkit.Await;
import io.aktis.testkit.EngineTest;
import io.aktis.testkit.Gate;
import io.aktis.testkit.Notes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Making actors and calling them. */
@EngineTest(cpus = 2)
class ActorTest {
  static final class Counter {
    private int count;

    Counter(int start) {
      count = start;
    }

    int add(int more) {
      count += more;
      return count;
    }

    void reset() {
      count = 0;
    }

    int failing() {
      count++;
      throw new IllegalArgumentException("a method's failure");
    }
  }

  static final class Joiner {
    String none() {
      return "0";
    }

    String three(int a, int b, int c) {
      return TaskTest.join3(a, b, c);
    }

    String four(int a, int b, int c, int d) {
      return TaskTest.join4(a, b, c, d);
    }

    String five(int a, int b, int c, int d, int e) {
      return TaskTest.join5(a, b, c, d, e);
    }

    String six(int a, int b, int c, int d, int e, int f) {
      return TaskTest.join6(a, b, c, d, e, f);
    }
  }

  static final class Refusing {
    Refusing(Gate gate) throws InterruptedException {
      gate.pass();
      throw new IllegalStateException("refused");
    }

    int answer() {
      return 42;
    }
  }

  @Test
  @Semantics("4.create.plain")
  void actor_plainClass_keepsItsState() {
    try (ActorHandle<Counter> counter = Aktis.actor(Counter::new, 10).remote()) {
      assertThat(counter.call(Counter::add, 1).get()).isEqualTo(11);
      assertThat(counter.call(Counter::add, 2).get()).isEqualTo(13);
      counter.run(Counter::reset).get();
      assertThat(counter.call(c -> c.add(5)).get()).isEqualTo(5);
      assertThat(counter.id()).isNotBlank();
    }
  }

  @Test
  @Semantics("4.create.plain")
  void actor_fromAFactory_isAnyClassOfTheJdk() {
    try (ActorHandle<ArrayList<String>> list =
        Aktis.actor(() -> new ArrayList<String>()).remote()) {
      assertThat(list.call(ArrayList::add, "a").get()).isTrue();
      assertThat(list.call(ArrayList::size).get()).isEqualTo(1);
    }
  }

  @Test
  @Semantics({"4.create.plain", "2.call.arity"})
  void call_zeroToSixArguments_callsTheMethod() {
    try (ActorHandle<Joiner> joiner = Aktis.actor(Joiner::new).remote()) {
      assertThat(joiner.call(Joiner::none).get()).isEqualTo("0");
      assertThat(joiner.call((Joiner j, Integer a) -> "" + a, 1).get()).isEqualTo("1");
      assertThat(joiner.call((Joiner j, Integer a, Integer b) -> "" + a + b, 1, 2).get())
          .isEqualTo("12");
      assertThat(joiner.call(Joiner::three, 1, 2, 3).get()).isEqualTo("123");
      assertThat(joiner.call(Joiner::four, 1, 2, 3, 4).get()).isEqualTo("1234");
      assertThat(joiner.call(Joiner::five, 1, 2, 3, 4, 5).get()).isEqualTo("12345");
      assertThat(joiner.call(Joiner::six, 1, 2, 3, 4, 5, 6).get()).isEqualTo("123456");
    }
  }

  @Test
  @Semantics("4.create.plain")
  void actor_constructorThatWaits_returnsItsHandleAtOnce() {
    Gate gate = Gate.closed();
    ActorHandle<Integer> actor = Aktis.actor(TaskTest::afterGate, gate, 7).remote();
    ObjectRef<Integer> call = actor.call(Integer::intValue);

    gate.awaitArrivals(1);
    assertThat(actor.ready().isReady()).isFalse();
    assertThat(call.isReady()).isFalse();
    gate.open();

    actor.ready().get();
    assertThat(call.get()).isEqualTo(7);
    actor.close();
  }

  @Test
  @Semantics({"4.create.plain", "2.call.arguments"})
  void actor_argumentsByReference_getTheValues() {
    ObjectRef<Integer> start = Aktis.task(() -> 40).remote();
    ObjectRef<Integer> more = Aktis.put(2);
    try (ActorHandle<Counter> counter = Aktis.actor(Counter::new, start).remote()) {
      assertThat(counter.call(Counter::add, more).get()).isEqualTo(42);
    }
  }

  @Test
  @Semantics("4.create.plain")
  void handle_passedToTasks_callsTheSameActor() {
    try (ActorHandle<Counter> counter = Aktis.actor(Counter::new, 0).remote()) {
      List<ObjectRef<Integer>> adds =
          IntStream.range(0, 100)
              .mapToObj(_ -> Aktis.task(ActorTest::addOne, counter).remote())
              .toList();
      Aktis.<Integer>get(adds);

      assertThat(counter.call(Counter::add, 0).get()).isEqualTo(100);
    }
  }

  @Test
  @Semantics("4.create.light")
  void actors_aThousand_areMadeAndCalledQuickly() {
    long start = System.nanoTime();
    List<ActorHandle<Counter>> actors =
        IntStream.range(0, 1_000).mapToObj(i -> Aktis.actor(Counter::new, i).remote()).toList();
    List<ObjectRef<Integer>> answers =
        actors.stream().map(actor -> actor.call(Counter::add, 1)).toList();

    assertThat(Aktis.<Integer>get(answers))
        .isEqualTo(IntStream.rangeClosed(1, 1_000).boxed().toList());

    actors.forEach(ActorHandle::close);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
  }

  @Test
  @Semantics("4.create.resources")
  void actor_withoutCpus_holdsNoneWhileItLives(AktisSession session) {
    try (ActorHandle<Counter> counter = Aktis.actor(Counter::new, 0).remote()) {
      counter.ready().get();

      Await.until("both CPUs to be free", () -> session.cluster().available("CPU") == 2);
      assertThat(counter.call(Counter::add, 1).get()).isEqualTo(1);
    }
  }

  @Test
  @Semantics("4.create.resources")
  void actor_withCpus_holdsThemUntilItEnds(AktisSession session) {
    ActorHandle<Counter> counter = Aktis.actor(Counter::new, 0).cpus(1.5).remote();
    counter.ready().get();
    assertThat(session.cluster().available("CPU")).isEqualTo(0.5);

    counter.close();

    Await.until("the CPUs to be free", () -> session.cluster().available("CPU") == 2);
  }

  @Test
  @Semantics("4.create.resources")
  void actor_withoutCpus_needsOneToBePlaced() {
    Gate gate = Gate.closed();
    ObjectRef<Void> busy = Aktis.run(Gate::pass, gate).cpus(2).remote();
    gate.awaitArrivals(1);
    ActorHandle<Counter> counter = Aktis.actor(Counter::new, 0).remote();
    assertThat(counter.ready().isReady()).isFalse();

    gate.open();

    busy.get();
    counter.ready().get();
    counter.close();
  }

  @Test
  @Semantics("4.constructor.failure")
  void constructor_thatThrows_failsCreationAndEveryCall(AktisSession session) {
    Gate gate = Gate.closed();
    ActorHandle<Refusing> actor =
        Aktis.actor(Refusing::new, gate).cpus(1).named("refusing").remote();
    List<ObjectRef<Integer>> queued =
        IntStream.range(0, 3).mapToObj(_ -> actor.call(Refusing::answer)).toList();

    gate.open();

    assertThatThrownBy(actor.ready()::get).hasRootCauseMessage("refused");
    assertThat(queued).allSatisfy(ActorTest::assertRefused);
    assertRefused(actor.call(Refusing::answer));
    Await.until("the CPU to be free", () -> session.cluster().available("CPU") == 2);
  }

  private static void assertRefused(ObjectRef<Integer> call) {
    assertThatThrownBy(call::get)
        .isInstanceOf(ActorDiedException.class)
        .hasRootCauseInstanceOf(IllegalStateException.class)
        .hasRootCauseMessage("refused");
  }

  @Test
  @Semantics("4.constructor.failure")
  void constructor_thatThrows_leavesTheNameFree() {
    Gate open = Gate.closed();
    open.open();
    ActorHandle<Refusing> refused = Aktis.actor(Refusing::new, open).named("taken").remote();
    assertThatThrownBy(refused.ready()::get).hasRootCauseMessage("refused");

    try (ActorHandle<Counter> next = Aktis.actor(Counter::new, 1).named("taken").remote()) {
      assertThat(next.call(Counter::add, 1).get()).isEqualTo(2);
    }
  }

  @Test
  @Semantics("4.constructor.failure")
  void constructor_withAFailedArgument_failsWithThatFailure() {
    ObjectRef<Integer> failed = Aktis.task(TaskTest::failWithNumber).remote();

    ActorHandle<Counter> actor = Aktis.actor(Counter::new, failed).remote();

    assertThatThrownBy(actor.ready()::get).hasRootCauseMessage("no number");
    assertThatThrownBy(actor.call(Counter::add, 1)::get)
        .isInstanceOf(ActorDiedException.class)
        .hasRootCauseMessage("no number");
  }

  @Test
  @Semantics("4.failure.method")
  void method_thatThrows_failsItsCallOnly() {
    try (ActorHandle<Counter> counter = Aktis.actor(Counter::new, 0).remote()) {
      ObjectRef<Integer> failed = counter.call(Counter::failing);
      ObjectRef<Integer> next = counter.call(Counter::add, 1);

      assertThatThrownBy(failed::get)
          .isInstanceOf(TaskFailedException.class)
          .cause()
          .isExactlyInstanceOf(IllegalArgumentException.class)
          .hasMessage("a method's failure");
      assertThat(next.get()).isEqualTo(2);
    }
  }

  @Test
  @Semantics("4.failure.method")
  void method_withAFailedArgument_doesNotRun() {
    Notes notes = Notes.empty();
    ObjectRef<Integer> failed = Aktis.task(TaskTest::failWithNumber).remote();
    try (ActorHandle<Counter> counter = Aktis.actor(Counter::new, 0).remote()) {
      ObjectRef<Integer> call =
          counter.call((Counter c, Integer i) -> TaskTest.notedIncrement(i, notes), failed);

      assertThatThrownBy(call::get).hasRootCauseMessage("no number");
      assertThat(counter.call(Counter::add, 1).get()).isEqualTo(1);
      assertThat(notes.count()).isZero();
    }
  }

  @Test
  @Semantics("4.create.plain")
  void timeoutView_callThatTakesLonger_fails() {
    Gate gate = Gate.closed();
    try (ActorHandle<Counter> counter = Aktis.actor(Counter::new, 0).remote()) {
      ObjectRef<Integer> late =
          counter.timeout(Duration.ofMillis(100)).call(_ -> TaskTest.afterGate(gate, 1));

      assertThatThrownBy(late::get).isInstanceOf(TaskCancelledException.class);
      assertThat(counter.call(Counter::add, 1).get()).isEqualTo(1);
    }
  }

  static int addOne(ActorHandle<Counter> counter) {
    return counter.call(Counter::add, 1).get();
  }
}
