package io.aktis.acceptance;

import io.aktis.ActorHandle;
import io.aktis.AktisSession;
import io.aktis.ObjectRef;
import io.aktis.acceptance.RealCluster.Node;
import io.aktis.acceptance.Work.Counter;
import io.aktis.testkit.Await;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A driver that works without a pause: tasks anywhere, calls of an actor, large values that tasks
 * make and read. It fails with the first of them that does. Thread-safe.
 */
final class Load implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final AtomicInteger rounds = new AtomicInteger();
  private final CompletableFuture<Integer> calls;
  private volatile boolean over;

  private Load(AktisSession session, Node actorAt) {
    ActorHandle<Counter> counter =
        session.actor(Counter::new).onNode(actorAt.id()).cpus(0).remote();
    counter.call(Counter::add, 0).get(PATIENCE);
    calls = CompletableFuture.supplyAsync(() -> work(session, counter));
  }

  /** Begins, with the actor on one of the nodes. */
  static Load on(AktisSession session, Node actorAt) {
    return new Load(session, actorAt);
  }

  private int work(AktisSession session, ActorHandle<Counter> counter) {
    int expected = 0;
    while (!over) {
      ObjectRef<Integer> sum = session.task(Math::addExact, expected, 1).remote();
      // Made by a task: what is put is lost with the node whose store the driver uses.
      ObjectRef<byte[]> large = session.task(Load::large).remote();
      ObjectRef<Integer> length = session.task((byte[] bytes) -> bytes.length, large).remote();
      int counted = counter.call(Counter::add, 1).get(PATIENCE);
      expected++;
      if (sum.get(PATIENCE) != expected || counted != expected) {
        throw new AssertionError("counted " + counted + " in round " + expected);
      }
      if (length.get(PATIENCE) != 1 << 20) {
        throw new AssertionError("a value has lost bytes in round " + expected);
      }
      large.close();
      rounds.set(expected);
    }
    return expected;
  }

  private static byte[] large() {
    return new byte[1 << 20];
  }

  /** Waits until so many more rounds are done; fails if one has failed. */
  void awaitMore(int more) {
    int wanted = rounds.get() + more;
    Await.until(
        more + " more rounds",
        Program.PATIENCE,
        () -> rounds.get() >= wanted || calls.isCompletedExceptionally(),
        () -> rounds + " are done");
    if (calls.isCompletedExceptionally()) {
      calls.join();
    }
  }

  /** Ends it; fails if anything has failed. */
  @Override
  public void close() {
    over = true;
    calls.join();
  }
}
