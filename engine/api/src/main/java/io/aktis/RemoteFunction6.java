package io.aktis;

import io.aktis.spi.Engine;
import io.aktis.spi.Work;
import java.util.function.Supplier;

/**
 * A function of six arguments with its options, made by {@code Aktis.remote(...)} and called often.
 * Immutable and thread-safe; it can be kept in a static field across sessions.
 *
 * @param <A> type of the first argument
 * @param <B> type of the second argument
 * @param <C> type of the third argument
 * @param <D> type of the fourth argument
 * @param <E> type of the fifth argument
 * @param <F> type of the sixth argument
 * @param <R> type of the result
 */
public final class RemoteFunction6<A, B, C, D, E, F, R>
    implements TaskOptions<RemoteFunction6<A, B, C, D, E, F, R>> {
  private final Supplier<Engine> engine;
  private final Work work;

  RemoteFunction6(Supplier<Engine> engine, Work work) {
    this.engine = engine;
    this.work = work;
  }

  @Override
  public CallOptions options() {
    return work.options();
  }

  @Override
  public RemoteFunction6<A, B, C, D, E, F, R> options(CallOptions options) {
    return new RemoteFunction6<>(engine, work.withOptions(options));
  }

  /** Submits a call with six arguments; returns the reference to its result at once. */
  public ObjectRef<R> call(A a, B b, C c, D d, E e, F f) {
    return engine.get().submit(work.withArgs(a, b, c, d, e, f));
  }

  /**
   * Submits a call with six arguments, given as references or {@link Arg#of wrapped values};
   * returns the reference to its result at once.
   */
  public ObjectRef<R> call(
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c,
      Arg<? extends D> d,
      Arg<? extends E> e,
      Arg<? extends F> f) {
    return engine.get().submit(work.withArgs(a, b, c, d, e, f));
  }
}
