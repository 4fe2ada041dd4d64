package io.aktis.conformance;

import static io.aktis.PlacementStrategy.PACK;
import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.Bundle;
import io.aktis.ObjectRef;
import io.aktis.PlacementGroup;
import io.aktis.Scheduling;
import io.aktis.WaitResult;
import io.aktis.testkit.Await;
import io.aktis.testkit.EngineTest;
import io.aktis.testkit.Gate;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tasks that wait for tasks on a machine that is full. */
@EngineTest(cpus = 1, gpus = 1)
class NestingTest {
  @Test
  @Semantics("2.blocked.nesting")
  void get_inTasksTwentyDeepOnOneCpu_finishes() {
    assertThat(Aktis.task(NestingTest::depth, 20).remote().get()).isEqualTo(20);
  }

  @Test
  @Semantics("2.blocked.nesting")
  void get_inTasksThousandsDeepOnOneCpu_finishes() {
    assertThat(Aktis.task(NestingTest::depth, 5_000).remote().get()).isEqualTo(5_000);
  }

  @Test
  @Semantics("2.blocked.nesting")
  void get_inATreeOfTasksOnOneCpu_finishes() {
    assertThat(Aktis.task(NestingTest::fibonacci, 12).remote().get()).isEqualTo(144);
  }

  @Test
  @Semantics({"2.blocked.nesting", "5.group.children"})
  void get_inTasksTwentyDeepInAGroupOfOneCpu_finishes() {
    try (PlacementGroup group = Aktis.placementGroup(PACK, Bundle.of(1)).create()) {
      assertThat(
              Aktis.task(NestingTest::depth, 20)
                  .scheduling(new Scheduling.InGroup(group, 0, true))
                  .remote()
                  .get())
          .isEqualTo(20);
    }
  }

  @Test
  @Semantics("2.blocked.cpu")
  void wait_inATask_lendsItsCpu() {
    assertThat(Aktis.task(NestingTest::waitForAChild).remote().get()).isEqualTo(1);
  }

  @Test
  @Semantics("2.blocked.cpu")
  void completed_inATask_lendsItsCpu() {
    assertThat(Aktis.task(NestingTest::sumOfChildren, 10).remote().get()).isEqualTo(45);
  }

  @Test
  @Semantics("2.blocked.cpu")
  void future_inATask_lendsItsCpu() {
    assertThat(
            Aktis.task(() -> Aktis.task(() -> 42).remote().get(Duration.ofSeconds(20)))
                .remote()
                .get())
        .isEqualTo(42);
  }

  @Test
  @Semantics("2.blocked.cpu")
  void get_inATask_takesTheCpuBackAfterwards(AktisSession session) {
    Gate gate = Gate.closed();
    ObjectRef<Void> parent = Aktis.run(() -> getThenPass(gate)).remote();

    gate.awaitArrivals(1);

    assertThat(session.cluster().available("CPU")).isZero();
    ObjectRef<Integer> other = Aktis.task(() -> 1).remote();
    assertThat(other.isReady()).isFalse();
    gate.open();
    parent.get();
    assertThat(other.get()).isEqualTo(1);
  }

  @Test
  @Semantics("2.blocked.cpu")
  void get_inATask_letsAnotherTaskRunMeanwhile(AktisSession session) {
    Gate gate = Gate.closed();
    ObjectRef<Integer> child = Aktis.task(TaskTest::afterGate, gate, 1).cpus(0).remote();
    ObjectRef<Integer> parent = Aktis.task(() -> child.get()).remote();

    assertThat(Aktis.task(() -> 42).remote().get()).isEqualTo(42);

    gate.open();
    assertThat(parent.get()).isEqualTo(1);
  }

  @Test
  @Semantics("2.blocked.gpu")
  void get_inATaskWithAGpu_keepsTheGpu(AktisSession session) {
    Gate gate = Gate.closed();
    ObjectRef<Integer> child = Aktis.task(TaskTest::afterGate, gate, 1).cpus(0).remote();
    ObjectRef<Integer> parent = Aktis.task(() -> child.get()).gpus(1).remote();
    gate.awaitArrivals(1);
    Await.until("the parent to hold the GPU", () -> session.cluster().available("GPU") == 0);

    ObjectRef<Integer> other = Aktis.task(() -> 2).cpus(0).gpus(1).remote();

    assertThat(other.isReady()).isFalse();
    gate.open();
    assertThat(parent.get()).isEqualTo(1);
    assertThat(other.get()).isEqualTo(2);
  }

  static int depth(int n) {
    return n == 0 ? 0 : 1 + Aktis.task(NestingTest::depth, n - 1).remote().get();
  }

  static int fibonacci(int n) {
    if (n < 2) {
      return n;
    }
    ObjectRef<Integer> left = Aktis.task(NestingTest::fibonacci, n - 1).remote();
    ObjectRef<Integer> right = Aktis.task(NestingTest::fibonacci, n - 2).remote();
    return left.get() + right.get();
  }

  static int waitForAChild() {
    WaitResult<Integer> result = Aktis.wait(List.of(Aktis.task(() -> 1).remote()));
    return result.ready().size();
  }

  static int sumOfChildren(int count) {
    List<ObjectRef<Integer>> children =
        IntStream.range(0, count).mapToObj(i -> Aktis.task(() -> i).remote()).toList();
    int sum = 0;
    for (ObjectRef<Integer> child : Aktis.completed(children)) {
      sum += child.get();
    }
    return sum;
  }

  static void getThenPass(Gate gate) throws InterruptedException {
    Aktis.task(() -> 1).remote().get();
    gate.pass();
  }
}
