package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.ActorHandle;
import io.aktis.ActorOptions;
import io.aktis.Aktis;
import io.aktis.ObjectRef;
import io.aktis.PendingCallsLimitException;
import io.aktis.PendingCallsPolicy;
import io.aktis.testkit.Await;
import io.aktis.testkit.EngineTest;
import io.aktis.testkit.Gate;
import org.junit.jupiter.api.Test;

/** Callers that are faster than an actor. */
@EngineTest(cpus = 2)
class BackPressureTest {
  static final class Slow {
    int pass(Gate gate) throws InterruptedException {
      gate.pass();
      return 1;
    }
  }

  private final Gate gate = Gate.closed();

  @Test
  @Semantics("4.pressure.block")
  void call_atTheLimitWithBlock_waitsForRoom() throws InterruptedException {
    try (ActorHandle<Slow> slow = withTwoPending(PendingCallsPolicy.BLOCK)) {
      Thread caller = new Thread(() -> slow.call(Slow::pass, gate).get());
      caller.start();
      Await.until("the caller to wait", () -> Interrupted.isWaiting(caller));
      assertThat(gate.arrivals()).isEqualTo(1);

      gate.open();

      caller.join();
      assertThat(gate.arrivals()).isEqualTo(3);
    }
  }

  @Test
  @Semantics("4.pressure.block")
  void call_atTheLimitInATask_waitsForRoom() {
    try (ActorHandle<Slow> slow = withTwoPending(PendingCallsPolicy.BLOCK)) {
      ObjectRef<Integer> caller = Aktis.task(BackPressureTest::callAndGet, slow, gate).remote();
      assertThat(caller.isReady()).isFalse();

      gate.open();

      assertThat(caller.get()).isEqualTo(1);
    }
  }

  @Test
  @Semantics("4.pressure.block")
  void pendingCalls_ifNothingIsSaid_areBoundedAndBlock() {
    assertThat(ActorOptions.DEFAULTS.maxPendingCalls()).isEqualTo(100_000);
    assertThat(ActorOptions.DEFAULTS.pendingCallsPolicy()).isEqualTo(PendingCallsPolicy.BLOCK);
  }

  @Test
  @Semantics("4.pressure.fail")
  void call_atTheLimitWithFail_throws() {
    try (ActorHandle<Slow> slow = withTwoPending(PendingCallsPolicy.FAIL)) {
      assertThatThrownBy(() -> slow.call(Slow::pass, gate))
          .isInstanceOfSatisfying(
              PendingCallsLimitException.class,
              failure -> assertThat(failure.isRetryable()).isTrue())
          .hasMessageContaining("2");

      gate.open();
      gate.awaitArrivals(2);
      Await.until("room for a call", () -> canCall(slow));
    }
  }

  @Test
  @Semantics("4.pressure.fail")
  void call_atTheLimitWithDrop_isAFailedResult() {
    try (ActorHandle<Slow> slow = withTwoPending(PendingCallsPolicy.DROP)) {
      ObjectRef<Integer> dropped = slow.call(Slow::pass, gate);

      assertThatThrownBy(dropped::get).isInstanceOf(PendingCallsLimitException.class);
      gate.open();
      gate.awaitArrivals(2);
    }
    assertThat(gate.arrivals()).isEqualTo(2);
  }

  static int callAndGet(ActorHandle<Slow> slow, Gate gate) {
    return slow.call(Slow::pass, gate).get();
  }

  private ActorHandle<Slow> withTwoPending(PendingCallsPolicy policy) {
    ActorHandle<Slow> slow = Aktis.actor(Slow::new).maxPendingCalls(2, policy).remote();
    slow.call(Slow::pass, gate);
    slow.call(Slow::pass, gate);
    gate.awaitArrivals(1);
    return slow;
  }

  private boolean canCall(ActorHandle<Slow> slow) {
    try {
      return slow.call(Slow::pass, gate).get() == 1;
    } catch (PendingCallsLimitException full) {
      return false;
    }
  }
}
