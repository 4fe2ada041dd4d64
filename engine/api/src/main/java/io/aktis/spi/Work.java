package io.aktis.spi;

import io.aktis.CallOptions;
import io.aktis.function.Invocable;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Code, its arguments and its options: what a call is before it is submitted. Immutable, but for
 * the arguments, which belong to the caller until they are encoded.
 *
 * @param function the code
 * @param args the arguments in order: values, {@link io.aktis.ObjectRef}s or {@link io.aktis.Arg}s
 * @param options the options
 */
@SuppressWarnings("ArrayRecordComponent") // handed over once, never compared
public record Work(Invocable function, @Nullable Object[] args, CallOptions options) {
  /** Makes the work of {@code function} on {@code args} with default options. */
  public static Work of(Invocable function, @Nullable Object... args) {
    Objects.requireNonNull(function, "the function must not be null");
    return new Work(function, args, CallOptions.DEFAULTS);
  }

  /** Returns the same work with other options. */
  public Work withOptions(CallOptions changed) {
    Objects.requireNonNull(changed, "the options must not be null");
    return new Work(function, args, changed);
  }

  /** Returns the same work on other arguments. */
  public Work withArgs(@Nullable Object... changed) {
    return new Work(function, changed, options);
  }

  @Override
  public String toString() {
    return "Work[" + options.name() + ", " + Arrays.toString(args) + "]";
  }
}
