package io.aktis.runtime.session;

import io.aktis.ActorHandle;
import io.aktis.ActorMethods;
import io.aktis.ObjectRef;
import io.aktis.SessionClosedException;
import io.aktis.core.owner.Actor;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.spi.Work;
import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A handle on an actor of an embedded session. Thread-safe.
 *
 * @param <T> class of the actor
 */
final class Handle<T> implements ActorHandle<T> {
  private final Kernel kernel;
  private final ActorEntry entry;
  private final Hold hold;
  private final Cleaner.Cleanable cleanable;

  /** Makes the handle of a place that was counted in {@link ActorEntry#acquire}. */
  Handle(Kernel kernel, ActorEntry entry) {
    this.kernel = kernel;
    this.entry = entry;
    this.hold = new Hold(kernel, entry);
    this.cleanable = Shell.cleaner().register(this, hold);
  }

  Actor actor() {
    return entry.actor();
  }

  ActorEntry entry() {
    return entry;
  }

  /** Returns another handle on the same actor, which counts on its own. */
  Handle<T> share() {
    check(kernel);
    if (!entry.acquire()) {
      throw new IllegalStateException(
          "This handle on actor " + entry.actor().name() + " was closed.");
    }
    return new Handle<>(kernel, entry);
  }

  @SuppressWarnings("ReferenceEquality") // the same kernel, not an equal one
  void check(Kernel user) {
    if (user != kernel || kernel.session().isClosed()) {
      throw new SessionClosedException(
          "The handle on actor "
              + entry.actor().name()
              + " belongs to session "
              + kernel.sessionId()
              + (user == kernel ? ", which is closed." : ", it cannot be used in another one."));
    }
    if (hold.closed.get()) {
      throw new IllegalStateException(
          "This handle on actor " + entry.actor().name() + " was closed.");
    }
  }

  @Override
  public <R> ObjectRef<R> submit(Work call) {
    check(kernel);
    return kernel.session().engine().call(entry, call, "", null);
  }

  @Override
  public ActorMethods<T> in(String group) {
    Objects.requireNonNull(group, "the group must not be null");
    if (!entry.options().groups().limits().containsKey(group)) {
      throw new IllegalArgumentException(
          "actor "
              + entry.actor().name()
              + " has no concurrency group '"
              + group
              + "', it has "
              + entry.options().groups().limits().keySet());
    }
    return new Methods<>(this, group, null);
  }

  @Override
  public ActorMethods<T> timeout(Duration limit) {
    Objects.requireNonNull(limit, "the limit must not be null");
    if (limit.isNegative() || limit.isZero()) {
      throw new IllegalArgumentException("the limit must be above zero, not " + limit);
    }
    return new Methods<>(this, "", limit);
  }

  @Override
  public ObjectRef<Void> ready() {
    check(kernel);
    Cell cell = entry.ready();
    kernel.post(new OwnerEvent.Retained(List.of(cell.object())));
    return new Ref<>(kernel, cell);
  }

  @Override
  public void kill() {
    if (hold.closed.get() || kernel.session().isClosed()) {
      return;
    }
    kernel.actors().kill(entry);
  }

  @Override
  public void killAndRestart() {
    check(kernel);
    kernel.actors().lose(entry);
  }

  @Override
  public String id() {
    return entry.actor().id().toString();
  }

  @Override
  public String name() {
    return entry.name();
  }

  @Override
  public void close() {
    cleanable.clean();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Handle<?> handle && handle.entry == entry;
  }

  @Override
  public int hashCode() {
    return entry.actor().id().hashCode();
  }

  @Override
  public String toString() {
    return "ActorHandle[" + entry.actor().name() + ", " + id() + "]";
  }

  /** What one handle holds; let go when it is closed or the collector finds it. */
  private static final class Hold implements Runnable {
    private final Kernel kernel;
    private final ActorEntry entry;
    private final AtomicBoolean closed = new AtomicBoolean();

    Hold(Kernel kernel, ActorEntry entry) {
      this.kernel = kernel;
      this.entry = entry;
    }

    @Override
    public void run() {
      if (closed.compareAndSet(false, true) && entry.release() && !kernel.session().isClosed()) {
        kernel.actors().released(entry);
      }
    }
  }

  /** A view of the handle with options for its calls. */
  private record Methods<T>(Handle<T> handle, String group, @Nullable Duration limit)
      implements ActorMethods<T> {
    @Override
    public <R> ObjectRef<R> submit(Work call) {
      handle.check(handle.kernel);
      return handle.kernel.session().engine().call(handle.entry, call, group, limit);
    }
  }
}
