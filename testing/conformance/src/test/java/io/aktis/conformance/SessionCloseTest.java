package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.ActorHandle;
import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.Bundle;
import io.aktis.ObjectRef;
import io.aktis.ObjectRefStream;
import io.aktis.PlacementGroup;
import io.aktis.PlacementStrategy;
import io.aktis.SessionClosedException;
import io.aktis.testkit.Await;
import io.aktis.testkit.EngineTest;
import io.aktis.testkit.Gate;
import io.aktis.testkit.Notes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Closing sessions. */
@EngineTest(cpus = 2)
class SessionCloseTest {
  static final class Waiter {
    int pass(Gate gate, Notes notes) throws InterruptedException {
      try {
        gate.pass();
      } catch (InterruptedException e) {
        notes.add("interrupted");
        throw e;
      }
      return 1;
    }
  }

  private final Gate gate = Gate.closed();
  private final Notes notes = Notes.empty();

  @Test
  @Semantics("1.close.idempotent")
  void close_severalTimes_isFine(AktisSession session) {
    session.close();
    session.close();
    Aktis.shutdown();
    Aktis.shutdown();

    assertThat(session.isClosed()).isTrue();
    assertThat(session.id()).isNotBlank();
  }

  @Test
  @Semantics("1.close.work")
  void close_workRuns_endsIt(AktisSession session) {
    Aktis.run(TaskTest::passOrNote, gate, notes).remote();
    ActorHandle<Waiter> actor = Aktis.actor(Waiter::new).remote();
    actor.call(Waiter::pass, gate, notes);
    gate.awaitArrivals(2);

    session.close();

    assertThat(notes.awaitCount(2)).containsOnly("interrupted");
  }

  @Test
  @Semantics("1.close.work")
  void close_workWaits_neverStartsIt(AktisSession session) {
    Aktis.run(TaskTest::passOrNote, gate, notes).cpus(2).remote();
    gate.awaitArrivals(1);
    for (int i = 0; i < 1_000; i++) {
      Aktis.run(Notes::add, notes, "started").remote();
    }

    session.close();

    assertThat(notes.awaitCount(1)).containsExactly("interrupted");
  }

  @Test
  @Semantics("1.close.waiters")
  void close_othersWaitForValues_wakesThem(AktisSession session) throws Exception {
    ObjectRef<Integer> ref = Aktis.task(TaskTest::afterGate, gate, 1).remote();
    CompletableFuture<Integer> future = ref.future();
    List<Thread> waiters =
        Stream.<Runnable>of(
                ref::get,
                () -> ref.get(Duration.ofMinutes(1)),
                () -> session.<Integer>get(List.of(ref)),
                () -> Aktis.wait(List.of(ref)).ready().getFirst().get(),
                () -> session.completed(List.of(ref)).iterator().next().get())
            .map(wait -> new Thread(() -> tell(wait)))
            .toList();
    waiters.forEach(Thread::start);
    Await.until("all to wait", () -> waiters.stream().allMatch(Interrupted::isWaiting));

    session.close();

    for (Thread waiter : waiters) {
      waiter.join();
    }
    assertThat(notes.lines()).hasSize(5).containsOnly("SessionClosedException");
    assertThatThrownBy(future::get).hasCauseInstanceOf(SessionClosedException.class);
  }

  private void tell(Runnable wait) {
    try {
      wait.run();
      notes.add("ended");
    } catch (RuntimeException e) {
      notes.add(e.getClass().getSimpleName());
    }
  }

  @Test
  @Semantics("1.close.refs")
  void close_thenReferencesAndHandles_fail(AktisSession session) {
    ObjectRef<Integer> put = Aktis.put(1);
    ObjectRef<Integer> made = Aktis.task(() -> 2).remote();
    made.get();
    ActorHandle<Object> actor = Aktis.actor(Object::new).remote();
    PlacementGroup group = Aktis.placementGroup(PlacementStrategy.PACK, Bundle.of(1)).create();
    ObjectRefStream<Integer> stream =
        Aktis.stream(() -> IntStream.range(0, 9).boxed()).cpus(0).remote();

    session.close();

    closed(put::get);
    closed(() -> made.get(Duration.ZERO));
    closed(() -> actor.call(Object::hashCode).get());
    closed(() -> actor.ready().get());
    closed(() -> group.ready().get());
    closed(() -> stream.iterator().hasNext());
    put.close();
    actor.close();
    actor.kill();
    group.remove();
    stream.close();
  }

  @Test
  @Semantics("1.close.refs")
  void close_thenTheSession_takesNoWork(AktisSession session) {
    ExecutorService executor = session.executor();
    ObjectRef<Integer> ref = session.put(1);

    session.close();

    closed(() -> session.task(() -> 1).remote());
    closed(() -> session.put(1));
    closed(() -> session.actor(Object::new).remote());
    closed(() -> session.stream(() -> Stream.of(1)).remote());
    closed(() -> session.map(List.of(1), i -> i).get());
    closed(() -> session.wait(List.of(ref)));
    closed(() -> session.getActor(Object.class, "name"));
    closed(() -> session.getPlacementGroup("name"));
    closed(() -> session.placementGroup(PlacementStrategy.PACK, Bundle.of(1)).create());
    assertThatThrownBy(() -> executor.submit(() -> 1))
        .isInstanceOfAny(RejectedExecutionException.class, SessionClosedException.class);
    assertThatThrownBy(() -> Aktis.put(1))
        .isInstanceOfAny(IllegalStateException.class, SessionClosedException.class);
  }

  @Test
  @Semantics({"1.close.refs", "1.close.again"})
  void close_thenANewSession_oldReferencesFailClearly(AktisSession session) {
    ObjectRef<Integer> old = Aktis.put(1);
    ActorHandle<Object> oldActor = Aktis.actor(Object::new).named("mill").remote();
    session.close();
    Aktis.init(Deploy.cpus(2));

    closed(old::get);
    closed(() -> oldActor.call(Object::hashCode).get());
    assertThatThrownBy(() -> Aktis.getActor(Object.class, "mill"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(Aktis.task(() -> 42).remote().get()).isEqualTo(42);
  }

  @Test
  @Semantics("1.close.work")
  void close_byATaskOfTheSession_isRefused(AktisSession session) {
    assertThatThrownBy(Aktis.run(() -> Aktis.session().close()).remote()::get)
        .hasCauseInstanceOf(IllegalStateException.class);

    assertThat(session.isClosed()).isFalse();
  }

  @Test
  @Semantics("1.close.again")
  void initAndClose_manyTimes_eachIsAFreshWorld(AktisSession first) {
    first.close();
    for (int i = 0; i < 8; i++) {
      try (AktisSession session = Aktis.init(Deploy.cpus(2))) {
        ActorHandle<Object> actor = Aktis.actor(Object::new).named("the same").remote();
        actor.ready().get();
        assertThat(session.task(Integer::sum, 40, 2).remote().get()).isEqualTo(42);
      }
    }
  }

  @Test
  @Semantics("1.close.exit")
  void program_thatDoesNotClose_endsAndIsClosedOnTheWay() {
    ChildJvm.Result result = ChildJvm.of(Programs.NeverCloses.class).on(Deploy.node(2)).run();

    assertThat(result.exitCode()).isZero();
    assertThat(result.output()).contains("result 42").contains("interrupted at exit");
  }

  private static void closed(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(SessionClosedException.class);
  }
}
