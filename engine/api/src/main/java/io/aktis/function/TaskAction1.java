package io.aktis.function;

import org.jspecify.annotations.Nullable;

/**
 * Work of one argument without a result that can run as a task or as an actor's method.
 *
 * @param <A> type of the first argument
 */
@FunctionalInterface
public interface TaskAction1<A> extends Invocable {
  /**
   * Does the work.
   *
   * @throws Exception whatever the code throws; it becomes the failure of the task
   */
  void apply(A a) throws Exception;

  @Override
  @SuppressWarnings({"unchecked", "NullAway"}) // the caller passed values of these types
  default @Nullable Object invoke(@Nullable Object[] args) throws Exception {
    apply((A) args[0]);
    return null;
  }

  @Override
  default int arity() {
    return 1;
  }
}
