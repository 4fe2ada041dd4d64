package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.Aktis;
import io.aktis.NodeDiedException;
import io.aktis.ObjectRef;
import io.aktis.OutOfMemoryException;
import io.aktis.RuntimeEnv;
import io.aktis.TaskFailedException;
import io.aktis.testkit.EngineTest;
import io.aktis.testkit.Gate;
import io.aktis.testkit.Node;
import io.aktis.testkit.NodeFaults;
import io.aktis.testkit.Notes;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The retry budgets of tasks. */
@EngineTest(nodes = {@Node, @Node, @Node})
class RetryTest {
  @Test
  @Semantics({"2.retries.node", "2.retries.attempts"})
  void task_nodeLost_runsAgainElsewhere(NodeFaults faults) {
    Notes nodes = Notes.empty();
    Gate first = Gate.closed();
    ObjectRef<Integer> ref = Aktis.task(RetryTest::heldAtFirst, nodes, first).remote();

    first.awaitArrivals(1);
    faults.kill(nodes.lines().getFirst());

    assertThat(ref.get()).isEqualTo(2);
    assertThat(ref.attempts()).isEqualTo(2);
    assertThat(nodes.lines()).doesNotHaveDuplicates().hasSize(2);
  }

  @Test
  @Semantics("2.retries.node")
  void task_nodeLostMoreOftenThanTheBudget_failsWithNodeDied(NodeFaults faults) {
    Notes nodes = Notes.empty();
    Gate gate = Gate.closed();
    ObjectRef<Void> ref = Aktis.run(RetryTest::held, nodes, gate).maxRetries(1).remote();

    faults.kill(nodes.awaitCount(1).get(0));
    faults.kill(nodes.awaitCount(2).get(1));

    assertThatThrownBy(ref::get)
        .isInstanceOfSatisfying(
            NodeDiedException.class, failure -> assertThat(failure.story()).isNotEmpty());
    assertThat(ref.attempts()).isEqualTo(2);
  }

  @Test
  @Semantics("2.retries.zero")
  void task_nodeLostWithoutBudget_isNotRunAgain(NodeFaults faults) {
    Notes nodes = Notes.empty();
    Gate gate = Gate.closed();
    ObjectRef<Void> ref = Aktis.run(RetryTest::held, nodes, gate).maxRetries(0).remote();

    faults.kill(nodes.awaitCount(1).getFirst());

    assertThatThrownBy(ref::get).isInstanceOf(NodeDiedException.class);
    assertThat(nodes.count()).isEqualTo(1);
  }

  @Test
  @SeveralProcesses("no task has a process of its own that could be ended")
  @Semantics("2.retries.memory")
  void task_thatFillsItsHeap_isRunAgainTwiceWhateverItsOtherBudget() {
    RuntimeEnv small = RuntimeEnv.NONE.jvmOption("-Xmx64m");
    ObjectRef<Integer> ref =
        Aktis.task(RetryTest::fillHeap).runtimeEnv(small).maxRetries(9).remote();

    assertThatThrownBy(ref::get)
        .isInstanceOfSatisfying(
            OutOfMemoryException.class,
            failure ->
                assertThat(failure.story())
                    .anySatisfy(line -> assertThat(line).contains("waits for 1000 ms"))
                    .anySatisfy(line -> assertThat(line).contains("waits for 2000 ms")));
    assertThat(ref.attempts()).isEqualTo(3);
    assertThat(Aktis.task(Math::addExact, 1, 2).remote().get()).isEqualTo(3);
  }

  static int fillHeap() {
    List<byte[]> all = new ArrayList<>();
    while (all.size() < 1 << 20) { // which is a terabyte
      all.add(new byte[1 << 20]);
    }
    return all.size();
  }

  @Test
  @Semantics({"2.retries.application", "2.retries.attempts"})
  void task_listedFailure_isRetriedUpToTheBudget() {
    Notes runs = Notes.empty();

    ObjectRef<Void> ref =
        Aktis.run(RetryTest::failWithIo, runs).retryOn(IOException.class).maxRetries(2).remote();

    assertThatThrownBy(ref::get)
        .isInstanceOfSatisfying(
            TaskFailedException.class, failure -> assertThat(failure.attempts()).isEqualTo(3))
        .hasCauseInstanceOf(IOException.class);
    assertThat(runs.lines()).containsExactly("attempt 1", "attempt 2", "attempt 3");
    assertThat(ref.attempts()).isEqualTo(3);
  }

  @Test
  @Semantics({"2.retries.application", "2.retries.attempts"})
  void task_listedFailureOnce_succeedsOnTheSecondAttempt() {
    ObjectRef<Integer> ref = Aktis.task(RetryTest::failAtFirst).retryOn(IOException.class).remote();

    assertThat(ref.get()).isEqualTo(2);
    assertThat(ref.attempts()).isEqualTo(2);
  }

  @Test
  @Semantics("2.retries.application")
  void task_subclassOfAListedFailure_isRetried() {
    Notes runs = Notes.empty();

    ObjectRef<Void> ref =
        Aktis.run(RetryTest::failWithMissingFile, runs)
            .retryOn(IOException.class)
            .maxRetries(1)
            .remote();

    assertThatThrownBy(ref::get).hasCauseInstanceOf(FileNotFoundException.class);
    assertThat(runs.count()).isEqualTo(2);
  }

  @Test
  @Semantics("2.retries.application")
  void task_failureThatIsNotListed_isNotRetried() {
    Notes runs = Notes.empty();

    ObjectRef<Void> unlisted = Aktis.run(RetryTest::failWithIo, runs).remote();
    ObjectRef<Void> other =
        Aktis.run(RetryTest::failWithIo, runs).retryOn(IllegalStateException.class).remote();

    assertThatThrownBy(unlisted::get).hasCauseInstanceOf(IOException.class);
    assertThatThrownBy(other::get).hasCauseInstanceOf(IOException.class);
    assertThat(runs.count()).isEqualTo(2);
  }

  @Test
  @Semantics("2.retries.zero")
  void task_listedFailureWithoutBudget_runsOnce() {
    Notes runs = Notes.empty();

    ObjectRef<Void> ref =
        Aktis.run(RetryTest::failWithIo, runs).retryOn(IOException.class).maxRetries(0).remote();

    assertThatThrownBy(ref::get)
        .isInstanceOfSatisfying(
            TaskFailedException.class, failure -> assertThat(failure.attempts()).isEqualTo(1));
    assertThat(runs.count()).isEqualTo(1);
  }

  @Test
  @Semantics("2.retries.separate")
  void task_failedOnceAndLostOnce_spendsTwoBudgetsOfOne(NodeFaults faults) {
    Notes nodes = Notes.empty();
    Gate second = Gate.closed();
    ObjectRef<Integer> ref =
        Aktis.task(RetryTest::failThenHeld, nodes, second)
            .retryOn(IOException.class)
            .maxRetries(1)
            .remote();

    second.awaitArrivals(1);
    faults.kill(nodes.lines().getLast());

    assertThat(ref.get()).isEqualTo(3);
    assertThat(ref.attempts()).isEqualTo(3);
  }

  @Test
  @Semantics("2.retries.node")
  void tasks_manyOnALostNode_allFinish(NodeFaults faults) {
    Notes nodes = Notes.empty();
    Gate gate = Gate.closed();
    var refs =
        IntStream.range(0, 50)
            .mapToObj(_ -> Aktis.task(RetryTest::nodeAfterGate, nodes, gate).remote())
            .toList();

    String lost = nodes.awaitCount(3).getFirst();
    faults.kill(lost);
    gate.open();

    assertThat(Aktis.<String>get(refs)).hasSize(50).doesNotContain(lost);
  }

  static int heldAtFirst(Notes nodes, Gate first) throws InterruptedException {
    nodes.add(Aktis.context().nodeId());
    int attempt = Aktis.context().attempt();
    if (attempt == 1) {
      first.pass();
    }
    return attempt;
  }

  static void held(Notes nodes, Gate gate) throws InterruptedException {
    nodes.add(Aktis.context().nodeId());
    gate.pass();
  }

  static String nodeAfterGate(Notes nodes, Gate gate) throws InterruptedException {
    held(nodes, gate);
    return Aktis.context().nodeId();
  }

  static int failThenHeld(Notes nodes, Gate second) throws Exception {
    nodes.add(Aktis.context().nodeId());
    int attempt = Aktis.context().attempt();
    if (attempt == 1) {
      throw new IOException("at first");
    }
    if (attempt == 2) {
      second.pass();
    }
    return attempt;
  }

  static int failAtFirst() throws IOException {
    int attempt = Aktis.context().attempt();
    if (attempt == 1) {
      throw new IOException("at first");
    }
    return attempt;
  }

  static void failWithIo(Notes runs) throws IOException {
    runs.add("attempt " + Aktis.context().attempt());
    throw new IOException("always");
  }

  static void failWithMissingFile(Notes runs) throws IOException {
    runs.add("attempt " + Aktis.context().attempt());
    throw new FileNotFoundException("always");
  }
}
