package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.ActorHandle;
import io.aktis.Aktis;
import io.aktis.DeadlockException;
import io.aktis.ObjectRef;
import io.aktis.testkit.EngineTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Actors that wait for each other. */
@EngineTest(cpus = 2)
class DeadlockTest {
  /** Knows a next one, and passes questions on. */
  static final class Peer {
    private final List<ActorHandle<Peer>> next = new ArrayList<>();

    void follow(ActorHandle<Peer> peer) {
      next.add(peer);
    }

    String answer() {
      return "answer";
    }

    String ask(int hops) {
      return hops == 0
          ? next.getFirst().call(Peer::answer).get()
          : next.getFirst().call(Peer::ask, hops - 1).get();
    }

    String askAndExplain(int hops) {
      try {
        return ask(hops);
      } catch (DeadlockException e) {
        return e.getMessage();
      }
    }

    String askThroughATask() {
      ActorHandle<Peer> peer = next.getFirst();
      return Aktis.task(() -> peer.call(Peer::answer).get()).remote().get();
    }
  }

  private static ActorHandle<Peer> peer(String name) {
    return Aktis.actor(Peer::new).named(name).remote();
  }

  private static void chain(List<ActorHandle<Peer>> peers) {
    for (int i = 0; i < peers.size(); i++) {
      peers.get(i).run(Peer::follow, peers.get((i + 1) % peers.size())).get();
    }
  }

  private static void killAll(List<ActorHandle<Peer>> peers) {
    peers.forEach(ActorHandle::kill);
  }

  @Test
  @Semantics("4.deadlock.cycle")
  void get_twoActorsThatWaitForEachOther_failsNamingThem() {
    List<ActorHandle<Peer>> peers = List.of(peer("one"), peer("two"));
    chain(peers);

    assertThatThrownBy(() -> peers.getFirst().call(Peer::ask, 1).get())
        .rootCause()
        .isInstanceOfSatisfying(
            DeadlockException.class, deadlock -> assertThat(deadlock.story()).isNotEmpty())
        .hasMessageContaining("one")
        .hasMessageContaining("two");

    assertThat(peers.get(0).call(Peer::answer).get()).isEqualTo("answer");
    assertThat(peers.get(1).call(Peer::answer).get()).isEqualTo("answer");
    killAll(peers);
  }

  @Test
  @Semantics("4.deadlock.cycle")
  void get_inACycle_failsInTheYoungestCallOnly() {
    List<ActorHandle<Peer>> peers = List.of(peer("one"), peer("two"));
    chain(peers);

    String seen =
        peers.getFirst().call(one -> one.next.getFirst().call(Peer::askAndExplain, 0).get()).get();

    assertThat(seen).contains("one", "two");
    killAll(peers);
  }

  @Test
  @Semantics("4.deadlock.cycle")
  void get_anActorThatWaitsForItself_fails() {
    ActorHandle<Peer> lonely = peer("lonely");
    chain(List.of(lonely));

    assertThat(lonely.call(Peer::askAndExplain, 0).get()).contains("lonely");
    lonely.kill();
  }

  @Test
  @Semantics("4.deadlock.cycle")
  void get_fiveActorsInACycle_fails() {
    List<ActorHandle<Peer>> peers =
        List.of(peer("p1"), peer("p2"), peer("p3"), peer("p4"), peer("p5"));
    chain(peers);

    assertThatThrownBy(() -> peers.getFirst().call(Peer::ask, 4).get())
        .hasRootCauseInstanceOf(DeadlockException.class)
        .rootCause()
        .hasMessageContainingAll("p1", "p2", "p3", "p4", "p5");
    killAll(peers);
  }

  @Test
  @Semantics("4.deadlock.cycle")
  void get_cycleWithATaskInBetween_fails() {
    ActorHandle<Peer> lonely = peer("lonely");
    chain(List.of(lonely));

    assertThatThrownBy(() -> lonely.call(Peer::askThroughATask).get())
        .hasRootCauseInstanceOf(DeadlockException.class);
    lonely.kill();
  }

  @Test
  @Semantics("4.deadlock.false")
  void get_chainWithoutACycle_finishes() {
    List<ActorHandle<Peer>> peers = List.of(peer("one"), peer("two"), peer("three"));
    chain(peers);

    assertThat(peers.getFirst().call(Peer::ask, 1).get()).isEqualTo("answer");
    killAll(peers);
  }

  @Test
  @Semantics("4.deadlock.false")
  void get_backToAnActorThatRunsSeveralCalls_finishes() {
    ActorHandle<Peer> wide = Aktis.actor(Peer::new).maxConcurrency(2).remote();
    ActorHandle<Peer> narrow = peer("narrow");
    chain(List.of(wide, narrow));

    assertThat(wide.call(Peer::ask, 1).get()).isEqualTo("answer");
    killAll(List.of(wide, narrow));
  }

  @Test
  @Semantics("4.deadlock.false")
  void call_backWithoutWaiting_isNoDeadlock() {
    List<ActorHandle<Peer>> peers = List.of(peer("one"), peer("two"));
    chain(peers);

    var late =
        peers.getFirst().call(one -> one.next.getFirst().call(two -> backCall(two)).get()).get();

    assertThat(late.get()).isEqualTo("answer");
    killAll(peers);
  }

  private static ObjectRef<String> backCall(Peer two) {
    return two.next.getFirst().call(Peer::answer);
  }
}
