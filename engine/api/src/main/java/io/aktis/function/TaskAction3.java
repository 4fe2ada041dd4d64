package io.aktis.function;

import org.jspecify.annotations.Nullable;

/**
 * Work of three arguments without a result that can run as a task or as an actor's method.
 *
 * @param <A> type of the first argument
 * @param <B> type of the second argument
 * @param <C> type of the third argument
 */
@FunctionalInterface
public interface TaskAction3<A, B, C> extends Invocable {
  /**
   * Does the work.
   *
   * @throws Exception whatever the code throws; it becomes the failure of the task
   */
  void apply(A a, B b, C c) throws Exception;

  @Override
  @SuppressWarnings({"unchecked", "NullAway"}) // the caller passed values of these types
  default @Nullable Object invoke(@Nullable Object[] args) throws Exception {
    apply((A) args[0], (B) args[1], (C) args[2]);
    return null;
  }

  @Override
  default int arity() {
    return 3;
  }
}
