package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.aktis.ActorHandle;
import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.InfeasibleException;
import io.aktis.ObjectRef;
import io.aktis.PendingWork;
import io.aktis.TaskCall;
import io.aktis.testkit.Await;
import io.aktis.testkit.EngineTest;
import io.aktis.testkit.Gate;
import io.aktis.testkit.Node;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Counting resources: what fits, what waits, what never fits. */
@EngineTest(
    nodes = @Node(cpus = 2, memoryBytes = 1_000_000, resources = "licence=2"),
    options = ShortGrace.class)
class ResourceTest {
  private final Gate gate = Gate.closed();

  @Test
  @Semantics("2.options.cpus")
  void cpus_ifNothingIsSaid_isOne(AktisSession session) {
    holding(held());
    assertThat(session.cluster().available("CPU")).isEqualTo(1);

    holding(held());
    assertThat(session.cluster().available("CPU")).isZero();
    assertWaits(held());
  }

  @Test
  @Semantics({"2.options.cpus", "5.place.arithmetic"})
  void cpus_fractions_addUpExactly(AktisSession session) {
    holding(held().cpus(0.7));
    holding(held().cpus(0.7));
    holding(held().cpus(0.6));

    assertThat(session.cluster().available("CPU")).isZero();
    assertWaits(held().cpus(0.0001));
  }

  @Test
  @Semantics({"2.options.cpus", "5.place.arithmetic"})
  void cpus_twentyTenths_areTwo(AktisSession session) {
    for (int i = 0; i < 20; i++) {
      holding(held().cpus(0.1));
    }

    assertThat(session.cluster().available("CPU")).isZero();
    assertWaits(held().cpus(0.1));
  }

  @Test
  @Semantics("2.options.cpus")
  void cpus_zero_runsOnAFullNode() {
    holding(held().cpus(2));

    assertThat(Aktis.task(() -> 42).cpus(0).remote().get()).isEqualTo(42);
  }

  @Test
  @Semantics("2.options.memory")
  void memory_reserved_isHeldWhileTheTaskRuns(AktisSession session) {
    holding(held().memoryBytes(600_000));

    assertThat(session.cluster().available("memory")).isEqualTo(400_000);
    assertWaits(held().memoryBytes(500_000));
    assertThat(Aktis.task(() -> 1).memoryBytes(400_000).remote().get()).isEqualTo(1);
  }

  @Test
  @Semantics("2.options.resource")
  void resource_custom_isCounted(AktisSession session) {
    holding(held().cpus(0).resource("licence", 1.5));

    assertThat(session.cluster().available("licence")).isEqualTo(0.5);
    assertWaits(held().cpus(0).resource("licence", 1));
    assertThat(Aktis.task(() -> 1).resource("licence", 0.5).remote().get()).isEqualTo(1);
  }

  @Test
  @Semantics("5.place.arithmetic")
  void actors_withFractions_leaveTheRest() {
    List<ActorHandle<Object>> actors =
        IntStream.range(0, 2).mapToObj(_ -> Aktis.actor(Object::new).cpus(0.7).remote()).toList();
    actors.forEach(actor -> actor.ready().get());
    ActorHandle<Object> third = Aktis.actor(Object::new).cpus(0.6).remote();

    third.ready().get();

    third.kill();
    actors.forEach(ActorHandle::kill);
  }

  @Test
  @Semantics("5.place.arithmetic")
  void task_thatIsBig_isNotStarvedBySmallOnes() {
    List<ObjectRef<Void>> small = IntStream.range(0, 2).mapToObj(_ -> holding(held())).toList();
    ObjectRef<Integer> big = Aktis.task(() -> 42).cpus(2).remote();
    for (int i = 0; i < 100; i++) {
      Aktis.task(() -> 1).remote();
    }

    gate.open();

    Aktis.<Void>get(small);
    assertThat(big.get()).isEqualTo(42);
  }

  @Test
  @Semantics("2.infeasible.typed")
  void task_thatNoNodeCanHold_failsNamingTheReasons() {
    for (TaskCall<Void> call :
        List.of(
            held().cpus(20),
            held().gpus(999),
            held().memoryBytes(2_000_000),
            held().resource("licence", 3),
            held().resource("unknown", 1))) {
      InfeasibleException failure =
          catchThrowableOfType(InfeasibleException.class, call.remote()::get);

      assertThat(failure.rejectedBy()).hasSize(1);
      assertThat(failure.isRetryable()).isFalse();
    }
  }

  @Test
  @Semantics("2.infeasible.typed")
  void actor_thatNoNodeCanHold_fails() {
    ActorHandle<Object> actor = Aktis.actor(Object::new).cpus(20).remote();

    assertThatThrownBy(actor.ready()::get)
        .satisfiesAnyOf(
            failure -> assertThat(failure).isInstanceOf(InfeasibleException.class),
            failure -> assertThat(failure).hasCauseInstanceOf(InfeasibleException.class));
    assertThatThrownBy(actor.call(Object::hashCode)::get).isInstanceOf(RuntimeException.class);
  }

  @Test
  @Semantics("2.infeasible.typed")
  void task_thatDependsOnAnInfeasibleOne_failsToo() {
    ObjectRef<Integer> never = Aktis.task(() -> 1).cpus(20).remote();

    assertThatThrownBy(Aktis.task(TaskTest::negate, never).remote()::get)
        .isInstanceOf(InfeasibleException.class);
  }

  @Test
  @Semantics("2.infeasible.forgotten")
  void demand_failedOrCancelled_isNoLongerShown(AktisSession session) {
    ObjectRef<Void> infeasible = held().cpus(20).remote();
    assertThatThrownBy(infeasible::get).isInstanceOf(InfeasibleException.class);
    holding(held().cpus(2));
    ObjectRef<Void> waiting = held().remote();
    Await.until("the demand to be shown", () -> !session.cluster().pending().isEmpty());

    waiting.cancel();

    Await.until("no demand to be shown", () -> pendingCount(session) == 0);
  }

  @Test
  @Semantics("2.pending.reason")
  void task_waitingForAResource_saysSo(AktisSession session) {
    holding(held().resource("licence", 2));
    List<ObjectRef<Void>> waiting =
        IntStream.range(0, 3)
            .mapToObj(_ -> held().cpus(0).resource("licence", 1).remote())
            .toList();
    Await.until("the demand to be shown", () -> pendingCount(session) == 3);

    PendingWork pending = session.cluster().pending().getFirst();

    assertThat(waiting.getFirst().why()).contains("licence");
    assertThat(pending.demand()).contains("licence");
    assertThat(pending.reason()).isNotBlank();
  }

  @Test
  @Semantics("2.pending.reason")
  void why_inEveryState_saysSomethingElse() {
    ObjectRef<Void> running = holding(held().cpus(2));
    ObjectRef<Integer> waiting = Aktis.task(() -> 1).remote();
    ObjectRef<Integer> dependent = Aktis.task(TaskTest::negate, waiting).remote();
    ObjectRef<Integer> put = Aktis.put(1);
    List<String> reasons = List.of(running.why(), waiting.why(), dependent.why(), put.why());

    assertThat(reasons).doesNotContain("").doesNotHaveDuplicates();
  }

  private TaskCall<Void> held() {
    return Aktis.run(Gate::pass, gate);
  }

  /** Submits a task and returns when it runs. */
  private ObjectRef<Void> holding(TaskCall<Void> call) {
    int before = gate.arrivals();
    ObjectRef<Void> ref = call.remote();
    gate.awaitArrivals(before + 1);
    return ref;
  }

  private void assertWaits(TaskCall<Void> call) {
    int before = gate.arrivals();
    ObjectRef<Void> ref = call.remote();
    assertThat(Aktis.task(() -> 1).cpus(0).remote().get()).isEqualTo(1);
    assertThat(gate.arrivals()).isEqualTo(before);
    ref.cancel();
  }

  private static int pendingCount(AktisSession session) {
    return session.cluster().pending().stream().mapToInt(PendingWork::count).sum();
  }
}
