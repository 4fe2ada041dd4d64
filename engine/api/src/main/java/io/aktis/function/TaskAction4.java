package io.aktis.function;

import org.jspecify.annotations.Nullable;

/**
 * Work of four arguments without a result that can run as a task or as an actor's method.
 *
 * @param <A> type of the first argument
 * @param <B> type of the second argument
 * @param <C> type of the third argument
 * @param <D> type of the fourth argument
 */
@FunctionalInterface
public interface TaskAction4<A, B, C, D> extends Invocable {
  /**
   * Does the work.
   *
   * @throws Exception whatever the code throws; it becomes the failure of the task
   */
  void apply(A a, B b, C c, D d) throws Exception;

  @Override
  @SuppressWarnings({"unchecked", "NullAway"}) // the caller passed values of these types
  default @Nullable Object invoke(@Nullable Object[] args) throws Exception {
    apply((A) args[0], (B) args[1], (C) args[2], (D) args[3]);
    return null;
  }

  @Override
  default int arity() {
    return 4;
  }
}
