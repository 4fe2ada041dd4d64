package io.aktis.function;

import org.jspecify.annotations.Nullable;

/** Work of no arguments without a result that can run as a task or as an actor's method. */
@FunctionalInterface
public interface TaskAction0 extends Invocable {
  /**
   * Does the work.
   *
   * @throws Exception whatever the code throws; it becomes the failure of the task
   */
  void apply() throws Exception;

  @Override
  default @Nullable Object invoke(@Nullable Object[] args) throws Exception {
    apply();
    return null;
  }

  @Override
  default int arity() {
    return 0;
  }
}
