package io.aktis.function;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Code that can run elsewhere: the common form of {@code TaskFunction0} to {@code TaskFunction7}
 * and {@code TaskAction0} to {@code TaskAction7}, which lambdas and method references are written
 * as.
 *
 * <p>It is serializable, so a lambda may capture only values that can be sent; what cannot be sent
 * is refused when the task is submitted, with the path of the field that is the cause.
 */
public interface Invocable extends Serializable {
  /**
   * Calls the code with its arguments in order.
   *
   * @param args as many arguments as {@link #arity()}
   * @return the result, {@code null} for code without one
   * @throws Exception whatever the code throws
   */
  @Nullable Object invoke(@Nullable Object[] args) throws Exception;

  /** Returns the number of arguments. */
  int arity();
}
