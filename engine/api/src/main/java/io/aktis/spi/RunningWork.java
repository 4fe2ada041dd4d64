package io.aktis.spi;

import io.aktis.AktisContext;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The place where an engine says which work a thread runs. */
public final class RunningWork {
  /**
   * Bound while the engine runs user code on a thread: once for all the work that the thread runs
   * in a row, since binding costs as much as a small task.
   */
  public static final ScopedValue<Scope> SCOPE = ScopedValue.newInstance();

  private RunningWork() {}

  /** Returns the context of the work that this thread runs, empty if it runs none. */
  public static Optional<AktisContext> context() {
    return SCOPE.isBound() ? Optional.ofNullable(SCOPE.get().context()) : Optional.empty();
  }

  /** What one thread of an engine runs at the moment. Confined to that thread. */
  @FunctionalInterface
  public interface Scope {
    /** Returns the context of the running work, {@code null} between two pieces of it. */
    @Nullable AktisContext context();
  }
}
