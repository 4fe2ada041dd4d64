package io.aktis;

import io.aktis.function.TaskFunction1;
import io.aktis.spi.Engine;
import io.aktis.spi.MapPlan;
import java.time.Duration;
import java.util.List;

/**
 * A parallel map over items, before it runs. Results keep the order of the items. Items travel in
 * batches whose size follows the measured time of an item, so that items of microseconds pay.
 * Options are those of each batch, and retries repeat a batch as a whole. Immutable.
 *
 * @param <T> type of the items
 * @param <R> type of the results
 */
public final class MapCall<T, R> implements TaskOptions<MapCall<T, R>> {
  private final Engine engine;
  private final List<T> items;
  private final TaskFunction1<? super T, ? extends R> function;
  private final MapPlan plan;

  MapCall(
      Engine engine, List<T> items, TaskFunction1<? super T, ? extends R> function, MapPlan plan) {
    this.engine = engine;
    this.items = items;
    this.function = function;
    this.plan = plan;
  }

  @Override
  public CallOptions options() {
    return plan.options();
  }

  @Override
  public MapCall<T, R> options(CallOptions options) {
    return with(new MapPlan(options, plan.batchSize(), plan.progressLabel()));
  }

  /** Shows a progress bar with rate and time left, plain lines where there is no terminal. */
  public MapCall<T, R> progress(String label) {
    return with(new MapPlan(plan.options(), plan.batchSize(), Checks.text(label, "the label")));
  }

  /** Sets the number of items a batch, instead of measuring. */
  public MapCall<T, R> batchSize(int items) {
    Checks.atLeast(items, 1, "the batch size");
    return with(new MapPlan(plan.options(), items, plan.progressLabel()));
  }

  /**
   * Runs the map and waits for all results.
   *
   * @throws TaskFailedException on the first failure; what is under way is cancelled
   */
  public List<R> get() {
    return engine.map(items, function, plan, null);
  }

  /**
   * Runs the map and waits until {@code timeout} is over; over it the rest is cancelled.
   *
   * @throws TimeoutException when the time is over
   */
  public List<R> get(Duration timeout) {
    return engine.map(items, function, plan, Checks.notNegative(timeout, "the timeout"));
  }

  private MapCall<T, R> with(MapPlan changed) {
    return new MapCall<>(engine, items, function, changed);
  }
}
