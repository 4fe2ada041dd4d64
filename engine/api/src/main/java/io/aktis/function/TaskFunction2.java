package io.aktis.function;

import org.jspecify.annotations.Nullable;

/**
 * A function of two arguments that can run as a task or as an actor's method.
 *
 * @param <A> type of the first argument
 * @param <B> type of the second argument
 * @param <R> type of the result
 */
@FunctionalInterface
public interface TaskFunction2<A, B, R> extends Invocable {
  /**
   * Computes the result.
   *
   * @return the result, which becomes the value of the reference
   * @throws Exception whatever the code throws; it becomes the failure of the task
   */
  R apply(A a, B b) throws Exception;

  @Override
  @SuppressWarnings({"unchecked", "NullAway"}) // the caller passed values of these types
  default @Nullable Object invoke(@Nullable Object[] args) throws Exception {
    return apply((A) args[0], (B) args[1]);
  }

  @Override
  default int arity() {
    return 2;
  }
}
