package io.aktis;

import static java.util.Objects.requireNonNull;

import io.aktis.ActorPool.Member;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One call of an {@link ActorPool}: it waits, then is in flight at a member, then is settled.
 *
 * @param <A> class of the actors
 * @param <R> type of the result
 */
final class PoolCall<A, R> {
  private final Function<ActorHandle<A>, ObjectRef<R>> method;
  private final Consumer<PoolCall<A, R>> whenSettled;
  private @Nullable Member<A> member;
  private @Nullable ObjectRef<R> ref;
  private @Nullable Supplier<R> result;

  PoolCall(Function<ActorHandle<A>, ObjectRef<R>> method, Consumer<PoolCall<A, R>> whenSettled) {
    this.method = method;
    this.whenSettled = whenSettled;
  }

  /** Sends the call to a member; one that cannot be sent is settled at once, with that failure. */
  void send(Member<A> to) {
    try {
      ref = method.apply(to.actor());
      member = to;
      to.begin();
    } catch (CallerInterruptedException e) {
      throw e; // says nothing about the call, which still waits
    } catch (AktisException e) {
      settle(failure(e));
    }
  }

  boolean isSettled() {
    return result != null;
  }

  /** Returns the reference of the call in flight, of which the caller only waits for readiness. */
  @SuppressWarnings("unchecked")
  ObjectRef<Object> ref() {
    return (ObjectRef<Object>) requireNonNull(ref);
  }

  /** Takes the result of the call in flight if it is there; returns whether the call is settled. */
  boolean settleIfReady() {
    ObjectRef<R> sent = requireNonNull(ref);
    if (!isSettled() && sent.isReady()) {
      settle(take(sent));
      sent.close();
    }
    return isSettled();
  }

  private Supplier<R> take(ObjectRef<R> ready) {
    Member<A> actor = requireNonNull(member);
    try {
      R value = ready.get();
      actor.end(false);
      return () -> value;
    } catch (CallerInterruptedException e) {
      throw e; // says nothing about the call, which stays in flight
    } catch (AktisException e) {
      actor.end(e instanceof ActorDiedException);
      return failure(e);
    }
  }

  private void settle(Supplier<R> outcome) {
    result = outcome;
    whenSettled.accept(this);
  }

  private static <R> Supplier<R> failure(AktisException e) {
    return () -> {
      throw e;
    };
  }

  /** Returns the value of the settled call, or throws its failure. */
  R result() {
    return requireNonNull(result).get();
  }
}
