package io.aktis;

import io.aktis.function.TaskAction1;
import io.aktis.function.TaskAction2;
import io.aktis.function.TaskFunction0;
import io.aktis.function.TaskFunction1;
import io.aktis.function.TaskFunction2;
import io.aktis.function.TaskFunction3;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;

/**
 * A fixed number of equal actors that are called together.
 *
 * <pre>{@code
 * try (var workers = ActorGroup.of(4, Worker::new)) {
 *   Aktis.get(workers.callEach(Worker::load, shards));
 *   List<ObjectRef<Gradient>> gradients = workers.callAll(Worker::gradient, weights);
 * }
 * }</pre>
 *
 * <p>Calls return at once, with one reference an actor, in the order of the actors. Immutable and
 * thread-safe. The actors belong to the group: closing it releases them, and they end after the
 * calls they have.
 *
 * @param <A> class of the actors
 */
public final class ActorGroup<A> implements Iterable<ActorHandle<A>>, AutoCloseable {
  private final List<ActorHandle<A>> actors;

  private ActorGroup(List<ActorHandle<A>> actors) {
    this.actors = actors;
  }

  /**
   * Creates {@code size} actors in the current session, with a constructor of no arguments.
   *
   * @throws IllegalArgumentException when {@code size} is below 1
   */
  public static <A> ActorGroup<A> of(int size, TaskFunction0<? extends A> constructor) {
    return of(size, Aktis.<A>actor(Checks.notNull(constructor, "the constructor")));
  }

  /**
   * Creates {@code size} actors as {@code actor} describes them, with arguments and options: {@code
   * ActorGroup.of(4, Aktis.actor(Worker::new, config).cpus(1))}.
   *
   * @throws IllegalArgumentException when {@code size} is below 1, or the actor has a name, which
   *     only one can have
   */
  public static <A> ActorGroup<A> of(int size, ActorCall<A> actor) {
    return new ActorGroup<>(create(size, actor));
  }

  static <A> List<ActorHandle<A>> create(int size, ActorCall<A> actor) {
    Checks.atLeast(size, 1, "the number of actors");
    Checks.notNull(actor, "the actor");
    if (actor.options().name() != null) {
      throw new IllegalArgumentException(
          "the actor is named '" + actor.options().name() + "', but " + size + " are to be made");
    }
    List<ActorHandle<A>> actors = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      actors.add(actor.remote());
    }
    return List.copyOf(actors);
  }

  /** Calls a method of no arguments on every actor. */
  public <R> List<ObjectRef<R>> callAll(TaskFunction1<? super A, ? extends R> method) {
    return toAll(actor -> actor.call(method));
  }

  /** Calls a method of one argument on every actor. */
  public <B, R> List<ObjectRef<R>> callAll(
      TaskFunction2<? super A, ? super B, ? extends R> method, B b) {
    return toAll(actor -> actor.call(method, b));
  }

  /** Calls a method of one argument, given as a reference, on every actor. */
  public <B, R> List<ObjectRef<R>> callAll(
      TaskFunction2<? super A, ? super B, ? extends R> method, Arg<? extends B> b) {
    return toAll(actor -> actor.call(method, b));
  }

  /** Calls a method of two arguments on every actor. */
  public <B, C, R> List<ObjectRef<R>> callAll(
      TaskFunction3<? super A, ? super B, ? super C, ? extends R> method, B b, C c) {
    return toAll(actor -> actor.call(method, b, c));
  }

  /** Calls a method of two arguments, given as references or {@link Arg#of wrapped values}. */
  public <B, C, R> List<ObjectRef<R>> callAll(
      TaskFunction3<? super A, ? super B, ? super C, ? extends R> method,
      Arg<? extends B> b,
      Arg<? extends C> c) {
    return toAll(actor -> actor.call(method, b, c));
  }

  /** Calls a method without arguments and result on every actor. */
  public List<ObjectRef<Void>> runAll(TaskAction1<? super A> method) {
    return toAll(actor -> actor.run(method));
  }

  /** Calls a method of one argument, without a result, on every actor. */
  public <B> List<ObjectRef<Void>> runAll(TaskAction2<? super A, ? super B> method, B b) {
    return toAll(actor -> actor.run(method, b));
  }

  /** Calls a method of one argument, given as a reference, without a result, on every actor. */
  public <B> List<ObjectRef<Void>> runAll(
      TaskAction2<? super A, ? super B> method, Arg<? extends B> b) {
    return toAll(actor -> actor.run(method, b));
  }

  /**
   * Calls a method on every actor, each with an argument of its own.
   *
   * @throws IllegalArgumentException when there are not as many arguments as actors
   */
  public <B, R> List<ObjectRef<R>> callEach(
      TaskFunction2<? super A, ? super B, ? extends R> method, List<? extends B> arguments) {
    checkOneEach(arguments);
    List<ObjectRef<R>> results = new ArrayList<>(size());
    for (int i = 0; i < size(); i++) {
      B argument = arguments.get(i);
      results.add(get(i).call(method, argument));
    }
    return results;
  }

  /**
   * Calls a method without a result on every actor, each with an argument of its own.
   *
   * @throws IllegalArgumentException when there are not as many arguments as actors
   */
  public <B> List<ObjectRef<Void>> runEach(
      TaskAction2<? super A, ? super B> method, List<? extends B> arguments) {
    checkOneEach(arguments);
    List<ObjectRef<Void>> results = new ArrayList<>(size());
    for (int i = 0; i < size(); i++) {
      B argument = arguments.get(i);
      results.add(get(i).run(method, argument));
    }
    return results;
  }

  /** Returns the number of actors. */
  public int size() {
    return actors.size();
  }

  /**
   * Returns one actor, which still belongs to the group.
   *
   * @throws IndexOutOfBoundsException when {@code index} is not from 0 to below {@link #size}
   */
  public ActorHandle<A> get(int index) {
    return actors.get(index);
  }

  /** Returns the actors in order. */
  @Override
  public Iterator<ActorHandle<A>> iterator() {
    return actors.iterator();
  }

  /** Releases the actors, which end after the calls they have. Idempotent. */
  @Override
  public void close() {
    actors.forEach(ActorHandle::close);
  }

  private <R> List<ObjectRef<R>> toAll(Function<ActorHandle<A>, ObjectRef<R>> call) {
    return actors.stream().map(call).toList();
  }

  private void checkOneEach(List<?> arguments) {
    Checks.notNull(arguments, "the arguments");
    if (arguments.size() != size()) {
      throw new IllegalArgumentException(
          arguments.size() + " arguments for " + size() + " actors; one each is needed");
    }
  }
}
