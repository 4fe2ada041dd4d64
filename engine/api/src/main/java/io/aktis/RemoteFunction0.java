package io.aktis;

import io.aktis.spi.Engine;
import io.aktis.spi.Work;
import java.util.function.Supplier;

/**
 * A function of no arguments with its options, made by {@code Aktis.remote(...)} and called often.
 * Immutable and thread-safe; it can be kept in a static field across sessions.
 *
 * @param <R> type of the result
 */
public final class RemoteFunction0<R> implements TaskOptions<RemoteFunction0<R>> {
  private final Supplier<Engine> engine;
  private final Work work;

  RemoteFunction0(Supplier<Engine> engine, Work work) {
    this.engine = engine;
    this.work = work;
  }

  @Override
  public CallOptions options() {
    return work.options();
  }

  @Override
  public RemoteFunction0<R> options(CallOptions options) {
    return new RemoteFunction0<>(engine, work.withOptions(options));
  }

  /** Submits a call with no arguments; returns the reference to its result at once. */
  public ObjectRef<R> call() {
    return engine.get().submit(work.withArgs());
  }
}
