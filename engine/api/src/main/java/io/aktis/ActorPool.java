package io.aktis;

import static java.util.Comparator.comparingInt;

import io.aktis.function.TaskFunction0;
import io.aktis.function.TaskFunction2;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Actors of one class that share work: each item goes to one that is free.
 *
 * <pre>{@code
 * try (var pool = ActorPool.of(4, Tokenizer::new)) {
 *   pool.map(Tokenizer::tokenize, docs).forEach(out::add);
 * }
 * }</pre>
 *
 * <p>An actor has one call running and one waiting, so that it does not idle between two; the other
 * items wait in the pool, and methods that take or wait for a result move them on. An actor that
 * died leaves the pool, and the at most two calls it had fail.
 *
 * <p>Confined to one thread at a time, like an iterator: it works on the caller's thread and starts
 * none. The actors belong to the pool: closing it releases them, and they end after the calls they
 * have.
 *
 * @param <A> class of the actors
 */
public final class ActorPool<A> implements AutoCloseable {
  private static final int CALLS_PER_ACTOR = 2;
  private static final int RESULTS_AHEAD_PER_ACTOR = 16;

  private final AktisSession session;
  private final List<Member<A>> members = new ArrayList<>();
  private final Deque<PoolCall<A, ?>> waiting = new ArrayDeque<>();
  private final List<PoolCall<A, ?>> inFlight = new ArrayList<>();
  private boolean closed;

  private ActorPool(AktisSession session) {
    this.session = session;
  }

  /**
   * Creates {@code size} actors in the current session, with a constructor of no arguments.
   *
   * @throws IllegalArgumentException when {@code size} is below 1
   */
  public static <A> ActorPool<A> of(int size, TaskFunction0<? extends A> constructor) {
    AktisSession session = Aktis.session();
    return of(session, size, session.<A>actor(Checks.notNull(constructor, "the constructor")));
  }

  /**
   * Creates {@code size} actors in the current session as {@code actor} describes them, with
   * arguments and options: {@code ActorPool.of(4, Aktis.actor(Model::new, weights).cpus(1))}.
   *
   * @throws IllegalArgumentException when {@code size} is below 1, or the actor has a name
   */
  public static <A> ActorPool<A> of(int size, ActorCall<A> actor) {
    return of(Aktis.session(), size, actor);
  }

  /**
   * Creates {@code size} actors as {@code actor}, which {@code session} made, describes them.
   *
   * @throws IllegalArgumentException when {@code size} is below 1, or the actor has a name
   */
  public static <A> ActorPool<A> of(AktisSession session, int size, ActorCall<A> actor) {
    ActorPool<A> pool = new ActorPool<>(Checks.notNull(session, "the session"));
    ActorGroup.create(size, actor).forEach(pool::push);
    return pool;
  }

  /**
   * Calls {@code method} once for each item and gives the results in the order of the items. The
   * stream is lazy: each step waits for the next result, while the pool works on later items, up to
   * 16 an actor ahead. A step whose call failed throws that failure.
   */
  public <T, R> Stream<R> map(
      TaskFunction2<? super A, ? super T, ? extends R> method, Iterable<? extends T> items) {
    PoolCalls<A, T, R> calls = calls(method);
    return stream(calls, items, calls::next, Spliterator.ORDERED);
  }

  /** Does the same as {@link #map}, but gives the results in the order they come. */
  public <T, R> Stream<R> mapUnordered(
      TaskFunction2<? super A, ? super T, ? extends R> method, Iterable<? extends T> items) {
    PoolCalls<A, T, R> calls = calls(method);
    return stream(calls, items, calls::nextUnordered, 0);
  }

  /** Prepares calls of {@code method} whose items are submitted, and results taken, one by one. */
  public <T, R> PoolCalls<A, T, R> calls(TaskFunction2<? super A, ? super T, ? extends R> method) {
    checkOpen();
    return new PoolCalls<>(this, Checks.notNull(method, "the method"));
  }

  private <T, R> Stream<R> stream(
      PoolCalls<A, T, R> calls, Iterable<? extends T> items, Supplier<R> next, int kind) {
    Iterator<? extends T> source = Checks.notNull(items, "the items").iterator();
    int ahead = RESULTS_AHEAD_PER_ACTOR * members.size();
    Iterator<R> results =
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            while (calls.size() < ahead && source.hasNext()) {
              calls.submit(source.next());
            }
            return calls.hasNext();
          }

          @Override
          public R next() {
            return next.get();
          }
        };
    return StreamSupport.stream(Spliterators.spliteratorUnknownSize(results, kind), false);
  }

  /** Returns the number of actors. */
  public int size() {
    settle();
    return members.size();
  }

  /** Returns the number of actors that have nothing to do. */
  public int idle() {
    settle();
    return (int) members.stream().filter(Member::isIdle).count();
  }

  /** Adds an actor, which belongs to the pool from now on. */
  public void push(ActorHandle<A> actor) {
    checkOpen();
    members.add(new Member<>(Checks.notNull(actor, "the actor")));
    settle();
  }

  /** Takes out an actor that has nothing to do, which belongs to the caller from now on. */
  public Optional<ActorHandle<A>> pop() {
    settle();
    Optional<Member<A>> idle = members.stream().filter(Member::isIdle).findFirst();
    idle.ifPresent(members::remove);
    return idle.map(Member::actor);
  }

  /**
   * Releases the actors, which end after the calls they have; drops items that wait. Idempotent.
   */
  @Override
  public void close() {
    closed = true;
    waiting.clear();
    members.forEach(member -> member.actor().close());
    members.clear();
  }

  void submit(PoolCall<A, ?> call) {
    checkOpen();
    waiting.add(call);
    settle();
  }

  /**
   * Waits until one of the calls in flight is done.
   *
   * @param timeout how long, {@code null} for as long as it takes; not above zero only looks
   * @return whether one was done in time
   */
  boolean advance(@Nullable Duration timeout) {
    checkOpen();
    List<ObjectRef<Object>> refs = inFlight.stream().map(PoolCall::ref).toList();
    if (refs.isEmpty()) {
      throw new IllegalStateException(
          "no actor is left in the pool; items that wait: " + waiting.size());
    }
    WaitResult<Object> found;
    if (timeout == null) {
      found = session.wait(refs);
    } else {
      found = session.wait(refs, 1, timeout.isNegative() ? Duration.ZERO : timeout);
    }
    settle();
    return !found.ready().isEmpty();
  }

  /** Takes the results that are there, and gives actors that came free something to do. */
  private void settle() {
    inFlight.removeIf(PoolCall::settleIfReady);
    members.removeIf(Member::isDead);
    while (!waiting.isEmpty() && !members.isEmpty()) {
      Member<A> freest = Collections.min(members, comparingInt(Member::calls));
      if (freest.calls() == CALLS_PER_ACTOR) {
        return;
      }
      PoolCall<A, ?> call = waiting.getFirst();
      call.send(freest);
      waiting.removeFirst();
      if (!call.isSettled()) {
        inFlight.add(call);
      }
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the pool is closed");
    }
  }

  /** An actor of the pool, how many calls it has, and whether it was found dead. */
  static final class Member<A> {
    private final ActorHandle<A> actor;
    private int calls;
    private boolean dead;

    Member(ActorHandle<A> actor) {
      this.actor = actor;
    }

    ActorHandle<A> actor() {
      return actor;
    }

    int calls() {
      return calls;
    }

    boolean isIdle() {
      return calls == 0;
    }

    boolean isDead() {
      return dead;
    }

    void begin() {
      calls++;
    }

    void end(boolean died) {
      calls--;
      dead |= died;
    }
  }
}
