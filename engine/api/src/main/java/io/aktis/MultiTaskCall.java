package io.aktis;

import io.aktis.spi.Engine;
import io.aktis.spi.Work;
import java.util.List;

/**
 * A task with several results before it is submitted. Immutable.
 *
 * @param <T> type of each result
 */
public final class MultiTaskCall<T> implements TaskOptions<MultiTaskCall<T>> {
  private final Engine engine;
  private final Work work;
  private final int count;
  private final Class<T> type;

  MultiTaskCall(Engine engine, Work work, int count, Class<T> type) {
    this.engine = engine;
    this.work = work;
    this.count = count;
    this.type = type;
  }

  @Override
  public CallOptions options() {
    return work.options();
  }

  @Override
  public MultiTaskCall<T> options(CallOptions options) {
    return new MultiTaskCall<>(engine, work.withOptions(options), count, type);
  }

  /** Submits the task and returns the references to its results at once, in order. */
  public List<ObjectRef<T>> remote() {
    return engine.submit(work, count, type);
  }
}
