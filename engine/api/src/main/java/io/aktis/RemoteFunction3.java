package io.aktis;

import io.aktis.spi.Engine;
import io.aktis.spi.Work;
import java.util.function.Supplier;

/**
 * A function of three arguments with its options, made by {@code Aktis.remote(...)} and called
 * often. Immutable and thread-safe; it can be kept in a static field across sessions.
 *
 * @param <A> type of the first argument
 * @param <B> type of the second argument
 * @param <C> type of the third argument
 * @param <R> type of the result
 */
public final class RemoteFunction3<A, B, C, R> implements TaskOptions<RemoteFunction3<A, B, C, R>> {
  private final Supplier<Engine> engine;
  private final Work work;

  RemoteFunction3(Supplier<Engine> engine, Work work) {
    this.engine = engine;
    this.work = work;
  }

  @Override
  public CallOptions options() {
    return work.options();
  }

  @Override
  public RemoteFunction3<A, B, C, R> options(CallOptions options) {
    return new RemoteFunction3<>(engine, work.withOptions(options));
  }

  /** Submits a call with three arguments; returns the reference to its result at once. */
  public ObjectRef<R> call(A a, B b, C c) {
    return engine.get().submit(work.withArgs(a, b, c));
  }

  /**
   * Submits a call with three arguments, given as references or {@link Arg#of wrapped values};
   * returns the reference to its result at once.
   */
  public ObjectRef<R> call(Arg<? extends A> a, Arg<? extends B> b, Arg<? extends C> c) {
    return engine.get().submit(work.withArgs(a, b, c));
  }
}
