package io.aktis;

import io.aktis.function.TaskAction1;
import io.aktis.function.TaskAction2;
import io.aktis.function.TaskAction3;
import io.aktis.function.TaskAction4;
import io.aktis.function.TaskAction5;
import io.aktis.function.TaskAction6;
import io.aktis.function.TaskAction7;
import io.aktis.function.TaskFunction1;
import io.aktis.function.TaskFunction2;
import io.aktis.function.TaskFunction3;
import io.aktis.function.TaskFunction4;
import io.aktis.function.TaskFunction5;
import io.aktis.function.TaskFunction6;
import io.aktis.function.TaskFunction7;
import io.aktis.spi.Work;

/**
 * The ways to call an actor. The function's first parameter is the actor itself, so a method
 * reference reads {@code handle.call(Counter::add, 1)}; a lambda works as well.
 *
 * <p>Calls return at once, unless the actor bounds its pending calls and asks callers to block
 * ({@link ActorCall#maxPendingCalls}). Arguments follow the rules of {@link TaskFactory}. All
 * methods are thread-safe.
 *
 * @param <T> class of the actor
 */
public interface ActorMethods<T> {
  /** Sends a call whose first argument, the actor, is left out; for code that extends Aktis. */
  <R> ObjectRef<R> submit(Work call);

  /** Calls a method of no arguments; returns a reference to its result at once. */
  default <R> ObjectRef<R> call(TaskFunction1<? super T, ? extends R> function) {
    return submit(Work.of(function));
  }

  /** Calls a method of one argument; returns a reference to its result at once. */
  default <A, R> ObjectRef<R> call(TaskFunction2<? super T, ? super A, ? extends R> function, A a) {
    return submit(Work.of(function, a));
  }

  /**
   * Calls a method of one argument, given as a reference; returns a reference to its result at
   * once.
   */
  default <A, R> ObjectRef<R> call(
      TaskFunction2<? super T, ? super A, ? extends R> function, Arg<? extends A> a) {
    return submit(Work.of(function, a));
  }

  /** Calls a method of two arguments; returns a reference to its result at once. */
  default <A, B, R> ObjectRef<R> call(
      TaskFunction3<? super T, ? super A, ? super B, ? extends R> function, A a, B b) {
    return submit(Work.of(function, a, b));
  }

  /**
   * Calls a method of two arguments, the first as a reference; returns a reference to its result at
   * once.
   */
  default <A, B, R> ObjectRef<R> call(
      TaskFunction3<? super T, ? super A, ? super B, ? extends R> function,
      Arg<? extends A> a,
      B b) {
    return submit(Work.of(function, a, b));
  }

  /**
   * Calls a method of two arguments, the second as a reference; returns a reference to its result
   * at once.
   */
  default <A, B, R> ObjectRef<R> call(
      TaskFunction3<? super T, ? super A, ? super B, ? extends R> function,
      A a,
      Arg<? extends B> b) {
    return submit(Work.of(function, a, b));
  }

  /**
   * Calls a method of two arguments, given as references or {@link Arg#of wrapped values}; returns
   * a reference to its result at once.
   */
  default <A, B, R> ObjectRef<R> call(
      TaskFunction3<? super T, ? super A, ? super B, ? extends R> function,
      Arg<? extends A> a,
      Arg<? extends B> b) {
    return submit(Work.of(function, a, b));
  }

  /** Calls a method of three arguments; returns a reference to its result at once. */
  default <A, B, C, R> ObjectRef<R> call(
      TaskFunction4<? super T, ? super A, ? super B, ? super C, ? extends R> function,
      A a,
      B b,
      C c) {
    return submit(Work.of(function, a, b, c));
  }

  /**
   * Calls a method of three arguments, given as references or {@link Arg#of wrapped values};
   * returns a reference to its result at once.
   */
  default <A, B, C, R> ObjectRef<R> call(
      TaskFunction4<? super T, ? super A, ? super B, ? super C, ? extends R> function,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c) {
    return submit(Work.of(function, a, b, c));
  }

  /** Calls a method of four arguments; returns a reference to its result at once. */
  default <A, B, C, D, R> ObjectRef<R> call(
      TaskFunction5<? super T, ? super A, ? super B, ? super C, ? super D, ? extends R> function,
      A a,
      B b,
      C c,
      D d) {
    return submit(Work.of(function, a, b, c, d));
  }

  /**
   * Calls a method of four arguments, given as references or {@link Arg#of wrapped values}; returns
   * a reference to its result at once.
   */
  default <A, B, C, D, R> ObjectRef<R> call(
      TaskFunction5<? super T, ? super A, ? super B, ? super C, ? super D, ? extends R> function,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c,
      Arg<? extends D> d) {
    return submit(Work.of(function, a, b, c, d));
  }

  /** Calls a method of five arguments; returns a reference to its result at once. */
  default <A, B, C, D, E, R> ObjectRef<R> call(
      TaskFunction6<? super T, ? super A, ? super B, ? super C, ? super D, ? super E, ? extends R>
          function,
      A a,
      B b,
      C c,
      D d,
      E e) {
    return submit(Work.of(function, a, b, c, d, e));
  }

  /**
   * Calls a method of five arguments, given as references or {@link Arg#of wrapped values}; returns
   * a reference to its result at once.
   */
  default <A, B, C, D, E, R> ObjectRef<R> call(
      TaskFunction6<? super T, ? super A, ? super B, ? super C, ? super D, ? super E, ? extends R>
          function,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c,
      Arg<? extends D> d,
      Arg<? extends E> e) {
    return submit(Work.of(function, a, b, c, d, e));
  }

  /** Calls a method of six arguments; returns a reference to its result at once. */
  default <A, B, C, D, E, F, R> ObjectRef<R> call(
      TaskFunction7<
              ? super T,
              ? super A,
              ? super B,
              ? super C,
              ? super D,
              ? super E,
              ? super F,
              ? extends R>
          function,
      A a,
      B b,
      C c,
      D d,
      E e,
      F f) {
    return submit(Work.of(function, a, b, c, d, e, f));
  }

  /**
   * Calls a method of six arguments, given as references or {@link Arg#of wrapped values}; returns
   * a reference to its result at once.
   */
  default <A, B, C, D, E, F, R> ObjectRef<R> call(
      TaskFunction7<
              ? super T,
              ? super A,
              ? super B,
              ? super C,
              ? super D,
              ? super E,
              ? super F,
              ? extends R>
          function,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c,
      Arg<? extends D> d,
      Arg<? extends E> e,
      Arg<? extends F> f) {
    return submit(Work.of(function, a, b, c, d, e, f));
  }

  /** Calls a method without a result: no arguments; the reference says when it is done. */
  default ObjectRef<Void> run(TaskAction1<? super T> action) {
    return submit(Work.of(action));
  }

  /** Calls a method without a result: one argument; the reference says when it is done. */
  default <A> ObjectRef<Void> run(TaskAction2<? super T, ? super A> action, A a) {
    return submit(Work.of(action, a));
  }

  /**
   * Calls a method without a result: one argument, given as a reference; the reference says when it
   * is done.
   */
  default <A> ObjectRef<Void> run(TaskAction2<? super T, ? super A> action, Arg<? extends A> a) {
    return submit(Work.of(action, a));
  }

  /** Calls a method without a result: two arguments; the reference says when it is done. */
  default <A, B> ObjectRef<Void> run(
      TaskAction3<? super T, ? super A, ? super B> action, A a, B b) {
    return submit(Work.of(action, a, b));
  }

  /**
   * Calls a method without a result: two arguments, the first as a reference; the reference says
   * when it is done.
   */
  default <A, B> ObjectRef<Void> run(
      TaskAction3<? super T, ? super A, ? super B> action, Arg<? extends A> a, B b) {
    return submit(Work.of(action, a, b));
  }

  /**
   * Calls a method without a result: two arguments, the second as a reference; the reference says
   * when it is done.
   */
  default <A, B> ObjectRef<Void> run(
      TaskAction3<? super T, ? super A, ? super B> action, A a, Arg<? extends B> b) {
    return submit(Work.of(action, a, b));
  }

  /**
   * Calls a method without a result: two arguments, given as references or {@link Arg#of wrapped
   * values}; the reference says when it is done.
   */
  default <A, B> ObjectRef<Void> run(
      TaskAction3<? super T, ? super A, ? super B> action, Arg<? extends A> a, Arg<? extends B> b) {
    return submit(Work.of(action, a, b));
  }

  /** Calls a method without a result: three arguments; the reference says when it is done. */
  default <A, B, C> ObjectRef<Void> run(
      TaskAction4<? super T, ? super A, ? super B, ? super C> action, A a, B b, C c) {
    return submit(Work.of(action, a, b, c));
  }

  /**
   * Calls a method without a result: three arguments, given as references or {@link Arg#of wrapped
   * values}; the reference says when it is done.
   */
  default <A, B, C> ObjectRef<Void> run(
      TaskAction4<? super T, ? super A, ? super B, ? super C> action,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c) {
    return submit(Work.of(action, a, b, c));
  }

  /** Calls a method without a result: four arguments; the reference says when it is done. */
  default <A, B, C, D> ObjectRef<Void> run(
      TaskAction5<? super T, ? super A, ? super B, ? super C, ? super D> action,
      A a,
      B b,
      C c,
      D d) {
    return submit(Work.of(action, a, b, c, d));
  }

  /**
   * Calls a method without a result: four arguments, given as references or {@link Arg#of wrapped
   * values}; the reference says when it is done.
   */
  default <A, B, C, D> ObjectRef<Void> run(
      TaskAction5<? super T, ? super A, ? super B, ? super C, ? super D> action,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c,
      Arg<? extends D> d) {
    return submit(Work.of(action, a, b, c, d));
  }

  /** Calls a method without a result: five arguments; the reference says when it is done. */
  default <A, B, C, D, E> ObjectRef<Void> run(
      TaskAction6<? super T, ? super A, ? super B, ? super C, ? super D, ? super E> action,
      A a,
      B b,
      C c,
      D d,
      E e) {
    return submit(Work.of(action, a, b, c, d, e));
  }

  /**
   * Calls a method without a result: five arguments, given as references or {@link Arg#of wrapped
   * values}; the reference says when it is done.
   */
  default <A, B, C, D, E> ObjectRef<Void> run(
      TaskAction6<? super T, ? super A, ? super B, ? super C, ? super D, ? super E> action,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c,
      Arg<? extends D> d,
      Arg<? extends E> e) {
    return submit(Work.of(action, a, b, c, d, e));
  }

  /** Calls a method without a result: six arguments; the reference says when it is done. */
  default <A, B, C, D, E, F> ObjectRef<Void> run(
      TaskAction7<? super T, ? super A, ? super B, ? super C, ? super D, ? super E, ? super F>
          action,
      A a,
      B b,
      C c,
      D d,
      E e,
      F f) {
    return submit(Work.of(action, a, b, c, d, e, f));
  }

  /**
   * Calls a method without a result: six arguments, given as references or {@link Arg#of wrapped
   * values}; the reference says when it is done.
   */
  default <A, B, C, D, E, F> ObjectRef<Void> run(
      TaskAction7<? super T, ? super A, ? super B, ? super C, ? super D, ? super E, ? super F>
          action,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c,
      Arg<? extends D> d,
      Arg<? extends E> e,
      Arg<? extends F> f) {
    return submit(Work.of(action, a, b, c, d, e, f));
  }
}
