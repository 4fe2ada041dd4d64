package io.aktis;

import io.aktis.function.TaskFunction2;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.NoSuchElementException;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/**
 * Calls of one method by the actors of an {@link ActorPool}: items go in one by one, results come
 * out one by one.
 *
 * <pre>{@code
 * var scores = pool.calls(Model::score);
 * rows.forEach(scores::submit);
 * while (scores.hasNext()) {
 *   use(scores.next());
 * }
 * }</pre>
 *
 * <p>Confined to the thread that uses the pool.
 *
 * @param <A> class of the actors
 * @param <T> type of the items
 * @param <R> type of the results
 */
public final class PoolCalls<A, T, R> {
  private final ActorPool<A> pool;
  private final TaskFunction2<? super A, ? super T, ? extends R> method;
  private final SequencedSet<PoolCall<A, R>> submitted = new LinkedHashSet<>();
  private final SequencedSet<PoolCall<A, R>> settled = new LinkedHashSet<>();

  PoolCalls(ActorPool<A> pool, TaskFunction2<? super A, ? super T, ? extends R> method) {
    this.pool = pool;
    this.method = method;
  }

  /** Hands an item to an actor that is free, or keeps it until one is; never waits for a result. */
  public void submit(T item) {
    PoolCall<A, R> call = new PoolCall<>(actor -> actor.call(method, item), settled::add);
    submitted.add(call);
    pool.submit(call);
  }

  /** Returns the number of items whose results were not taken yet. */
  public int size() {
    return submitted.size();
  }

  /** Returns whether there is an item whose result was not taken yet; never waits. */
  public boolean hasNext() {
    return !submitted.isEmpty();
  }

  /**
   * Waits for the result of the item submitted first among those left, and takes it.
   *
   * @throws NoSuchElementException when all results were taken
   * @throws AktisException the failure of that call, which counts as taken
   */
  public R next() {
    return takeFirst(submitted, null);
  }

  /**
   * Takes the next result as {@link #next()} does; waits until {@code timeout} is over.
   *
   * @throws TimeoutException when it was not there in time; it can be taken later
   */
  public R next(Duration timeout) {
    return takeFirst(submitted, Checks.notNegative(timeout, "the timeout"));
  }

  /**
   * Waits for the result that comes first, of any item, and takes it.
   *
   * @throws NoSuchElementException when all results were taken
   * @throws AktisException the failure of that call, which counts as taken
   */
  public R nextUnordered() {
    return takeFirst(settled, null);
  }

  /**
   * Takes the result that comes first as {@link #nextUnordered()} does; waits until {@code timeout}
   * is over.
   *
   * @throws TimeoutException when none was there in time
   */
  public R nextUnordered(Duration timeout) {
    return takeFirst(settled, Checks.notNegative(timeout, "the timeout"));
  }

  private R takeFirst(SequencedSet<PoolCall<A, R>> candidates, @Nullable Duration timeout) {
    if (submitted.isEmpty()) {
      throw new NoSuchElementException("every result was taken");
    }
    long startNs = System.nanoTime();
    while (candidates.isEmpty() || !settled.contains(candidates.getFirst())) {
      if (!pool.advance(left(timeout, startNs))) {
        throw new TimeoutException("the next result was not there within " + timeout);
      }
    }
    PoolCall<A, R> call = candidates.getFirst();
    submitted.remove(call);
    settled.remove(call);
    return call.result();
  }

  private static @Nullable Duration left(@Nullable Duration timeout, long startNs) {
    return timeout == null ? null : timeout.minusNanos(System.nanoTime() - startNs);
  }
}
