package io.aktis.coordination;

import static io.aktis.coordination.Calls.FOREVER_NS;
import static io.aktis.coordination.Calls.MAX_WAITING;
import static io.aktis.coordination.Calls.answer;
import static io.aktis.coordination.Calls.atLeastOne;
import static io.aktis.coordination.Calls.nanos;

import io.aktis.ActorHandle;
import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.ConcurrencyGroups;
import io.aktis.TimeoutException;
import io.aktis.coordination.BarrierActor.Arrival;
import java.time.Duration;
import java.util.Objects;

/**
 * A place where a fixed number of tasks or actors wait for each other, round after round.
 *
 * <pre>{@code
 * Barrier epoch = Barrier.of(4);   // passed to four workers, each of which does:
 * trainOneEpoch();
 * if (epoch.await()) {
 *   report();                      // one of the four
 * }
 * }</pre>
 *
 * <p>All parties must be able to run at the same time; waiting lends the CPU of a task to others,
 * so they need not have one CPU each. A party that gives up, because its time is over or its task
 * is cancelled, takes its arrival back: the others go on waiting for somebody in its place.
 *
 * <p>The barrier is a small value around an actor and can be passed as an argument. All methods are
 * thread-safe. They throw {@link io.aktis.ActorDiedException} when the barrier was lost with its
 * node, and {@link IllegalStateException} when this handle was closed.
 */
public final class Barrier implements AutoCloseable {
  private static final String AWAIT = "await";

  private final ActorHandle<BarrierActor> actor;
  private final int parties;

  private Barrier(ActorHandle<BarrierActor> actor, int parties) {
    this.actor = actor;
    this.parties = parties;
  }

  /**
   * Creates a barrier in the current session.
   *
   * @param parties how many come to it each round
   * @throws IllegalArgumentException when {@code parties} is below 1
   */
  public static Barrier of(int parties) {
    return of(Aktis.session(), parties);
  }

  /** Creates a barrier in {@code session}. */
  public static Barrier of(AktisSession session, int parties) {
    Objects.requireNonNull(session, "the session must not be null");
    atLeastOne(parties, "the number of parties");
    return new Barrier(
        Calls.create(
            session.actor(BarrierActor::new, parties),
            ConcurrencyGroups.of(AWAIT, Math.max(parties, MAX_WAITING))),
        parties);
  }

  /**
   * Waits until all parties have come.
   *
   * @return whether this one came last, which is true for exactly one of each round
   */
  public boolean await() {
    return awaitWithin(FOREVER_NS) == Arrival.LAST;
  }

  /**
   * Waits until all parties have come or {@code timeout} is over.
   *
   * @return whether this one came last, which is true for exactly one of each round
   * @throws TimeoutException when not all came in time; this arrival does not count
   */
  public boolean await(Duration timeout) {
    Arrival arrival = awaitWithin(nanos(timeout));
    if (arrival == Arrival.TIMED_OUT) {
      throw new TimeoutException("Not all of " + parties + " parties came within " + timeout);
    }
    return arrival == Arrival.LAST;
  }

  /** Returns how many wait now, which may have changed when the number arrives. */
  public int waiting() {
    return answer(actor.call(BarrierActor::waiting));
  }

  /** Returns how many come to it each round. */
  public int parties() {
    return parties;
  }

  /** Releases this handle; the barrier ends when nobody has one. Idempotent. */
  @Override
  public void close() {
    actor.close();
  }

  private Arrival awaitWithin(long timeoutNs) {
    return answer(actor.in(AWAIT).call(BarrierActor::await, timeoutNs));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Barrier barrier && actor.id().equals(barrier.actor.id());
  }

  @Override
  public int hashCode() {
    return actor.id().hashCode();
  }

  @Override
  public String toString() {
    return "Barrier[parties=" + parties + ", actor=" + actor.id() + "]";
  }
}
