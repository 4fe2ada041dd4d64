package io.aktis;

import io.aktis.spi.Engine;
import io.aktis.spi.Work;
import java.util.function.Supplier;

/**
 * A function of one argument with its options, made by {@code Aktis.remote(...)} and called often.
 * Immutable and thread-safe; it can be kept in a static field across sessions.
 *
 * @param <A> type of the first argument
 * @param <R> type of the result
 */
public final class RemoteFunction1<A, R> implements TaskOptions<RemoteFunction1<A, R>> {
  private final Supplier<Engine> engine;
  private final Work work;

  RemoteFunction1(Supplier<Engine> engine, Work work) {
    this.engine = engine;
    this.work = work;
  }

  @Override
  public CallOptions options() {
    return work.options();
  }

  @Override
  public RemoteFunction1<A, R> options(CallOptions options) {
    return new RemoteFunction1<>(engine, work.withOptions(options));
  }

  /** Submits a call with one argument; returns the reference to its result at once. */
  public ObjectRef<R> call(A a) {
    return engine.get().submit(work.withArgs(a));
  }

  /**
   * Submits a call with one argument, given as a reference; returns the reference to its result at
   * once.
   */
  public ObjectRef<R> call(Arg<? extends A> a) {
    return engine.get().submit(work.withArgs(a));
  }
}
