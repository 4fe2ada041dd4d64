package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.ActorDiedException;
import io.aktis.ActorHandle;
import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.CancelResult;
import io.aktis.Lifetime;
import io.aktis.ObjectRef;
import io.aktis.TaskCancelledException;
import io.aktis.TaskFailedException;
import io.aktis.testkit.Await;
import io.aktis.testkit.EngineTest;
import io.aktis.testkit.Gate;
import io.aktis.testkit.Notes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two jobs of one cluster, and what each can do with the named actors of the other. */
@EngineTest(cpus = 2)
class OtherJobsTest {
  private static final String ALONE = "an engine in one process has one job";
  private static final int LARGE = 300_000;

  private AktisSession other;

  @BeforeEach
  void openAnotherJob() {
    other = Aktis.open(Deploy.cpus(2));
  }

  @AfterEach
  void closeIt() {
    other.close();
  }

  static class Counter {
    private final List<Integer> added = new ArrayList<>();
    private int count;

    int add(int more) {
      added.add(more);
      count += more;
      return count;
    }

    List<Integer> added() {
      return added;
    }

    int sizeOf(byte[] bytes) {
      return bytes.length;
    }

    byte[] bytes(int size) {
      return new byte[size];
    }

    int fail(String message) {
      throw new UnsupportedOperationException(message);
    }

    int waitAt(Gate gate) throws InterruptedException {
      gate.pass();
      return count;
    }

    ObjectRef<Integer> reference() {
      return Aktis.put(3);
    }

    int first(List<ObjectRef<Integer>> refs) {
      return refs.getFirst().get();
    }
  }

  private ActorHandle<Counter> found() {
    return other.getActor(Counter.class, "counter");
  }

  @Test
  @SeveralProcesses(ALONE)
  @Semantics("4.names.jobs")
  void call_ofAnActorOfAnotherJob_runsThereInOrder() {
    ActorHandle<Counter> own = Aktis.actor(Counter::new).named("counter").remote();
    try (ActorHandle<Counter> handle = found()) {
      assertThat(handle.id()).isEqualTo(own.id());
      assertThat(handle.name()).isEqualTo("counter");
      handle.ready().get();
      List<ObjectRef<Integer>> refs = new ArrayList<>();
      for (int i = 1; i <= 200; i++) {
        refs.add(handle.call(Counter::add, i));
      }
      assertThat(other.get(refs).getLast()).isEqualTo(200 * 201 / 2);
      assertThat(own.call(Counter::added).get()).hasSize(200).isSorted();
    }
    assertThat(own.call(Counter::add, 0).get())
        .as("after the other job has let go")
        .isEqualTo(20_100);
    own.kill();
  }

  @Test
  @SeveralProcesses(ALONE)
  @Semantics("4.names.jobs")
  void values_largeAndAsReferences_passBetweenJobs(AktisSession session) {
    ActorHandle<Counter> own = Aktis.actor(Counter::new).named("counter").remote();
    try (ActorHandle<Counter> handle = found();
        ObjectRef<byte[]> large = other.put(new byte[LARGE])) {
      assertThat(handle.call(Counter::sizeOf, new byte[LARGE]).get()).isEqualTo(LARGE);
      assertThat(handle.call(Counter::sizeOf, large).get()).isEqualTo(LARGE);
      try (ObjectRef<byte[]> result = handle.call(Counter::bytes, LARGE)) {
        assertThat(result.get()).hasSize(LARGE);
        assertThat(handle.call(Counter::sizeOf, result).get()).as("back again").isEqualTo(LARGE);
        assertThat(other.task(OtherJobsTest::sizeOf, result).remote().get())
            .as("as the argument of a task")
            .isEqualTo(LARGE);
      }
    }
    own.kill();
    Await.until(
        "the store to be empty", () -> session.cluster().nodes().getFirst().storeUsedBytes() == 0);
  }

  static int sizeOf(byte[] bytes) {
    return bytes.length;
  }

  @Test
  @SeveralProcesses(ALONE)
  @Semantics("4.names.jobs")
  void call_thatFails_tellsTheCause() {
    ActorHandle<Counter> own = Aktis.actor(Counter::new).named("counter").remote();
    try (ActorHandle<Counter> handle = found()) {
      assertThatThrownBy(handle.call(Counter::fail, "on purpose")::get)
          .isInstanceOf(TaskFailedException.class)
          .hasRootCauseInstanceOf(UnsupportedOperationException.class)
          .hasRootCauseMessage("on purpose");
      assertThat(handle.call(Counter::add, 1).get()).isEqualTo(1);
    }
    own.kill();
  }

  @Test
  @SeveralProcesses(ALONE)
  @Semantics("4.names.jobs")
  void references_insideOfValues_doNotPassBetweenJobs() {
    ActorHandle<Counter> own = Aktis.actor(Counter::new).named("counter").remote();
    try (ActorHandle<Counter> handle = found();
        ObjectRef<Integer> ref = other.put(3)) {
      assertThatThrownBy(() -> handle.call(Counter::first, new ArrayList<>(List.of(ref))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("belongs to this job");
      assertThatThrownBy(handle.call(Counter::reference)::get)
          .hasMessageContaining("belong to the job of the actor");
    }
    own.kill();
  }

  @Test
  @SeveralProcesses(ALONE)
  @Semantics("4.names.jobs")
  void name_ofAnActorOfAnotherJob_isTaken() {
    ActorHandle<Counter> own = Aktis.actor(Counter::new).named("counter").remote();

    assertThatThrownBy(() -> other.actor(Counter::new).named("counter").remote())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("there is an actor named 'counter'");
    try (ActorHandle<Counter> same = other.actor(Counter::new).named("counter").getOrCreate()) {
      assertThat(same.id()).isEqualTo(own.id());
    }
    assertThatThrownBy(() -> other.getActor(Counter.class, "counter", "elsewhere"))
        .hasMessageContaining("the name exists in [default]");
    own.kill();
    other.actor(Counter::new).named("counter").remote().kill();
  }

  @Test
  @SeveralProcesses(ALONE)
  @Semantics("4.names.jobs")
  void actor_whoseJobEnds_isDeadForOthersAndItsNameFree() {
    ActorHandle<Counter> theirs = other.actor(Counter::new).named("counter").remote();
    theirs.ready().get();
    Gate gate = Gate.closed();
    ActorHandle<Counter> handle = Aktis.getActor(Counter.class, "counter");
    ObjectRef<Integer> waits = handle.call(Counter::waitAt, gate);
    gate.awaitArrivals(1);

    other.close();

    assertThatThrownBy(waits::get).isInstanceOf(ActorDiedException.class);
    assertThatThrownBy(handle.call(Counter::add, 1)::get).isInstanceOf(ActorDiedException.class);
    handle.close();
    Aktis.actor(Counter::new).named("counter").getOrCreate().kill();
  }

  @Test
  @SeveralProcesses(ALONE)
  @Semantics({"4.names.jobs", "4.end.released"})
  void actor_onWhichAnotherJobHasAHandle_livesUntilThatIsClosed() {
    ActorHandle<Counter> own = Aktis.actor(Counter::new).named("counter").remote();
    ActorHandle<Counter> handle = found();
    own.close();

    assertThat(handle.call(Counter::add, 5).get()).isEqualTo(5);
    handle.close();

    Await.until(
        "the actor to end",
        () -> {
          try (ActorHandle<Counter> still = found()) {
            return still == null;
          } catch (IllegalArgumentException gone) {
            return true;
          }
        });
  }

  @Test
  @SeveralProcesses(ALONE)
  @Semantics("4.names.jobs")
  void task_ofAnotherJob_callsTheActor() {
    ActorHandle<Counter> own = Aktis.actor(Counter::new).named("counter").remote();
    own.ready().get();

    int sum = other.task(OtherJobsTest::addTwice).remote().get();

    assertThat(sum).isEqualTo(14);
    assertThat(own.call(Counter::added).get()).containsExactly(7, 7);
    own.kill();
  }

  static int addTwice() {
    try (ActorHandle<Counter> counter = Aktis.getActor(Counter.class, "counter")) {
      counter.call(Counter::add, 7).get();
      return counter.call(Counter::add, 7).get();
    }
  }

  @Test
  @SeveralProcesses(ALONE)
  @Semantics("4.names.jobs")
  void cancel_ofACall_interruptsItInTheOtherJob() {
    ActorHandle<Counter> own = Aktis.actor(Counter::new).named("counter").remote();
    Gate gate = Gate.closed();
    try (ActorHandle<Counter> handle = found()) {
      ObjectRef<Integer> waits = handle.call(Counter::waitAt, gate);
      gate.awaitArrivals(1);

      assertThat(waits.cancel()).isEqualTo(CancelResult.INTERRUPTED);
      assertThatThrownBy(waits::get).isInstanceOf(TaskCancelledException.class);
      assertThat(handle.call(Counter::add, 1).get()).isEqualTo(1);
    }
    own.kill();
  }

  @Test
  @SeveralProcesses(ALONE)
  @Semantics({"4.names.jobs", "4.names.kill"})
  void kill_byAnotherJob_freesTheName() {
    ActorHandle<Counter> own = Aktis.actor(Counter::new).named("counter").remote();
    found().kill();

    assertThatThrownBy(own.call(Counter::add, 1)::get).isInstanceOf(ActorDiedException.class);
    other.actor(Counter::new).named("counter").remote().kill();
  }

  @Test
  @SeveralProcesses("the engine ends with its only job")
  @Semantics("4.names.outlive")
  void detached_whoseJobIsClosed_livesOnAndEndsWhenKilled() {
    Notes made = Notes.empty();
    ActorHandle<Noted> theirs =
        other.actor(Noted::new, made).named("kept").lifetime(Lifetime.DETACHED).remote();
    assertThat(theirs.call(Noted::next).get()).isEqualTo(1);
    theirs.close();
    other.close();

    try (ActorHandle<Noted> kept = Aktis.getActor(Noted.class, "kept")) {
      assertThat(kept.call(Noted::next).get()).as("with its state").isEqualTo(2);
    }
    ActorHandle<Noted> again = Aktis.getActor(Noted.class, "kept");
    assertThat(again.call(Noted::next).get()).isEqualTo(3);
    again.kill();

    assertThat(made.count()).as("how often it was made").isEqualTo(1);
    assertThatThrownBy(() -> Aktis.getActor(Noted.class, "kept"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  static final class Noted {
    private int count;

    Noted(Notes made) {
      made.add("made");
    }

    int next() {
      return ++count;
    }
  }
}
