package io.aktis;

import io.aktis.spi.Engine;
import io.aktis.spi.Work;

/**
 * A task that gives a stream of values, before it is submitted. Immutable.
 *
 * @param <R> type of the values
 */
public final class StreamCall<R> implements TaskOptions<StreamCall<R>> {
  private static final int DEFAULT_BUFFER = 16;

  private final Engine engine;
  private final Work work;
  private final int buffer;

  StreamCall(Engine engine, Work work) {
    this(engine, work, DEFAULT_BUFFER);
  }

  private StreamCall(Engine engine, Work work, int buffer) {
    this.engine = engine;
    this.work = work;
    this.buffer = buffer;
  }

  @Override
  public CallOptions options() {
    return work.options();
  }

  @Override
  public StreamCall<R> options(CallOptions options) {
    return new StreamCall<>(engine, work.withOptions(options), buffer);
  }

  /** Sets how many values may wait unconsumed before the producer is held back [16]. */
  public StreamCall<R> buffer(int values) {
    return new StreamCall<>(engine, work, Checks.atLeast(values, 1, "the buffer"));
  }

  /** Submits the task and returns the stream of its results at once. */
  public ObjectRefStream<R> remote() {
    return engine.stream(work, buffer);
  }
}
