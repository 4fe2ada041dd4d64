package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.ActorDiedException;
import io.aktis.ActorHandle;
import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.ObjectRef;
import io.aktis.testkit.Await;
import io.aktis.testkit.EngineTest;
import io.aktis.testkit.Gate;
import io.aktis.testkit.Notes;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The ways in which an actor ends. */
@EngineTest(cpus = 2)
class ActorEndTest {
  static final class Shop implements AutoCloseable {
    private final Notes notes;

    Shop(Notes notes) {
      this.notes = notes;
    }

    int sell(int article) {
      notes.add("sold " + article);
      return article;
    }

    int pass(Gate gate) throws InterruptedException {
      gate.pass();
      return 1;
    }

    int closeDown() {
      Aktis.exitActor();
      return 7;
    }

    @Override
    public void close() {
      notes.add("closed");
    }
  }

  static final class Owner {
    private final ActorHandle<Shop> shop;

    Owner(Notes notes) {
      shop = Aktis.actor(Shop::new, notes).named("owned").remote();
    }

    int sell() {
      return shop.call(Shop::sell, 1).get();
    }

    ActorHandle<Shop> shop() {
      return shop;
    }
  }

  private final Notes notes = Notes.empty();

  @Test
  @Semantics("4.end.released")
  void close_ofTheLastHandle_finishesTheQueueThenClosesTheActor() {
    Gate gate = Gate.closed();
    ActorHandle<Shop> shop = Aktis.actor(Shop::new, notes).remote();
    shop.call(Shop::pass, gate);
    List<ObjectRef<Integer>> sales =
        IntStream.range(0, 3).mapToObj(i -> shop.call(Shop::sell, i)).toList();

    shop.close();
    shop.close();
    gate.open();

    assertThat(Aktis.<Integer>get(sales)).containsExactly(0, 1, 2);
    assertThat(notes.awaitCount(4)).containsExactly("sold 0", "sold 1", "sold 2", "closed");
  }

  @Test
  @Semantics("4.end.released")
  void close_anotherHandleIsLeft_theActorLivesOn() {
    ActorHandle<Shop> one = Aktis.actor(Shop::new, notes).named("shop").remote();
    ActorHandle<Shop> other = Aktis.getActor(Shop.class, "shop");

    one.close();

    assertThat(other.call(Shop::sell, 1).get()).isEqualTo(1);
    other.close();
    assertThat(notes.awaitCount(2)).containsExactly("sold 1", "closed");
  }

  @Test
  @Semantics("4.end.released")
  void close_aTaskStillHasTheHandle_theActorLivesUntilItEnds() {
    Gate gate = Gate.closed();
    ActorHandle<Shop> shop = Aktis.actor(Shop::new, notes).remote();
    ObjectRef<Integer> sale = Aktis.task(ActorEndTest::sellAfter, shop, gate).remote();
    gate.awaitArrivals(1);

    shop.close();
    Aktis.run(() -> {}).remote().get();
    assertThat(notes.count()).isZero();
    gate.open();

    assertThat(sale.get()).isEqualTo(5);
    assertThat(notes.awaitCount(2)).containsExactly("sold 5", "closed");
  }

  @Test
  @Semantics("4.end.released")
  void handle_closed_cannotBeCalledAnyMore() {
    ActorHandle<Shop> shop = Aktis.actor(Shop::new, notes).remote();
    shop.close();

    assertThatThrownBy(() -> shop.call(Shop::sell, 1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  @Semantics("4.end.collected")
  void handle_dropped_isReleasedByTheCollector() {
    dropAHandle(notes);

    Await.until(
        "the collector to release the handle",
        Duration.ofSeconds(20),
        () -> {
          System.gc();
          return notes.count() == 2;
        },
        () -> "Notes: " + notes.lines());
    assertThat(notes.lines()).containsExactly("sold 1", "closed");
  }

  private static void dropAHandle(Notes notes) {
    Aktis.actor(Shop::new, notes).remote().call(Shop::sell, 1).get();
  }

  @Test
  @Semantics("4.end.kill")
  void kill_actorWithCalls_endsAtOnceAndFailsThem(AktisSession session) {
    Gate gate = Gate.closed();
    ActorHandle<Shop> shop = Aktis.actor(Shop::new, notes).cpus(1).maxRestarts(5).remote();
    ObjectRef<Integer> running = shop.call(Shop::pass, gate);
    ObjectRef<Integer> queued = shop.call(Shop::sell, 1);
    gate.awaitArrivals(1);

    shop.kill();
    shop.kill();

    assertThatThrownBy(running::get).isInstanceOf(ActorDiedException.class);
    assertThatThrownBy(queued::get).isInstanceOf(ActorDiedException.class);
    assertThatThrownBy(shop.call(Shop::sell, 2)::get).isInstanceOf(ActorDiedException.class);
    Await.until("the CPU to be free", () -> session.cluster().available("CPU") == 2);
    assertThat(notes.lines()).doesNotContain("sold 1", "sold 2");
  }

  @Test
  @Semantics("4.end.kill")
  void kill_actorThatIsNotPlacedYet_neverMakesIt() {
    Gate gate = Gate.closed();
    ObjectRef<Void> busy = Aktis.run(Gate::pass, gate).cpus(2).remote();
    gate.awaitArrivals(1);
    ActorHandle<Shop> shop = Aktis.actor(Shop::new, notes).remote();
    ObjectRef<Integer> sale = shop.call(Shop::sell, 1);

    shop.kill();

    assertThatThrownBy(shop.ready()::get).isInstanceOf(ActorDiedException.class);
    assertThatThrownBy(sale::get).isInstanceOf(ActorDiedException.class);
    gate.open();
    busy.get();
  }

  @Test
  @Semantics("4.end.exit")
  void exitActor_insideACall_endsTheActorAfterIt() {
    ActorHandle<Shop> shop = Aktis.actor(Shop::new, notes).maxRestarts(5).remote();

    ObjectRef<Integer> last = shop.call(Shop::closeDown);

    assertThat(last.get()).isEqualTo(7);
    assertThatThrownBy(shop.call(Shop::sell, 1)::get).isInstanceOf(ActorDiedException.class);
    assertThat(notes.awaitCount(1)).containsExactly("closed");
  }

  @Test
  @Semantics("4.end.exit")
  void exitActor_outsideOfAnActor_isAnError() {
    assertThatThrownBy(Aktis::exitActor).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> Aktis.run(Aktis::exitActor).remote().get())
        .hasCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  @Semantics("4.end.owner")
  void actor_madeByAnActorThatIsKilled_endsWithIt() {
    ActorHandle<Owner> owner = Aktis.actor(Owner::new, notes).remote();
    assertThat(owner.call(Owner::sell).get()).isEqualTo(1);
    ActorHandle<Shop> shop = owner.call(Owner::shop).get();

    owner.kill();

    Await.until("the owned actor to be dead", () -> isDead(shop));
  }

  @Test
  @Semantics("4.end.owner")
  void actor_madeByATask_endsWithIt() {
    Aktis.run(ActorEndTest::dropAHandle, notes).remote().get();

    assertThat(notes.awaitCount(2)).containsExactly("sold 1", "closed");
  }

  private static boolean isDead(ActorHandle<Shop> shop) {
    try {
      shop.call(Shop::sell, 1).get();
      return false;
    } catch (ActorDiedException dead) {
      return true;
    }
  }

  static int sellAfter(ActorHandle<Shop> shop, Gate gate) throws InterruptedException {
    gate.pass();
    return shop.call(Shop::sell, 5).get();
  }
}
