package io.aktis;

import io.aktis.function.TaskAction0;
import io.aktis.function.TaskAction1;
import io.aktis.function.TaskAction2;
import io.aktis.function.TaskAction3;
import io.aktis.function.TaskAction4;
import io.aktis.function.TaskAction5;
import io.aktis.function.TaskAction6;
import io.aktis.function.TaskFunction0;
import io.aktis.function.TaskFunction1;
import io.aktis.function.TaskFunction2;
import io.aktis.function.TaskFunction3;
import io.aktis.function.TaskFunction4;
import io.aktis.function.TaskFunction5;
import io.aktis.function.TaskFunction6;
import io.aktis.spi.Engine;
import io.aktis.spi.Work;
import java.util.stream.Stream;

/**
 * The ways to name work: tasks, streams, actors and remote functions. Nothing happens before {@code
 * remote()} or {@code call(...)} is called on what these methods return.
 *
 * <p>An argument is a value or a reference to one. With up to two arguments any mix is accepted as
 * it is; with three or more give either all values, or all {@link Arg}s, where {@link Arg#of} wraps
 * the values among them. The compiler checks every type. Beside a reference, write the parameter
 * type of a lambda ({@code (Model m) -> m.size()}) and name a method that is not overloaded, for
 * Java does not infer the type there.
 *
 * <p>All methods are thread-safe and return at once.
 */
public interface TaskFactory {
  /**
   * Returns the engine that carries out the work; for code that extends Aktis, not for programs.
   */
  Engine engine();

  /** Prepares a task: a function of no arguments. */
  default <R> TaskCall<R> task(TaskFunction0<? extends R> function) {
    return new TaskCall<>(engine(), Work.of(function));
  }

  /** Prepares a task: a function of one argument. */
  default <A, R> TaskCall<R> task(TaskFunction1<? super A, ? extends R> function, A a) {
    return new TaskCall<>(engine(), Work.of(function, a));
  }

  /** Prepares a task: a function of one argument, given as a reference. */
  default <A, R> TaskCall<R> task(
      TaskFunction1<? super A, ? extends R> function, Arg<? extends A> a) {
    return new TaskCall<>(engine(), Work.of(function, a));
  }

  /** Prepares a task: a function of two arguments. */
  default <A, B, R> TaskCall<R> task(
      TaskFunction2<? super A, ? super B, ? extends R> function, A a, B b) {
    return new TaskCall<>(engine(), Work.of(function, a, b));
  }

  /** Prepares a task: a function of two arguments, the first as a reference. */
  default <A, B, R> TaskCall<R> task(
      TaskFunction2<? super A, ? super B, ? extends R> function, Arg<? extends A> a, B b) {
    return new TaskCall<>(engine(), Work.of(function, a, b));
  }

  /** Prepares a task: a function of two arguments, the second as a reference. */
  default <A, B, R> TaskCall<R> task(
      TaskFunction2<? super A, ? super B, ? extends R> function, A a, Arg<? extends B> b) {
    return new TaskCall<>(engine(), Work.of(function, a, b));
  }

  /**
   * Prepares a task: a function of two arguments, given as references or {@link Arg#of wrapped
   * values}.
   */
  default <A, B, R> TaskCall<R> task(
      TaskFunction2<? super A, ? super B, ? extends R> function,
      Arg<? extends A> a,
      Arg<? extends B> b) {
    return new TaskCall<>(engine(), Work.of(function, a, b));
  }

  /** Prepares a task: a function of three arguments. */
  default <A, B, C, R> TaskCall<R> task(
      TaskFunction3<? super A, ? super B, ? super C, ? extends R> function, A a, B b, C c) {
    return new TaskCall<>(engine(), Work.of(function, a, b, c));
  }

  /**
   * Prepares a task: a function of three arguments, given as references or {@link Arg#of wrapped
   * values}.
   */
  default <A, B, C, R> TaskCall<R> task(
      TaskFunction3<? super A, ? super B, ? super C, ? extends R> function,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c) {
    return new TaskCall<>(engine(), Work.of(function, a, b, c));
  }

  /** Prepares a task: a function of four arguments. */
  default <A, B, C, D, R> TaskCall<R> task(
      TaskFunction4<? super A, ? super B, ? super C, ? super D, ? extends R> function,
      A a,
      B b,
      C c,
      D d) {
    return new TaskCall<>(engine(), Work.of(function, a, b, c, d));
  }

  /**
   * Prepares a task: a function of four arguments, given as references or {@link Arg#of wrapped
   * values}.
   */
  default <A, B, C, D, R> TaskCall<R> task(
      TaskFunction4<? super A, ? super B, ? super C, ? super D, ? extends R> function,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c,
      Arg<? extends D> d) {
    return new TaskCall<>(engine(), Work.of(function, a, b, c, d));
  }

  /** Prepares a task: a function of five arguments. */
  default <A, B, C, D, E, R> TaskCall<R> task(
      TaskFunction5<? super A, ? super B, ? super C, ? super D, ? super E, ? extends R> function,
      A a,
      B b,
      C c,
      D d,
      E e) {
    return new TaskCall<>(engine(), Work.of(function, a, b, c, d, e));
  }

  /**
   * Prepares a task: a function of five arguments, given as references or {@link Arg#of wrapped
   * values}.
   */
  default <A, B, C, D, E, R> TaskCall<R> task(
      TaskFunction5<? super A, ? super B, ? super C, ? super D, ? super E, ? extends R> function,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c,
      Arg<? extends D> d,
      Arg<? extends E> e) {
    return new TaskCall<>(engine(), Work.of(function, a, b, c, d, e));
  }

  /** Prepares a task: a function of six arguments. */
  default <A, B, C, D, E, F, R> TaskCall<R> task(
      TaskFunction6<? super A, ? super B, ? super C, ? super D, ? super E, ? super F, ? extends R>
          function,
      A a,
      B b,
      C c,
      D d,
      E e,
      F f) {
    return new TaskCall<>(engine(), Work.of(function, a, b, c, d, e, f));
  }

  /**
   * Prepares a task: a function of six arguments, given as references or {@link Arg#of wrapped
   * values}.
   */
  default <A, B, C, D, E, F, R> TaskCall<R> task(
      TaskFunction6<? super A, ? super B, ? super C, ? super D, ? super E, ? super F, ? extends R>
          function,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c,
      Arg<? extends D> d,
      Arg<? extends E> e,
      Arg<? extends F> f) {
    return new TaskCall<>(engine(), Work.of(function, a, b, c, d, e, f));
  }

  /** Prepares a task without a result: no arguments. */
  default TaskCall<Void> run(TaskAction0 action) {
    return new TaskCall<>(engine(), Work.of(action));
  }

  /** Prepares a task without a result: one argument. */
  default <A> TaskCall<Void> run(TaskAction1<? super A> action, A a) {
    return new TaskCall<>(engine(), Work.of(action, a));
  }

  /** Prepares a task without a result: one argument, given as a reference. */
  default <A> TaskCall<Void> run(TaskAction1<? super A> action, Arg<? extends A> a) {
    return new TaskCall<>(engine(), Work.of(action, a));
  }

  /** Prepares a task without a result: two arguments. */
  default <A, B> TaskCall<Void> run(TaskAction2<? super A, ? super B> action, A a, B b) {
    return new TaskCall<>(engine(), Work.of(action, a, b));
  }

  /** Prepares a task without a result: two arguments, the first as a reference. */
  default <A, B> TaskCall<Void> run(
      TaskAction2<? super A, ? super B> action, Arg<? extends A> a, B b) {
    return new TaskCall<>(engine(), Work.of(action, a, b));
  }

  /** Prepares a task without a result: two arguments, the second as a reference. */
  default <A, B> TaskCall<Void> run(
      TaskAction2<? super A, ? super B> action, A a, Arg<? extends B> b) {
    return new TaskCall<>(engine(), Work.of(action, a, b));
  }

  /**
   * Prepares a task without a result: two arguments, given as references or {@link Arg#of wrapped
   * values}.
   */
  default <A, B> TaskCall<Void> run(
      TaskAction2<? super A, ? super B> action, Arg<? extends A> a, Arg<? extends B> b) {
    return new TaskCall<>(engine(), Work.of(action, a, b));
  }

  /** Prepares a task without a result: three arguments. */
  default <A, B, C> TaskCall<Void> run(
      TaskAction3<? super A, ? super B, ? super C> action, A a, B b, C c) {
    return new TaskCall<>(engine(), Work.of(action, a, b, c));
  }

  /**
   * Prepares a task without a result: three arguments, given as references or {@link Arg#of wrapped
   * values}.
   */
  default <A, B, C> TaskCall<Void> run(
      TaskAction3<? super A, ? super B, ? super C> action,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c) {
    return new TaskCall<>(engine(), Work.of(action, a, b, c));
  }

  /** Prepares a task without a result: four arguments. */
  default <A, B, C, D> TaskCall<Void> run(
      TaskAction4<? super A, ? super B, ? super C, ? super D> action, A a, B b, C c, D d) {
    return new TaskCall<>(engine(), Work.of(action, a, b, c, d));
  }

  /**
   * Prepares a task without a result: four arguments, given as references or {@link Arg#of wrapped
   * values}.
   */
  default <A, B, C, D> TaskCall<Void> run(
      TaskAction4<? super A, ? super B, ? super C, ? super D> action,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c,
      Arg<? extends D> d) {
    return new TaskCall<>(engine(), Work.of(action, a, b, c, d));
  }

  /** Prepares a task without a result: five arguments. */
  default <A, B, C, D, E> TaskCall<Void> run(
      TaskAction5<? super A, ? super B, ? super C, ? super D, ? super E> action,
      A a,
      B b,
      C c,
      D d,
      E e) {
    return new TaskCall<>(engine(), Work.of(action, a, b, c, d, e));
  }

  /**
   * Prepares a task without a result: five arguments, given as references or {@link Arg#of wrapped
   * values}.
   */
  default <A, B, C, D, E> TaskCall<Void> run(
      TaskAction5<? super A, ? super B, ? super C, ? super D, ? super E> action,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c,
      Arg<? extends D> d,
      Arg<? extends E> e) {
    return new TaskCall<>(engine(), Work.of(action, a, b, c, d, e));
  }

  /** Prepares a task without a result: six arguments. */
  default <A, B, C, D, E, F> TaskCall<Void> run(
      TaskAction6<? super A, ? super B, ? super C, ? super D, ? super E, ? super F> action,
      A a,
      B b,
      C c,
      D d,
      E e,
      F f) {
    return new TaskCall<>(engine(), Work.of(action, a, b, c, d, e, f));
  }

  /**
   * Prepares a task without a result: six arguments, given as references or {@link Arg#of wrapped
   * values}.
   */
  default <A, B, C, D, E, F> TaskCall<Void> run(
      TaskAction6<? super A, ? super B, ? super C, ? super D, ? super E, ? super F> action,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c,
      Arg<? extends D> d,
      Arg<? extends E> e,
      Arg<? extends F> f) {
    return new TaskCall<>(engine(), Work.of(action, a, b, c, d, e, f));
  }

  /** Prepares a task that gives a stream of values: a function of no arguments. */
  default <R> StreamCall<R> stream(TaskFunction0<? extends Stream<? extends R>> function) {
    return new StreamCall<>(engine(), Work.of(function));
  }

  /** Prepares a task that gives a stream of values: a function of one argument. */
  default <A, R> StreamCall<R> stream(
      TaskFunction1<? super A, ? extends Stream<? extends R>> function, A a) {
    return new StreamCall<>(engine(), Work.of(function, a));
  }

  /**
   * Prepares a task that gives a stream of values: a function of one argument, given as a
   * reference.
   */
  default <A, R> StreamCall<R> stream(
      TaskFunction1<? super A, ? extends Stream<? extends R>> function, Arg<? extends A> a) {
    return new StreamCall<>(engine(), Work.of(function, a));
  }

  /** Prepares a task that gives a stream of values: a function of two arguments. */
  default <A, B, R> StreamCall<R> stream(
      TaskFunction2<? super A, ? super B, ? extends Stream<? extends R>> function, A a, B b) {
    return new StreamCall<>(engine(), Work.of(function, a, b));
  }

  /**
   * Prepares a task that gives a stream of values: a function of two arguments, the first as a
   * reference.
   */
  default <A, B, R> StreamCall<R> stream(
      TaskFunction2<? super A, ? super B, ? extends Stream<? extends R>> function,
      Arg<? extends A> a,
      B b) {
    return new StreamCall<>(engine(), Work.of(function, a, b));
  }

  /**
   * Prepares a task that gives a stream of values: a function of two arguments, the second as a
   * reference.
   */
  default <A, B, R> StreamCall<R> stream(
      TaskFunction2<? super A, ? super B, ? extends Stream<? extends R>> function,
      A a,
      Arg<? extends B> b) {
    return new StreamCall<>(engine(), Work.of(function, a, b));
  }

  /**
   * Prepares a task that gives a stream of values: a function of two arguments, given as references
   * or {@link Arg#of wrapped values}.
   */
  default <A, B, R> StreamCall<R> stream(
      TaskFunction2<? super A, ? super B, ? extends Stream<? extends R>> function,
      Arg<? extends A> a,
      Arg<? extends B> b) {
    return new StreamCall<>(engine(), Work.of(function, a, b));
  }

  /** Prepares a task that gives a stream of values: a function of three arguments. */
  default <A, B, C, R> StreamCall<R> stream(
      TaskFunction3<? super A, ? super B, ? super C, ? extends Stream<? extends R>> function,
      A a,
      B b,
      C c) {
    return new StreamCall<>(engine(), Work.of(function, a, b, c));
  }

  /**
   * Prepares a task that gives a stream of values: a function of three arguments, given as
   * references or {@link Arg#of wrapped values}.
   */
  default <A, B, C, R> StreamCall<R> stream(
      TaskFunction3<? super A, ? super B, ? super C, ? extends Stream<? extends R>> function,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c) {
    return new StreamCall<>(engine(), Work.of(function, a, b, c));
  }

  /** Prepares a task that gives a stream of values: a function of four arguments. */
  default <A, B, C, D, R> StreamCall<R> stream(
      TaskFunction4<? super A, ? super B, ? super C, ? super D, ? extends Stream<? extends R>>
          function,
      A a,
      B b,
      C c,
      D d) {
    return new StreamCall<>(engine(), Work.of(function, a, b, c, d));
  }

  /**
   * Prepares a task that gives a stream of values: a function of four arguments, given as
   * references or {@link Arg#of wrapped values}.
   */
  default <A, B, C, D, R> StreamCall<R> stream(
      TaskFunction4<? super A, ? super B, ? super C, ? super D, ? extends Stream<? extends R>>
          function,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c,
      Arg<? extends D> d) {
    return new StreamCall<>(engine(), Work.of(function, a, b, c, d));
  }

  /** Prepares a task that gives a stream of values: a function of five arguments. */
  default <A, B, C, D, E, R> StreamCall<R> stream(
      TaskFunction5<
              ? super A, ? super B, ? super C, ? super D, ? super E, ? extends Stream<? extends R>>
          function,
      A a,
      B b,
      C c,
      D d,
      E e) {
    return new StreamCall<>(engine(), Work.of(function, a, b, c, d, e));
  }

  /**
   * Prepares a task that gives a stream of values: a function of five arguments, given as
   * references or {@link Arg#of wrapped values}.
   */
  default <A, B, C, D, E, R> StreamCall<R> stream(
      TaskFunction5<
              ? super A, ? super B, ? super C, ? super D, ? super E, ? extends Stream<? extends R>>
          function,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c,
      Arg<? extends D> d,
      Arg<? extends E> e) {
    return new StreamCall<>(engine(), Work.of(function, a, b, c, d, e));
  }

  /** Prepares a task that gives a stream of values: a function of six arguments. */
  default <A, B, C, D, E, F, R> StreamCall<R> stream(
      TaskFunction6<
              ? super A,
              ? super B,
              ? super C,
              ? super D,
              ? super E,
              ? super F,
              ? extends Stream<? extends R>>
          function,
      A a,
      B b,
      C c,
      D d,
      E e,
      F f) {
    return new StreamCall<>(engine(), Work.of(function, a, b, c, d, e, f));
  }

  /**
   * Prepares a task that gives a stream of values: a function of six arguments, given as references
   * or {@link Arg#of wrapped values}.
   */
  default <A, B, C, D, E, F, R> StreamCall<R> stream(
      TaskFunction6<
              ? super A,
              ? super B,
              ? super C,
              ? super D,
              ? super E,
              ? super F,
              ? extends Stream<? extends R>>
          function,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c,
      Arg<? extends D> d,
      Arg<? extends E> e,
      Arg<? extends F> f) {
    return new StreamCall<>(engine(), Work.of(function, a, b, c, d, e, f));
  }

  /** Prepares an actor: a constructor or factory of no arguments. */
  default <R> ActorCall<R> actor(TaskFunction0<? extends R> function) {
    return new ActorCall<>(engine(), Work.of(function));
  }

  /** Prepares an actor: a constructor or factory of one argument. */
  default <A, R> ActorCall<R> actor(TaskFunction1<? super A, ? extends R> function, A a) {
    return new ActorCall<>(engine(), Work.of(function, a));
  }

  /** Prepares an actor: a constructor or factory of one argument, given as a reference. */
  default <A, R> ActorCall<R> actor(
      TaskFunction1<? super A, ? extends R> function, Arg<? extends A> a) {
    return new ActorCall<>(engine(), Work.of(function, a));
  }

  /** Prepares an actor: a constructor or factory of two arguments. */
  default <A, B, R> ActorCall<R> actor(
      TaskFunction2<? super A, ? super B, ? extends R> function, A a, B b) {
    return new ActorCall<>(engine(), Work.of(function, a, b));
  }

  /** Prepares an actor: a constructor or factory of two arguments, the first as a reference. */
  default <A, B, R> ActorCall<R> actor(
      TaskFunction2<? super A, ? super B, ? extends R> function, Arg<? extends A> a, B b) {
    return new ActorCall<>(engine(), Work.of(function, a, b));
  }

  /** Prepares an actor: a constructor or factory of two arguments, the second as a reference. */
  default <A, B, R> ActorCall<R> actor(
      TaskFunction2<? super A, ? super B, ? extends R> function, A a, Arg<? extends B> b) {
    return new ActorCall<>(engine(), Work.of(function, a, b));
  }

  /**
   * Prepares an actor: a constructor or factory of two arguments, given as references or {@link
   * Arg#of wrapped values}.
   */
  default <A, B, R> ActorCall<R> actor(
      TaskFunction2<? super A, ? super B, ? extends R> function,
      Arg<? extends A> a,
      Arg<? extends B> b) {
    return new ActorCall<>(engine(), Work.of(function, a, b));
  }

  /** Prepares an actor: a constructor or factory of three arguments. */
  default <A, B, C, R> ActorCall<R> actor(
      TaskFunction3<? super A, ? super B, ? super C, ? extends R> function, A a, B b, C c) {
    return new ActorCall<>(engine(), Work.of(function, a, b, c));
  }

  /**
   * Prepares an actor: a constructor or factory of three arguments, given as references or {@link
   * Arg#of wrapped values}.
   */
  default <A, B, C, R> ActorCall<R> actor(
      TaskFunction3<? super A, ? super B, ? super C, ? extends R> function,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c) {
    return new ActorCall<>(engine(), Work.of(function, a, b, c));
  }

  /** Prepares an actor: a constructor or factory of four arguments. */
  default <A, B, C, D, R> ActorCall<R> actor(
      TaskFunction4<? super A, ? super B, ? super C, ? super D, ? extends R> function,
      A a,
      B b,
      C c,
      D d) {
    return new ActorCall<>(engine(), Work.of(function, a, b, c, d));
  }

  /**
   * Prepares an actor: a constructor or factory of four arguments, given as references or {@link
   * Arg#of wrapped values}.
   */
  default <A, B, C, D, R> ActorCall<R> actor(
      TaskFunction4<? super A, ? super B, ? super C, ? super D, ? extends R> function,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c,
      Arg<? extends D> d) {
    return new ActorCall<>(engine(), Work.of(function, a, b, c, d));
  }

  /** Prepares an actor: a constructor or factory of five arguments. */
  default <A, B, C, D, E, R> ActorCall<R> actor(
      TaskFunction5<? super A, ? super B, ? super C, ? super D, ? super E, ? extends R> function,
      A a,
      B b,
      C c,
      D d,
      E e) {
    return new ActorCall<>(engine(), Work.of(function, a, b, c, d, e));
  }

  /**
   * Prepares an actor: a constructor or factory of five arguments, given as references or {@link
   * Arg#of wrapped values}.
   */
  default <A, B, C, D, E, R> ActorCall<R> actor(
      TaskFunction5<? super A, ? super B, ? super C, ? super D, ? super E, ? extends R> function,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c,
      Arg<? extends D> d,
      Arg<? extends E> e) {
    return new ActorCall<>(engine(), Work.of(function, a, b, c, d, e));
  }

  /** Prepares an actor: a constructor or factory of six arguments. */
  default <A, B, C, D, E, F, R> ActorCall<R> actor(
      TaskFunction6<? super A, ? super B, ? super C, ? super D, ? super E, ? super F, ? extends R>
          function,
      A a,
      B b,
      C c,
      D d,
      E e,
      F f) {
    return new ActorCall<>(engine(), Work.of(function, a, b, c, d, e, f));
  }

  /**
   * Prepares an actor: a constructor or factory of six arguments, given as references or {@link
   * Arg#of wrapped values}.
   */
  default <A, B, C, D, E, F, R> ActorCall<R> actor(
      TaskFunction6<? super A, ? super B, ? super C, ? super D, ? super E, ? super F, ? extends R>
          function,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c,
      Arg<? extends D> d,
      Arg<? extends E> e,
      Arg<? extends F> f) {
    return new ActorCall<>(engine(), Work.of(function, a, b, c, d, e, f));
  }

  /** Makes a remote function of no arguments that can be called often, with its own options. */
  default <R> RemoteFunction0<R> remote(TaskFunction0<? extends R> function) {
    return new RemoteFunction0<>(this::engine, Work.of(function));
  }

  /** Makes a remote function of one argument that can be called often, with its own options. */
  default <A, R> RemoteFunction1<A, R> remote(TaskFunction1<? super A, ? extends R> function) {
    return new RemoteFunction1<>(this::engine, Work.of(function));
  }

  /** Makes a remote function of two arguments that can be called often, with its own options. */
  default <A, B, R> RemoteFunction2<A, B, R> remote(
      TaskFunction2<? super A, ? super B, ? extends R> function) {
    return new RemoteFunction2<>(this::engine, Work.of(function));
  }

  /** Makes a remote function of three arguments that can be called often, with its own options. */
  default <A, B, C, R> RemoteFunction3<A, B, C, R> remote(
      TaskFunction3<? super A, ? super B, ? super C, ? extends R> function) {
    return new RemoteFunction3<>(this::engine, Work.of(function));
  }

  /** Makes a remote function of four arguments that can be called often, with its own options. */
  default <A, B, C, D, R> RemoteFunction4<A, B, C, D, R> remote(
      TaskFunction4<? super A, ? super B, ? super C, ? super D, ? extends R> function) {
    return new RemoteFunction4<>(this::engine, Work.of(function));
  }

  /** Makes a remote function of five arguments that can be called often, with its own options. */
  default <A, B, C, D, E, R> RemoteFunction5<A, B, C, D, E, R> remote(
      TaskFunction5<? super A, ? super B, ? super C, ? super D, ? super E, ? extends R> function) {
    return new RemoteFunction5<>(this::engine, Work.of(function));
  }

  /** Makes a remote function of six arguments that can be called often, with its own options. */
  default <A, B, C, D, E, F, R> RemoteFunction6<A, B, C, D, E, F, R> remote(
      TaskFunction6<? super A, ? super B, ? super C, ? super D, ? super E, ? super F, ? extends R>
          function) {
    return new RemoteFunction6<>(this::engine, Work.of(function));
  }
}
