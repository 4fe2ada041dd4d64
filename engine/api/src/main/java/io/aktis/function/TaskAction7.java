package io.aktis.function;

import org.jspecify.annotations.Nullable;

/**
 * Work of seven arguments without a result that can run as a task or as an actor's method.
 *
 * @param <A> type of the first argument
 * @param <B> type of the second argument
 * @param <C> type of the third argument
 * @param <D> type of the fourth argument
 * @param <E> type of the fifth argument
 * @param <F> type of the sixth argument
 * @param <G> type of the seventh argument
 */
@FunctionalInterface
public interface TaskAction7<A, B, C, D, E, F, G> extends Invocable {
  /**
   * Does the work.
   *
   * @throws Exception whatever the code throws; it becomes the failure of the task
   */
  void apply(A a, B b, C c, D d, E e, F f, G g) throws Exception;

  @Override
  @SuppressWarnings({"unchecked", "NullAway"}) // the caller passed values of these types
  default @Nullable Object invoke(@Nullable Object[] args) throws Exception {
    apply(
        (A) args[0], (B) args[1], (C) args[2], (D) args[3], (E) args[4], (F) args[5], (G) args[6]);
    return null;
  }

  @Override
  default int arity() {
    return 7;
  }
}
