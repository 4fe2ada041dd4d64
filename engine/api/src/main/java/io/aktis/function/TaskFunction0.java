package io.aktis.function;

import org.jspecify.annotations.Nullable;

/**
 * A function of no arguments that can run as a task or as an actor's method.
 *
 * @param <R> type of the result
 */
@FunctionalInterface
public interface TaskFunction0<R> extends Invocable {
  /**
   * Computes the result.
   *
   * @return the result, which becomes the value of the reference
   * @throws Exception whatever the code throws; it becomes the failure of the task
   */
  R apply() throws Exception;

  @Override
  default @Nullable Object invoke(@Nullable Object[] args) throws Exception {
    return apply();
  }

  @Override
  default int arity() {
    return 0;
  }
}
