package io.aktis.coordination;

import io.aktis.ActorCall;
import io.aktis.ActorHandle;
import io.aktis.CallerInterruptedException;
import io.aktis.ConcurrencyGroups;
import io.aktis.ObjectRef;
import io.aktis.PendingCallsPolicy;
import io.aktis.TaskCancelledException;
import java.time.Duration;
import java.util.Objects;

/** What the tools of this package share: how their actors are made, called and waited for. */
final class Calls {
  /** Calls that can wait inside an actor at a time; later ones wait in front of it. */
  static final int MAX_WAITING = 10_000;

  /** A timeout that is never over. */
  static final long FOREVER_NS = Long.MAX_VALUE;

  private Calls() {}

  /**
   * Creates an actor whose waiting calls, in groups of their own, never hold back the calls that
   * end the waiting. It takes no CPU and puts no bound on pending calls: each caller waits for its
   * answer, so there are never more calls than callers.
   */
  static <A> ActorHandle<A> create(ActorCall<A> actor, ConcurrencyGroups groups) {
    return actor.cpus(0).groups(groups).maxPendingCalls(0, PendingCallsPolicy.BLOCK).remote();
  }

  /**
   * Waits for an answer. A caller that is interrupted meanwhile takes its call back and waits for
   * its end, so that the call changes nothing later; if it was done by then, that counts.
   */
  static <R> R answer(ObjectRef<R> answer) {
    try {
      return answer.get();
    } catch (CallerInterruptedException e) {
      answer.cancel();
      return endOf(answer, e);
    } finally {
      answer.close();
    }
  }

  private static <R> R endOf(ObjectRef<R> cancelled, CallerInterruptedException interrupted) {
    boolean wasInterrupted = Thread.interrupted(); // else the wait would not even begin
    try {
      return cancelled.get();
    } catch (TaskCancelledException e) {
      throw interrupted;
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  static long nanos(Duration timeout) {
    Objects.requireNonNull(timeout, "the timeout must not be null");
    if (timeout.isNegative()) {
      throw new IllegalArgumentException(
          "the timeout must be a duration of zero or more, not " + timeout);
    }
    try {
      return timeout.toNanos();
    } catch (ArithmeticException e) {
      return FOREVER_NS; // beyond 292 years
    }
  }

  static int atLeastOne(int value, String what) {
    if (value < 1) {
      throw new IllegalArgumentException(what + " must be at least 1, not " + value);
    }
    return value;
  }
}
