package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.ActorHandle;
import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.Lifetime;
import io.aktis.ObjectRef;
import io.aktis.SessionOptions;
import io.aktis.testkit.EngineTest;
import io.aktis.testkit.Gate;
import io.aktis.testkit.Notes;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Names and namespaces of actors. */
@EngineTest(cpus = 2)
class ActorNameTest {
  static final class Counter {
    private int count;

    int increment() {
      return ++count;
    }
  }

  static final class Noted {
    Noted(Notes made) {
      made.add("made");
    }

    int answer() {
      return 42;
    }
  }

  @Test
  @Semantics("4.names.lookup")
  void getActor_byName_givesTheSameActor() {
    try (ActorHandle<Counter> counter = Aktis.actor(Counter::new).named("hits").remote()) {
      assertThat(counter.call(Counter::increment).get()).isEqualTo(1);

      ActorHandle<Counter> found = Aktis.getActor(Counter.class, "hits");

      assertThat(found.call(Counter::increment).get()).isEqualTo(2);
      assertThat(found.name()).isEqualTo("hits");
      assertThat(found.id()).isEqualTo(counter.id());
      found.close();
    }
  }

  @Test
  @Semantics("4.names.lookup")
  void getActor_inATask_findsItToo() {
    try (ActorHandle<Counter> counter = Aktis.actor(Counter::new).named("hits").remote()) {
      counter.ready().get();

      assertThat(Aktis.task(ActorNameTest::incrementByName).remote().get()).isEqualTo(1);
    }
  }

  @Test
  @Semantics("4.names.lookup")
  void getActor_nameInAnotherNamespace_saysWhere() {
    try (ActorHandle<Counter> other =
        Aktis.actor(Counter::new).named("hits").namespace("blue").remote()) {
      other.ready().get();

      assertThatThrownBy(() -> Aktis.getActor(Counter.class, "hits"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("hits")
          .hasMessageContaining("blue");
      ActorHandle<Counter> found = Aktis.getActor(Counter.class, "hits", "blue");
      assertThat(found.id()).isEqualTo(other.id());
      found.close();
    }
  }

  @Test
  @Semantics("4.names.lookup")
  void getActor_unknownName_isAnError() {
    assertThatThrownBy(() -> Aktis.getActor(Counter.class, "nobody"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nobody");
  }

  @Test
  @Semantics("4.names.unique")
  void named_nameThatIsTaken_isAnError() {
    try (ActorHandle<Counter> counter = Aktis.actor(Counter::new).named("hits").remote()) {
      assertThatThrownBy(() -> Aktis.actor(Counter::new).named("hits").remote())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("hits");
      try (ActorHandle<Counter> elsewhere =
          Aktis.actor(Counter::new).named("hits").namespace("blue").remote()) {
        assertThat(elsewhere.id()).isNotEqualTo(counter.id());
      }
    }
  }

  @Test
  @Semantics("4.names.getorcreate")
  void getOrCreate_manyCallersAtATime_makeOneActor() {
    Notes made = Notes.empty();

    List<ObjectRef<Integer>> answers =
        IntStream.range(0, 50)
            .mapToObj(_ -> Aktis.task(ActorNameTest::askNoted, made).remote())
            .toList();

    assertThat(Aktis.<Integer>get(answers)).hasSize(50).containsOnly(42);
    assertThat(made.count()).isEqualTo(1);
    Aktis.getActor(Noted.class, "noted").kill();
  }

  @Test
  @Semantics("4.names.getorcreate")
  void getOrCreate_withoutAName_isAnError() {
    assertThatThrownBy(() -> Aktis.actor(Counter::new).getOrCreate())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("name");
  }

  @Test
  @Semantics("4.names.kill")
  void kill_returned_theNameIsFree() {
    for (int i = 0; i < 100; i++) {
      ActorHandle<Counter> counter = Aktis.actor(Counter::new).named("hits").remote();
      assertThat(counter.call(Counter::increment).get()).isEqualTo(1);
      counter.kill();
    }
    assertThatThrownBy(() -> Aktis.getActor(Counter.class, "hits"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @Semantics("4.names.kill")
  void kill_actorThatRunsSomething_theNameIsFreeAllTheSame() {
    Gate gate = Gate.closed();
    ActorHandle<Counter> counter = Aktis.actor(Counter::new).named("hits").remote();
    counter.run(_ -> gate.passStubbornly());
    gate.awaitArrivals(1);

    counter.kill();

    try (ActorHandle<Counter> next = Aktis.actor(Counter::new).named("hits").remote()) {
      assertThat(next.call(Counter::increment).get()).isEqualTo(1);
    }
  }

  @Test
  @Semantics("4.names.detached")
  void detached_allHandlesReleased_livesOn() {
    ActorHandle<Counter> counter =
        Aktis.actor(Counter::new).named("hits").lifetime(Lifetime.DETACHED).remote();
    assertThat(counter.call(Counter::increment).get()).isEqualTo(1);
    counter.close();
    Aktis.run(() -> {}).remote().get();

    ActorHandle<Counter> found = Aktis.getActor(Counter.class, "hits");

    assertThat(found.call(Counter::increment).get()).isEqualTo(2);
    found.kill();
  }

  @Test
  @Semantics("4.names.detached")
  void detached_madeByATask_livesOnAfterIt() {
    Aktis.run(ActorNameTest::makeDetached).remote().get();

    ActorHandle<Counter> found = Aktis.getActor(Counter.class, "hits");

    assertThat(found.call(Counter::increment).get()).isEqualTo(1);
    found.kill();
  }

  @Test
  @Semantics("4.names.detached")
  void detached_withoutAName_isAnError() {
    assertThatThrownBy(() -> Aktis.actor(Counter::new).lifetime(Lifetime.DETACHED).remote())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("name");
  }

  @Test
  @EngineTest(options = BlueNamespace.class)
  @Semantics({"4.names.lookup", "1.options.given"})
  void namespace_ofTheSession_isWhereNamesAre(AktisSession session) {
    try (ActorHandle<Counter> counter = Aktis.actor(Counter::new).named("hits").remote()) {
      assertThat(session.namespace()).isEqualTo("blue");
      assertThat(Aktis.getActor(Counter.class, "hits", "blue").id()).isEqualTo(counter.id());
      assertThatThrownBy(() -> Aktis.getActor(Counter.class, "hits", "default"))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  static final class BlueNamespace implements UnaryOperator<SessionOptions> {
    @Override
    public SessionOptions apply(SessionOptions options) {
      return options.namespace("blue");
    }
  }

  static int incrementByName() {
    return Aktis.getActor(Counter.class, "hits").call(Counter::increment).get();
  }

  static int askNoted(Notes made) {
    ActorHandle<Noted> noted =
        Aktis.actor(Noted::new, made).named("noted").lifetime(Lifetime.DETACHED).getOrCreate();
    return noted.call(Noted::answer).get();
  }

  static void makeDetached() {
    Aktis.actor(Counter::new).named("hits").lifetime(Lifetime.DETACHED).remote().ready().get();
  }
}
