package io.aktis.function;

import org.jspecify.annotations.Nullable;

/**
 * A function of one argument that can run as a task or as an actor's method.
 *
 * @param <A> type of the first argument
 * @param <R> type of the result
 */
@FunctionalInterface
public interface TaskFunction1<A, R> extends Invocable {
  /**
   * Computes the result.
   *
   * @return the result, which becomes the value of the reference
   * @throws Exception whatever the code throws; it becomes the failure of the task
   */
  R apply(A a) throws Exception;

  @Override
  @SuppressWarnings({"unchecked", "NullAway"}) // the caller passed values of these types
  default @Nullable Object invoke(@Nullable Object[] args) throws Exception {
    return apply((A) args[0]);
  }

  @Override
  default int arity() {
    return 1;
  }
}
