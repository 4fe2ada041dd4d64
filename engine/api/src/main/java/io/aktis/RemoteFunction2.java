package io.aktis;

import io.aktis.spi.Engine;
import io.aktis.spi.Work;
import java.util.function.Supplier;

/**
 * A function of two arguments with its options, made by {@code Aktis.remote(...)} and called often.
 * Immutable and thread-safe; it can be kept in a static field across sessions.
 *
 * @param <A> type of the first argument
 * @param <B> type of the second argument
 * @param <R> type of the result
 */
public final class RemoteFunction2<A, B, R> implements TaskOptions<RemoteFunction2<A, B, R>> {
  private final Supplier<Engine> engine;
  private final Work work;

  RemoteFunction2(Supplier<Engine> engine, Work work) {
    this.engine = engine;
    this.work = work;
  }

  @Override
  public CallOptions options() {
    return work.options();
  }

  @Override
  public RemoteFunction2<A, B, R> options(CallOptions options) {
    return new RemoteFunction2<>(engine, work.withOptions(options));
  }

  /** Submits a call with two arguments; returns the reference to its result at once. */
  public ObjectRef<R> call(A a, B b) {
    return engine.get().submit(work.withArgs(a, b));
  }

  /**
   * Submits a call with two arguments, the first as a reference; returns the reference to its
   * result at once.
   */
  public ObjectRef<R> call(Arg<? extends A> a, B b) {
    return engine.get().submit(work.withArgs(a, b));
  }

  /**
   * Submits a call with two arguments, the second as a reference; returns the reference to its
   * result at once.
   */
  public ObjectRef<R> call(A a, Arg<? extends B> b) {
    return engine.get().submit(work.withArgs(a, b));
  }

  /**
   * Submits a call with two arguments, given as references or {@link Arg#of wrapped values};
   * returns the reference to its result at once.
   */
  public ObjectRef<R> call(Arg<? extends A> a, Arg<? extends B> b) {
    return engine.get().submit(work.withArgs(a, b));
  }
}
