package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.aktis.ActorDiedException;
import io.aktis.ActorHandle;
import io.aktis.Aktis;
import io.aktis.AktisException;
import io.aktis.CallerInterruptedException;
import io.aktis.InfeasibleException;
import io.aktis.NotSerializableException;
import io.aktis.ObjectRef;
import io.aktis.TaskCancelledException;
import io.aktis.TaskFailedException;
import io.aktis.TimeoutException;
import io.aktis.testkit.EngineTest;
import io.aktis.testkit.Gate;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The exceptions themselves. */
@EngineTest(cpus = 1, options = ShortGrace.class)
class FailureTest {
  private final Gate gate = Gate.closed();

  @Test
  @Semantics("8.family")
  void family_everyFailureOfTheContract_isThereUncheckedAndFinal() {
    assertThat(RuntimeException.class).isAssignableFrom(AktisException.class);
    assertThat(AktisException.class.getPermittedSubclasses())
        .allSatisfy(type -> assertThat(Modifier.isFinal(type.getModifiers())).isTrue());
    assertThat(Arrays.stream(AktisException.class.getPermittedSubclasses()))
        .extracting(Class::getSimpleName)
        .contains(
            "TaskFailedException",
            "TaskCancelledException",
            "WorkerDiedException",
            "NodeDiedException",
            "OutOfMemoryException",
            "ActorDiedException",
            "ActorUnavailableException",
            "PendingCallsLimitException",
            "DeadlockException",
            "ObjectLostException",
            "ObjectStoreFullException",
            "OutOfDiskException",
            "InfeasibleException",
            "PlacementGroupRemovedException",
            "RuntimeEnvException",
            "NotSerializableException",
            "SessionClosedException",
            "TimeoutException");
  }

  @Test
  @Semantics({"8.family", "8.story", "8.retryable"})
  void taskFailed_message_namesTheTaskAndWhatItThrew() {
    TaskFailedException failure =
        fail(TaskFailedException.class, Aktis.run(TaskTest::fail).named("mill").remote());

    assertThat(failure).hasMessageContaining("mill").hasMessageContaining("on purpose");
    assertThat(failure.story()).isNotEmpty();
    assertThat(failure.isRetryable()).isFalse();
  }

  @Test
  @Semantics({"8.story", "8.retryable"})
  void taskCancelled_story_tellsOfTheCancel() {
    ObjectRef<Void> running = Aktis.run(Gate::pass, gate).remote();
    gate.awaitArrivals(1);
    running.cancel();

    TaskCancelledException failure = fail(TaskCancelledException.class, running);

    assertThat(failure.story()).isNotEmpty();
    assertThat(failure.isRetryable()).isFalse();
  }

  @Test
  @Semantics({"8.story", "8.retryable"})
  void infeasible_message_namesTheDemandAndTheNodes() {
    InfeasibleException failure =
        fail(InfeasibleException.class, Aktis.task(() -> 1).cpus(8).remote());

    assertThat(failure).hasMessageContaining("8");
    assertThat(failure.rejectedBy()).hasSize(1).first().asString().isNotBlank();
    assertThat(failure.story()).isNotEmpty();
  }

  @Test
  @Semantics({"8.story", "8.retryable"})
  void timeout_message_saysWhatWasWaitedFor() {
    ObjectRef<Void> running = Aktis.run(Gate::pass, gate).remote();
    gate.awaitArrivals(1);

    TimeoutException failure =
        catchThrowableOfType(TimeoutException.class, () -> running.get(Duration.ofMillis(20)));

    assertThat(failure).hasMessageContaining(running.id());
    assertThat(failure.story()).isNotEmpty();
    assertThat(failure.isRetryable()).isTrue();
  }

  @Test
  @Semantics({"8.story", "8.retryable"})
  void actorDied_message_saysWhichActorAndWhy() {
    ActorHandle<Object> actor = Aktis.actor(Object::new).named("mill").remote();
    actor.ready().get();
    actor.kill();

    ActorDiedException failure = fail(ActorDiedException.class, actor.call(Object::toString));

    assertThat(failure).hasMessageContaining("mill").hasMessageContaining("kill");
    assertThat(failure.story()).isNotEmpty();
    assertThat(failure.isRetryable()).isFalse();
  }

  @Test
  @Semantics("8.unserializable")
  void notSerializable_argument_namesThePathOfTheField() {
    Holder holder = new Holder(new Inner(Thread.currentThread()));

    NotSerializableException failure =
        catchThrowableOfType(
            NotSerializableException.class,
            () -> Aktis.task((Holder h) -> h.inner().hashCode(), holder).remote());

    assertThat(failure.fieldPath()).contains("inner", "thread");
    assertThat(failure).hasMessageContaining("inner").hasMessageContaining("Thread");
    assertThat(failure.isRetryable()).isFalse();
  }

  @Test
  @Semantics("8.unserializable")
  void notSerializable_capture_namesThePathOfTheField() {
    Holder holder = new Holder(new Inner(Thread.currentThread()));

    NotSerializableException failure =
        catchThrowableOfType(
            NotSerializableException.class, () -> Aktis.task(() -> holder.hashCode()).remote());

    assertThat(failure.fieldPath()).contains("inner", "thread");
  }

  /** Spark users meet this at run time, because the enclosing object came along unseen. */
  @Test
  @Semantics("8.unserializable")
  void notSerializable_capturedThis_isNamed() {
    Enclosing enclosing = new Enclosing();

    NotSerializableException failure =
        catchThrowableOfType(NotSerializableException.class, enclosing::submit);

    assertThat(failure).hasMessageContaining("Enclosing").hasMessageContaining("thread");
  }

  @Test
  @Semantics("8.unserializable")
  void notSerializable_putOrActorArgument_isRefusedAtOnce() {
    Holder holder = new Holder(new Inner(Thread.currentThread()));

    assertThat(
            List.of(
                catchThrowableOfType(NotSerializableException.class, () -> Aktis.put(holder)),
                catchThrowableOfType(
                    NotSerializableException.class,
                    () -> Aktis.actor((Holder h) -> h.inner(), holder).remote())))
        .allSatisfy(failure -> assertThat(failure.fieldPath()).contains("thread"));
  }

  @Test
  @Semantics("8.unserializable")
  void notSerializable_result_isTheFailureNamingThePath() {
    ObjectRef<Holder> ref =
        Aktis.task(() -> new Holder(new Inner(Thread.currentThread()))).remote();

    NotSerializableException failure = fail(NotSerializableException.class, ref);

    assertThat(failure.fieldPath()).contains("inner", "thread");
  }

  @Test
  @Semantics("8.unserializable")
  void refused_submission_leavesNothingBehind() {
    Holder holder = new Holder(new Inner(Thread.currentThread()));
    for (int i = 0; i < 100; i++) {
      assertThatThrownBy(() -> Aktis.put(holder)).isInstanceOf(NotSerializableException.class);
    }

    assertThat(Aktis.session().cluster().pending()).isEmpty();
    assertThat(Aktis.task(() -> 1).remote().get()).isEqualTo(1);
  }

  @Test
  @Semantics("8.interrupt")
  void interrupt_whileWaitingForAValue_endsTheWaitOnly() throws InterruptedException {
    ObjectRef<Integer> ref = Aktis.task(TaskTest::afterGate, gate, 42).remote();
    Interrupted waiter = Interrupted.whileIn(ref::get);

    assertThat(waiter.failure()).isInstanceOf(CallerInterruptedException.class);
    assertThat(waiter.flag()).isTrue();
    gate.open();
    assertThat(ref.get()).isEqualTo(42);
  }

  @Test
  @Semantics("8.interrupt")
  void interrupt_whileWaitingForSome_endsTheWaitOnly() throws InterruptedException {
    ObjectRef<Integer> ref = Aktis.task(TaskTest::afterGate, gate, 42).remote();

    for (Runnable wait :
        List.<Runnable>of(
            () -> Aktis.wait(List.of(ref)),
            () -> Aktis.<Integer>get(List.of(ref)),
            () -> ref.get(Duration.ofMinutes(1)),
            () -> Aktis.completed(List.of(ref)).iterator().next())) {
      Interrupted waiter = Interrupted.whileIn(wait);
      assertThat(waiter.failure()).isInstanceOf(CallerInterruptedException.class);
      assertThat(waiter.flag()).isTrue();
    }
    gate.open();
    assertThat(ref.get()).isEqualTo(42);
  }

  @Test
  @Semantics("8.interrupt")
  void interrupt_beforeGettingAReadyValue_doesNoHarm() throws InterruptedException {
    ObjectRef<Integer> ref = Aktis.put(42);
    Thread.currentThread().interrupt();
    try {
      assertThat(ref.get(Duration.ZERO)).isEqualTo(42);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  private static <F extends Throwable> F fail(Class<F> type, ObjectRef<?> ref) {
    F failure = catchThrowableOfType(type, ref::get);
    assertThat(failure).as("a failure of " + ref.id()).isNotNull();
    return failure;
  }

  record Inner(Thread thread) {}

  record Holder(Inner inner) {}

  static final class Enclosing {
    private final Thread thread = Thread.currentThread();

    void submit() {
      Aktis.task(() -> thread.threadId()).remote();
    }
  }
}
