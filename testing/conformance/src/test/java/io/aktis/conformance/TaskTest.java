package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.Aktis;
import io.aktis.Arg;
import io.aktis.ObjectRef;
import io.aktis.RemoteFunction2;
import io.aktis.TaskCancelledException;
import io.aktis.TaskFailedException;
import io.aktis.testkit.EngineTest;
import io.aktis.testkit.Gate;
import io.aktis.testkit.Notes;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Submitting tasks: functions, arguments, options that are not about resources. */
@EngineTest(cpus = 2)
class TaskTest {
  private static final RemoteFunction2<String, Integer, String> REPEAT =
      Aktis.remote(String::repeat).named("repeat");

  record Box(int content) {
    int plus(int more) {
      return content + more;
    }
  }

  @Test
  @Semantics("2.call.arity")
  void task_zeroToSixArguments_callsTheFunction() {
    assertThat(Aktis.task(() -> "0").remote().get()).isEqualTo("0");
    assertThat(Aktis.task(a -> "" + a, 1).remote().get()).isEqualTo("1");
    assertThat(Aktis.task((a, b) -> "" + a + b, 1, 2).remote().get()).isEqualTo("12");
    assertThat(Aktis.task((a, b, c) -> "" + a + b + c, 1, 2, 3).remote().get()).isEqualTo("123");
    assertThat(Aktis.task((a, b, c, d) -> "" + a + b + c + d, 1, 2, 3, 4).remote().get())
        .isEqualTo("1234");
    assertThat(Aktis.task((a, b, c, d, e) -> "" + a + b + c + d + e, 1, 2, 3, 4, 5).remote().get())
        .isEqualTo("12345");
    assertThat(
            Aktis.task((a, b, c, d, e, f) -> "" + a + b + c + d + e + f, 1, 2, 3, 4, 5, 6)
                .remote()
                .get())
        .isEqualTo("123456");
  }

  @Test
  @Semantics("2.call.kinds")
  void task_methodReferenceOfAnyKind_runs() {
    Box bound = new Box(40);

    assertThat(Aktis.task(Integer::sum, 40, 2).remote().get()).isEqualTo(42);
    assertThat(Aktis.task(Box::plus, bound, 2).remote().get()).isEqualTo(42);
    assertThat(Aktis.task(bound::plus, 2).remote().get()).isEqualTo(42);
    assertThat(Aktis.task(Box::new, 7).remote().get()).isEqualTo(new Box(7));
  }

  @Test
  @Semantics("2.call.kinds")
  void task_capturingLambda_seesWhatItCaptured() {
    int base = 40;
    List<Box> boxes = List.of(new Box(1), new Box(1));

    ObjectRef<Integer> sum =
        Aktis.task(() -> base + boxes.stream().mapToInt(Box::content).sum()).remote();

    assertThat(sum.get()).isEqualTo(42);
  }

  @Test
  @Semantics("2.call.kinds")
  void task_capturedReference_canBeGotInside() {
    ObjectRef<Integer> forty = Aktis.put(40);

    assertThat(Aktis.task(() -> forty.get() + 2).remote().get()).isEqualTo(42);
  }

  @Test
  @Semantics("2.call.void")
  void run_codeWithoutResult_isDoneWhenItsReferenceIs() {
    Notes notes = Notes.empty();

    Aktis.run(Notes::add, notes, "ran").remote().get();

    assertThat(notes.lines()).containsExactly("ran");
  }

  @Test
  @Semantics("2.call.atonce")
  void remote_taskThatWaits_returnsAtOnce() {
    Gate gate = Gate.closed();

    ObjectRef<Void> held = Aktis.run(Gate::pass, gate).remote();

    gate.awaitArrivals(1);
    assertThat(held.isReady()).isFalse();
    gate.open();
    held.get();
    assertThat(held.isReady()).isTrue();
  }

  @Test
  @Semantics("2.call.atonce")
  void remote_fromManyThreads_runsEveryTaskOnce() throws InterruptedException {
    Notes sums = Notes.empty();
    List<Thread> threads =
        IntStream.range(0, 8)
            .mapToObj(_ -> Thread.startVirtualThread(() -> sums.add("" + sumOfThousand())))
            .toList();
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(sums.lines()).hasSize(8).containsOnly("499500");
  }

  private static int sumOfThousand() {
    List<ObjectRef<Integer>> refs =
        IntStream.range(0, 1_000).mapToObj(i -> Aktis.task(() -> i).remote()).toList();
    return Aktis.<Integer>get(refs).stream().mapToInt(Integer::intValue).sum();
  }

  @Test
  @Semantics("2.call.arguments")
  void task_mixOfValuesAndReferences_getsTheValues() {
    ObjectRef<Integer> two = Aktis.put(2);

    assertThat(Aktis.task(TaskTest::negate, two).remote().get()).isEqualTo(-2);
    assertThat(Aktis.task(Integer::sum, two, 40).remote().get()).isEqualTo(42);
    assertThat(Aktis.task(Integer::sum, 40, two).remote().get()).isEqualTo(42);
    assertThat(Aktis.task(Integer::sum, two, two).remote().get()).isEqualTo(4);
    assertThat(
            Aktis.task((Integer a, Integer b, Integer c) -> a + b + c, two, Arg.of(30), Arg.of(10))
                .remote()
                .get())
        .isEqualTo(42);
  }

  @Test
  @Semantics("2.call.arguments")
  void task_wrappedNull_arrivesAsNull() {
    ObjectRef<Boolean> isNull =
        Aktis.task((String text) -> text == null, Arg.<String>of(null)).remote();

    assertThat(isNull.get()).isTrue();
  }

  @Test
  @Semantics({"2.call.arity", "2.call.function"})
  void remoteFunction_zeroToSixArguments_callsTheFunction() {
    assertThat(Aktis.remote(() -> "0").call().get()).isEqualTo("0");
    assertThat(Aktis.remote((Integer a) -> "" + a).call(1).get()).isEqualTo("1");
    assertThat(Aktis.remote((Integer a, Integer b) -> "" + a + b).call(1, 2).get()).isEqualTo("12");
    assertThat(Aktis.remote(TaskTest::join3).call(1, 2, 3).get()).isEqualTo("123");
    assertThat(Aktis.remote(TaskTest::join4).call(1, 2, 3, 4).get()).isEqualTo("1234");
    assertThat(Aktis.remote(TaskTest::join5).call(1, 2, 3, 4, 5).get()).isEqualTo("12345");
    assertThat(Aktis.remote(TaskTest::join6).call(1, 2, 3, 4, 5, 6).get()).isEqualTo("123456");
  }

  static String join3(int a, int b, int c) {
    return "" + a + b + c;
  }

  static String join4(int a, int b, int c, int d) {
    return join3(a, b, c) + d;
  }

  static String join5(int a, int b, int c, int d, int e) {
    return join4(a, b, c, d) + e;
  }

  static String join6(int a, int b, int c, int d, int e, int f) {
    return join5(a, b, c, d, e) + f;
  }

  @Test
  @Semantics("2.call.function")
  void remoteFunction_inAStaticField_isCalledOften() {
    ObjectRef<Integer> times = Aktis.put(3);

    assertThat(REPEAT.call("ab", 2).get()).isEqualTo("abab");
    assertThat(REPEAT.call("ab", times).get()).isEqualTo("ababab");
  }

  @Test
  @Semantics({"2.call.function", "1.close.again"})
  void remoteFunction_inAStaticField_worksInTheNextSession() {
    assertThat(REPEAT.call("x", 2).get()).isEqualTo("xx");
    Aktis.shutdown();
    Aktis.init(Deploy.cpus(2));

    assertThat(REPEAT.call("y", 2).get()).isEqualTo("yy");
  }

  @Test
  @Semantics("2.call.function")
  void remoteFunction_withOptions_keepsThemAndIsNotChanged() {
    var plain = Aktis.remote(() -> Aktis.context().taskName());
    var named = plain.named("special");

    assertThat(named.call().get()).isEqualTo("special");
    assertThat(plain.call().get()).isNotEqualTo("special");
  }

  @Test
  @Semantics("2.options.name")
  void named_task_showsInContextAndFailure() {
    assertThat(Aktis.task(() -> Aktis.context().taskName()).named("mill").remote().get())
        .isEqualTo("mill");

    ObjectRef<Void> failed = Aktis.run(TaskTest::fail).named("broken mill").remote();
    assertThatThrownBy(failed::get).hasMessageContaining("broken mill");
  }

  @Test
  @Semantics("2.options.name")
  void task_withoutName_isNamedAfterItsCode() {
    ObjectRef<Void> failed = Aktis.run(TaskTest::fail).remote();

    assertThatThrownBy(failed::get).hasMessageContaining("fail");
  }

  @Test
  @Semantics("2.options.timeout")
  void timeout_taskThatTakesLonger_isCancelledAndFails() {
    Gate gate = Gate.closed();
    Notes notes = Notes.empty();

    assertThat(Aktis.task(() -> 1).remote().get()).isEqualTo(1); // there is who runs it at once

    ObjectRef<Void> late =
        Aktis.run(TaskTest::passOrNote, gate, notes).timeout(Duration.ofSeconds(1)).remote();

    assertThatThrownBy(late::get).isInstanceOf(TaskCancelledException.class);
    assertThat(notes.awaitCount(1)).containsExactly("interrupted");
  }

  @Test
  @Semantics("2.options.timeout")
  void timeout_taskThatWaitsForResources_failsToo() {
    Gate gate = Gate.closed();
    ObjectRef<Void> busy = Aktis.run(Gate::pass, gate).cpus(2).remote();

    ObjectRef<Integer> late = Aktis.task(() -> 1).timeout(Duration.ofMillis(100)).remote();

    assertThatThrownBy(late::get).isInstanceOf(TaskCancelledException.class);
    gate.open();
    busy.get();
  }

  @Test
  @Semantics("2.options.isolated")
  void isolated_task_runs() {
    assertThat(Aktis.task(() -> 42).isolated().remote().get()).isEqualTo(42);
  }

  @Test
  @Semantics("2.args.ref")
  void task_referenceArgument_startsWhenTheValueExists() {
    Gate gate = Gate.closed();
    Notes notes = Notes.empty();
    ObjectRef<Integer> early = Aktis.task(TaskTest::afterGate, gate, 41).remote();

    ObjectRef<Integer> late = Aktis.task(TaskTest::notedIncrement, early, notes).remote();

    gate.awaitArrivals(1);
    assertThat(notes.count()).isZero();
    gate.open();
    assertThat(late.get()).isEqualTo(42);
    assertThat(notes.count()).isEqualTo(1);
  }

  @Test
  @Semantics("2.args.ref")
  void task_waitingForItsArgument_holdsNoCpu() {
    Gate gate = Gate.closed();
    ObjectRef<Integer> early = Aktis.task(TaskTest::afterGate, gate, 1).remote();
    for (int i = 0; i < 10; i++) {
      ObjectRef<Integer> held = Aktis.task(TaskTest::negate, early).remote();
      assertThat(held.isReady()).isFalse();
    }

    assertThat(Aktis.task(() -> 42).remote().get()).isEqualTo(42);

    gate.open();
    early.get();
  }

  @Test
  @Semantics("2.args.ref")
  void task_longChainOfReferences_givesTheSum() {
    ObjectRef<Integer> sum = Aktis.put(0);
    for (int i = 0; i < 1_000; i++) {
      sum = Aktis.task(TaskTest::increment, sum).remote();
    }

    assertThat(sum.get()).isEqualTo(1_000);
  }

  @Test
  @Semantics("2.args.container")
  void task_referenceInAContainer_staysAReference() {
    Gate gate = Gate.closed();
    ObjectRef<Integer> notReady = Aktis.task(TaskTest::afterGate, gate, 42).remote();

    ObjectRef<Boolean> ready =
        Aktis.task((List<ObjectRef<Integer>> refs) -> refs.getFirst().isReady(), List.of(notReady))
            .remote();
    ObjectRef<Integer> got =
        Aktis.task((List<ObjectRef<Integer>> refs) -> refs.getFirst().get(), List.of(notReady))
            .remote();

    assertThat(ready.get()).isFalse();
    gate.open();
    assertThat(got.get()).isEqualTo(42);
  }

  @Test
  @Semantics("2.args.container")
  void task_resultWithReferences_givesThemToTheCaller() {
    ObjectRef<List<ObjectRef<Integer>>> made =
        Aktis.task(() -> List.of(Aktis.put(40), Aktis.task(() -> 2).remote())).remote();

    List<ObjectRef<Integer>> parts = made.get();

    assertThat(Aktis.<Integer>get(parts)).containsExactly(40, 2);
  }

  @Test
  @Semantics("2.args.failed")
  void task_failedArgument_doesNotRunAndFailsWithThatFailure() {
    Notes notes = Notes.empty();
    ObjectRef<Integer> first = Aktis.task(TaskTest::failWithNumber).named("first").remote();
    ObjectRef<Integer> second = Aktis.task(TaskTest::negate, first).named("second").remote();

    ObjectRef<Integer> third =
        Aktis.task(TaskTest::notedIncrement, second, notes).named("third").remote();

    assertThatThrownBy(third::get)
        .isInstanceOf(TaskFailedException.class)
        .hasMessageContaining("first")
        .hasMessageContaining("second")
        .hasMessageContaining("third")
        .cause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no number");
    assertThat(notes.count()).isZero();
  }

  static int afterGate(Gate gate, int value) throws InterruptedException {
    gate.pass();
    return value;
  }

  static int notedIncrement(int value, Notes notes) {
    notes.add("saw " + value);
    return value + 1;
  }

  static int negate(int value) {
    return -value;
  }

  static int increment(int value) {
    return value + 1;
  }

  static void passOrNote(Gate gate, Notes notes) throws InterruptedException {
    try {
      gate.pass();
    } catch (InterruptedException e) {
      notes.add("interrupted");
      throw e;
    }
  }

  static void fail() {
    throw new IllegalStateException("on purpose");
  }

  static int failWithNumber() {
    throw new IllegalStateException("no number");
  }
}
