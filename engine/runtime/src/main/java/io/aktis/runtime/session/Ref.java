package io.aktis.runtime.session;

import io.aktis.CancelOptions;
import io.aktis.CancelResult;
import io.aktis.ObjectRef;
import io.aktis.SessionClosedException;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.core.owner.Task;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A reference to an object of an embedded session. Thread-safe.
 *
 * @param <T> type of the value
 */
final class Ref<T> implements ObjectRef<T> {
  private static final VarHandle CLOSED;

  static {
    try {
      CLOSED = MethodHandles.lookup().findVarHandle(Ref.class, "closed", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Kernel kernel;
  private final Cell cell;
  private volatile boolean closed;

  Ref(Kernel kernel, Cell cell) {
    this.kernel = kernel;
    this.cell = cell;
  }

  Cell cell() {
    return cell;
  }

  /** Returns the cell, when this reference is open and belongs to {@code user}. */
  @SuppressWarnings("ReferenceEquality") // the same kernel, not an equal one
  Cell checked(Kernel user) {
    if (user != kernel) {
      throw new SessionClosedException(
          "Reference "
              + id()
              + " belongs to session "
              + kernel.sessionId()
              + ", it cannot be used in session "
              + user.sessionId()
              + ".");
    }
    if (kernel.session().isClosed()) {
      throw new SessionClosedException(
          "Reference "
              + id()
              + " cannot be used: its session "
              + kernel.sessionId()
              + " is closed.");
    }
    if (closed) {
      throw new IllegalStateException("Reference " + id() + " was closed.");
    }
    return cell;
  }

  private Waits waits() {
    return kernel.session().waits();
  }

  @Override
  @SuppressWarnings({"unchecked", "NullAway"}) // the value may be null; T says what users see
  public T get() {
    return (T) waits().value(checked(kernel), Long.MAX_VALUE);
  }

  @Override
  @SuppressWarnings({"unchecked", "NullAway"}) // the value may be null; T says what users see
  public T get(Duration timeout) {
    return (T) waits().value(checked(kernel), Waits.deadline(timeout));
  }

  @Override
  public MemorySegment view() {
    return waits().view(checked(kernel));
  }

  @Override
  public boolean isReady() {
    return checked(kernel).outcome() != null;
  }

  @Override
  @SuppressWarnings("unchecked")
  public CompletableFuture<T> future() {
    return (CompletableFuture<T>) waits().future(checked(kernel));
  }

  @Override
  public CancelResult cancel() {
    return cancel(CancelOptions.DEFAULTS);
  }

  @Override
  public CancelResult cancel(CancelOptions options) {
    Objects.requireNonNull(options, "the options must not be null");
    return kernel.cancel(checked(kernel), options);
  }

  @Override
  public String id() {
    return cell.object().id().toString();
  }

  @Override
  public String why() {
    Cell own = checked(kernel);
    Task producer = own.object().producer();
    if (own.outcome() != null) {
      return "it is there";
    }
    return producer == null ? kernel.whyPut(own.object().id()) : kernel.why(producer);
  }

  @Override
  public int attempts() {
    Task producer = checked(kernel).object().producer();
    return producer == null ? 0 : kernel.attempts(producer);
  }

  @Override
  public void close() {
    if (!closed && CLOSED.compareAndSet(this, false, true) && !kernel.session().isClosed()) {
      kernel.post(new OwnerEvent.Released(List.of(cell.object())));
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Ref<?> ref && ref.cell.object() == cell.object();
  }

  @Override
  public int hashCode() {
    return cell.object().id().hashCode();
  }

  @Override
  public String toString() {
    return "ObjectRef[" + id() + (cell.outcome() == null ? ", pending]" : ", ready]");
  }
}
