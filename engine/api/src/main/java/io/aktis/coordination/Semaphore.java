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
import java.time.Duration;
import java.util.Objects;

/**
 * A fixed number of permits that the driver, tasks and actors share, to bound what happens at the
 * same time: connections to a database, files being written.
 *
 * <pre>{@code
 * Semaphore connections = Semaphore.of(8);   // passed to each task
 * connections.acquire();
 * try {
 *   load();
 * } finally {
 *   connections.release();
 * }
 * }</pre>
 *
 * <p>The semaphore is a small value around an actor and can be passed as an argument. Waiting
 * callers are served in the order their calls arrive; up to 10,000 can wait, further ones wait
 * behind them, and waiting takes no CPU. Permits do not belong to anybody: what a task acquired and
 * did not release before it was lost stays taken.
 *
 * <p>All methods are thread-safe. They throw {@link io.aktis.ActorDiedException} when the semaphore
 * was lost with its node, and {@link IllegalStateException} when this handle was closed.
 */
public final class Semaphore implements AutoCloseable {
  private static final String ACQUIRE = "acquire";

  private final ActorHandle<SemaphoreActor> actor;
  private final int permits;

  private Semaphore(ActorHandle<SemaphoreActor> actor, int permits) {
    this.actor = actor;
    this.permits = permits;
  }

  /**
   * Creates a semaphore in the current session.
   *
   * @throws IllegalArgumentException when {@code permits} is below 1
   */
  public static Semaphore of(int permits) {
    return of(Aktis.session(), permits);
  }

  /** Creates a semaphore in {@code session}. */
  public static Semaphore of(AktisSession session, int permits) {
    Objects.requireNonNull(session, "the session must not be null");
    atLeastOne(permits, "the number of permits");
    return new Semaphore(
        Calls.create(
            session.actor(SemaphoreActor::new, permits),
            ConcurrencyGroups.of(ACQUIRE, MAX_WAITING)),
        permits);
  }

  /** Takes a permit; waits until one is there. */
  public void acquire() {
    acquire(1);
  }

  /**
   * Takes {@code count} permits at once; waits until they are there.
   *
   * @throws IllegalArgumentException when {@code count} is below 1 or above the number of permits
   */
  public void acquire(int count) {
    acquireWithin(count, FOREVER_NS);
  }

  /**
   * Takes {@code count} permits at once; waits until {@code timeout} is over.
   *
   * @throws TimeoutException when they were not there in time; none was taken
   * @throws IllegalArgumentException when {@code count} is below 1 or above the number of permits
   */
  public void acquire(int count, Duration timeout) {
    if (!acquireWithin(count, nanos(timeout))) {
      throw new TimeoutException(
          count + " of " + permits + " permits did not come free within " + timeout);
    }
  }

  /** Takes a permit if one is there and nobody waits for it; returns whether it did. */
  public boolean tryAcquire() {
    return acquireWithin(1, 0);
  }

  /** Gives a permit back. */
  public void release() {
    release(1);
  }

  /**
   * Gives {@code count} permits back.
   *
   * @throws IllegalStateException when fewer than that are taken; nothing is given back
   * @throws IllegalArgumentException when {@code count} is below 1
   */
  public void release(int count) {
    atLeastOne(count, "the number of permits");
    if (!answer(actor.call(SemaphoreActor::release, count))) {
      throw new IllegalStateException(
          "release(" + count + "): fewer of the " + permits + " permits are taken");
    }
  }

  /** Returns the permits that are free, which may have changed when the number arrives. */
  public int available() {
    return answer(actor.call(SemaphoreActor::available));
  }

  /** Returns the number of permits, free or taken. */
  public int permits() {
    return permits;
  }

  /** Releases this handle; the semaphore ends when nobody has one. Idempotent. */
  @Override
  public void close() {
    actor.close();
  }

  private boolean acquireWithin(int count, long timeoutNs) {
    atLeastOne(count, "the number of permits");
    if (count > permits) {
      throw new IllegalArgumentException(
          "acquire(" + count + ") can never succeed: there are " + permits + " permits");
    }
    return answer(actor.in(ACQUIRE).call(SemaphoreActor::acquire, count, timeoutNs));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Semaphore semaphore && actor.id().equals(semaphore.actor.id());
  }

  @Override
  public int hashCode() {
    return actor.id().hashCode();
  }

  @Override
  public String toString() {
    return "Semaphore[permits=" + permits + ", actor=" + actor.id() + "]";
  }
}
