package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.ActorHandle;
import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.Arg;
import io.aktis.Bundle;
import io.aktis.CancelOptions;
import io.aktis.ConcurrencyGroups;
import io.aktis.LabelRule;
import io.aktis.ObjectRef;
import io.aktis.PendingCallsPolicy;
import io.aktis.PlacementGroup;
import io.aktis.PlacementStrategy;
import io.aktis.Scheduling;
import io.aktis.SessionClosedException;
import io.aktis.TaskCall;
import io.aktis.function.TaskFunction0;
import io.aktis.testkit.EngineTest;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Arguments and options that make no sense: a clear error at the call, and nothing happens. */
@EngineTest(cpus = 1)
class BadInputTest {
  private static TaskCall<Integer> call() {
    return Aktis.task(() -> 1);
  }

  @Test
  @Semantics("2.options.checked")
  void amounts_negativeAbsurdOrTooFine_areRefused() {
    for (double amount : new double[] {-1, -0.5, Double.NaN, Double.POSITIVE_INFINITY, 1e15}) {
      refused(() -> call().cpus(amount), "cpus");
      refused(() -> call().gpus(amount), "gpus");
      refused(() -> call().resource("licence", amount), "licence");
    }
    refused(() -> call().cpus(0.00001), "0.0001");
    refused(() -> call().gpus(2.5), "2.5");
    refused(() -> call().memoryBytes(-1), "memoryBytes");
  }

  @Test
  @Semantics("2.options.checked")
  void counts_outOfRange_areRefused() {
    refused(() -> call().maxRetries(-1), "maxRetries");
    refused(() -> call().returns(0, Integer.class), "results");
    refused(() -> Aktis.stream(() -> List.of(1).stream()).buffer(0), "buffer");
    refused(() -> Aktis.map(List.of(1), i -> i).batchSize(0), "batch");
    refused(() -> Aktis.actor(Object::new).maxRestarts(-1), "maxRestarts");
    refused(() -> Aktis.actor(Object::new).maxTaskRetries(-1), "maxTaskRetries");
    refused(() -> Aktis.actor(Object::new).maxConcurrency(0), "maxConcurrency");
    refused(
        () -> Aktis.actor(Object::new).maxPendingCalls(-1, PendingCallsPolicy.FAIL),
        "maxPendingCalls");
    refused(() -> ConcurrencyGroups.of("io", 0), "io");
  }

  @Test
  @Semantics("2.options.checked")
  void durations_negativeOrZero_areRefused() {
    ObjectRef<Integer> ref = Aktis.put(1);
    Duration negative = Duration.ofMillis(-1);

    refused(() -> call().timeout(Duration.ZERO), "timeout");
    refused(() -> call().timeout(negative), "timeout");
    refused(() -> ref.get(negative), "timeout");
    refused(() -> Aktis.<Integer>get(List.of(ref), negative), "timeout");
    refused(() -> Aktis.wait(List.of(ref), 1, negative), "timeout");
    refused(() -> CancelOptions.DEFAULTS.withGrace(negative), "grace");
  }

  @Test
  @Semantics("2.options.checked")
  void names_blankOrReserved_areRefused() {
    refused(() -> call().named(" "), "name");
    refused(() -> call().resource("", 1), "name");
    refused(() -> call().resource("CPU", 1), "cpus");
    refused(() -> call().resource("gpu", 1), "gpus");
    refused(() -> call().onNode(""), "node");
    refused(() -> call().onNodesWith(" ", LabelRule.exists()), "label");
    refused(() -> Aktis.actor(Object::new).namespace(""), "namespace");
    refused(() -> ConcurrencyGroups.of("io", 1, "io", 2), "twice");
  }

  @Test
  @Semantics("2.options.checked")
  void options_thatContradictEachOther_areRefused() {
    refused(() -> call().onNode("n1").onNodesWith("zone", LabelRule.exists()), "onNode");
    refused(() -> call().onNodesWith("zone", LabelRule.exists()).onNode("n1"), "onNode");
    refused(() -> call().orNodesWith("zone", LabelRule.exists()), "fallback");
    refused(() -> LabelRule.in(), "values");
  }

  @Test
  @Semantics("2.options.checked")
  void call_inAGroupThatIsUnknown_isRefused() {
    try (ActorHandle<Object> actor =
        Aktis.actor(Object::new).groups(ConcurrencyGroups.of("io", 1)).remote()) {
      refused(() -> actor.in("net").call(Object::hashCode), "io");
    }
  }

  @Test
  @Semantics({"1.twice.beside", "8.unserializable"})
  void reference_ofAnotherSession_isRefused(AktisSession session) {
    try (AktisSession other = Aktis.open(Deploy.cpus(1))) {
      ObjectRef<Integer> foreign = other.put(1);
      ActorHandle<Object> actor = other.actor(Object::new).remote();

      assertThatThrownBy(() -> session.task(TaskTest::negate, foreign).remote())
          .hasMessageContaining("session");
      assertThatThrownBy(() -> session.task((List<?> l) -> l.size(), List.of(foreign)).remote())
          .hasMessageContaining("session");
      assertThatThrownBy(() -> session.put(List.of(actor))).hasMessageContaining("session");
      assertThatThrownBy(() -> session.wait(List.of(foreign))).hasMessageContaining("session");
      assertThatThrownBy(() -> session.<Integer>get(List.of(foreign)))
          .hasMessageContaining("session");
      assertThat(other.get(foreign)).isEqualTo(1);
    }
  }

  @Test
  @Semantics({"1.close.refs", "8.unserializable"})
  void reference_ofAClosedSession_isRefused(AktisSession session) {
    ObjectRef<Integer> old;
    try (AktisSession other = Aktis.open(Deploy.cpus(1))) {
      old = other.put(1);
    }

    assertThatThrownBy(() -> session.task(TaskTest::negate, old).remote())
        .isInstanceOf(SessionClosedException.class);
    assertThatThrownBy(() -> session.wait(List.of(old))).isInstanceOf(SessionClosedException.class);
  }

  @Test
  @Semantics("8.null")
  void nullCode_everywhere_isRefused() {
    TaskFunction0<Integer> none = null;

    nullRefused(() -> Aktis.task(none));
    nullRefused(() -> Aktis.stream(null));
    nullRefused(() -> Aktis.actor(none));
    nullRefused(() -> Aktis.remote(none));
    nullRefused(() -> Aktis.run(null));
    nullRefused(() -> Aktis.map(List.of(1), null));
    nullRefused(() -> Aktis.executor().submit((Runnable) null));
    try (ActorHandle<Object> actor = Aktis.actor(Object::new).remote()) {
      nullRefused(() -> actor.run(null));
    }
  }

  @Test
  @Semantics("8.null")
  void nullOption_everywhere_isRefused() {
    nullRefused(() -> call().named(null));
    nullRefused(() -> call().timeout(null));
    nullRefused(() -> call().resource(null, 1));
    nullRefused(() -> call().runtimeEnv(null));
    nullRefused(() -> call().scheduling(null));
    nullRefused(() -> call().onNode(null));
    nullRefused(() -> call().onNodesWith("zone", null));
    nullRefused(() -> call().onNodesWith(null, LabelRule.exists()));
    nullRefused(() -> call().in(null));
    nullRefused(() -> call().options(null).remote());
    nullRefused(() -> call().returns(1, null));
    nullRefused(() -> Aktis.actor(Object::new).groups(null));
    nullRefused(() -> Aktis.actor(Object::new).lifetime(null));
    nullRefused(() -> Aktis.actor(Object::new).namespace(null));
    nullRefused(() -> Aktis.actor(Object::new).onRestart(null));
    nullRefused(() -> Aktis.actor(Object::new).maxPendingCalls(1, null));
    nullRefused(() -> new Scheduling.InGroup(null, 0, false));
  }

  @Test
  @Semantics("8.null")
  void nullArgument_everywhere_isRefused() {
    ObjectRef<Integer> ref = Aktis.put(1);
    PlacementGroup group = Aktis.placementGroup(PlacementStrategy.PACK, Bundle.of(1)).create();

    nullRefused(() -> Aktis.put(null));
    nullRefused(() -> Aktis.get((ObjectRef<Integer>) null));
    nullRefused(() -> Aktis.get(ref, null));
    nullRefused(() -> Aktis.get((List<ObjectRef<Integer>>) null));
    nullRefused(() -> Aktis.<Integer>get(Arrays.asList(ref, null)));
    nullRefused(() -> Aktis.<Integer>get(List.of(ref), null));
    nullRefused(() -> Aktis.wait((List<ObjectRef<Integer>>) null));
    nullRefused(() -> Aktis.wait(Arrays.asList(ref, null)));
    nullRefused(() -> Aktis.wait(List.of(ref), 1, null));
    nullRefused(() -> Aktis.completed((List<ObjectRef<Integer>>) null));
    nullRefused(() -> Aktis.completed(Arrays.asList(ref, null)).iterator().next());
    nullRefused(() -> Aktis.map((List<Integer>) null, i -> i));
    nullRefused(() -> Aktis.getActor(null, "name"));
    nullRefused(() -> Aktis.getActor(Object.class, null));
    nullRefused(() -> Aktis.getActor(Object.class, "name", null));
    nullRefused(() -> Aktis.getPlacementGroup(null));
    nullRefused(() -> Aktis.placementGroup(null, Bundle.of(1)));
    nullRefused(() -> Aktis.placementGroup(PlacementStrategy.PACK, (Bundle) null));
    nullRefused(() -> Aktis.placementGroup(PlacementStrategy.PACK, Bundle.of(1)).named(null));
    nullRefused(() -> ref.get(null));
    nullRefused(() -> ref.cancel(null));
    nullRefused(() -> Aktis.init((String) null));
    nullRefused(() -> Aktis.open(options -> null));
    group.remove();
  }

  @Test
  @Semantics({"8.null", "2.call.arguments"})
  void nullValue_asAnArgumentOrResult_isAValue() {
    assertThat(Aktis.task((a, b) -> a == null ? b : a, (String) null, "b").remote().get())
        .isEqualTo("b");
    assertThat(Aktis.task((String text) -> text, Arg.<String>of(null)).remote().get()).isNull();
    assertThat(Aktis.<Integer>get(List.of(Aktis.task(() -> (Integer) null).remote())))
        .containsOnlyNulls();
  }

  private static void refused(ThrowingCallable call, String named) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(named);
  }

  private static void nullRefused(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfAny(NullPointerException.class, IllegalArgumentException.class)
        .message()
        .isNotBlank()
        .doesNotContain("because"); // what the JVM says when nobody looked
  }
}
