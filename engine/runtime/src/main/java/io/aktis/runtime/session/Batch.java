package io.aktis.runtime.session;

import io.aktis.function.TaskFunction1;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Applies a function to some items: what a task of a parallel map does.
 *
 * @param function the function
 * @param <T> type of the items
 * @param <R> type of the results
 */
record Batch<T, R>(TaskFunction1<? super T, ? extends R> function)
    implements TaskFunction1<List<T>, Batch.Result<R>> {
  @Override
  public Result<R> apply(List<T> items) throws Exception {
    long start = System.nanoTime();
    @Nullable Object[] results = new Object[items.size()];
    for (int i = 0; i < results.length; i++) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedException("the map was cancelled");
      }
      results[i] = function.apply(items.get(i));
    }
    return new Result<>(unchanging(results), System.nanoTime() - start);
  }

  /** Returns the values as a list that can be shared, unless there is a null among them. */
  @SuppressWarnings("unchecked")
  static <E> List<E> unchanging(@Nullable Object[] values) {
    for (Object value : values) {
      if (value == null) {
        return (List<E>) new ArrayList<>(Arrays.asList(values));
      }
    }
    return (List<E>) List.of(values);
  }

  /**
   * What a batch gave.
   *
   * @param values the results in order
   * @param nanos how long the function ran for all of them
   * @param <R> type of the results
   */
  record Result<R>(List<R> values, long nanos) {}
}
