package io.aktis.spi;

import io.aktis.AktisContext;
import java.util.Optional;

/** The place where an engine says which work a thread runs. */
public final class RunningWork {
  /** Bound to the context while the engine runs user code on a thread. */
  public static final ScopedValue<AktisContext> CONTEXT = ScopedValue.newInstance();

  private RunningWork() {}

  /** Returns the context of the work that this thread runs, empty if it runs none. */
  public static Optional<AktisContext> context() {
    return CONTEXT.isBound() ? Optional.of(CONTEXT.get()) : Optional.empty();
  }
}
