package io.aktis.runtime.session;

import io.aktis.ActorOptions;
import io.aktis.Lifetime;
import io.aktis.core.owner.Actor;
import io.aktis.core.owner.OwnedObject;
import io.aktis.core.owner.Task;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One actor as the session knows it, for all its lives: what its handles share. Thread-safe. */
final class ActorEntry {
  private final Actor actor;
  private final String name;
  private final String namespace;
  private final ActorOptions options;
  private final Settings settings;
  private final @Nullable Semaphore pending;
  private final Call.Request plain;
  private final CountDownLatch death = Directory.newDeath();
  private final AtomicInteger handles = new AtomicInteger(1);
  private final @Nullable Long foreignOwner;
  private volatile @Nullable Cell ready;
  private volatile List<OwnedObject> kept = List.of();

  ActorEntry(Actor actor, String name, String namespace, ActorOptions options, Settings settings) {
    this(null, actor, name, namespace, options, settings);
  }

  private ActorEntry(
      @Nullable Long foreignOwner,
      Actor actor,
      String name,
      String namespace,
      ActorOptions options,
      Settings settings) {
    this.foreignOwner = foreignOwner;
    this.actor = actor;
    this.name = name;
    this.namespace = namespace;
    this.options = options;
    this.settings = settings;
    this.pending = options.maxPendingCalls() == 0 ? null : new Semaphore(options.maxPendingCalls());
    this.plain = request("", List.of(), List.of());
  }

  /** Makes the entry of an actor that another job owns. */
  static ActorEntry ofAnotherJob(
      long owner,
      Actor actor,
      String name,
      String namespace,
      ActorOptions options,
      Settings settings) {
    return new ActorEntry(owner, actor, name, namespace, options, settings);
  }

  Actor actor() {
    return actor;
  }

  /** Tells whether another job owns it, which runs its calls. */
  boolean isForeign() {
    return foreignOwner != null;
  }

  /** Returns the owner of an actor of another job. */
  long foreignOwner() {
    if (foreignOwner == null) {
      throw new IllegalStateException(actor + " belongs to this job");
    }
    return foreignOwner;
  }

  /** Returns the name that was given, empty if none was. */
  String name() {
    return name;
  }

  String namespace() {
    return namespace;
  }

  ActorOptions options() {
    return options;
  }

  Settings settings() {
    return settings;
  }

  /** Returns the request of a call with nothing unusual. */
  Call.Request plain() {
    return plain;
  }

  Call.Request request(String group, List<OwnedObject> borrowed, List<Handle<?>> handles) {
    return request(group, pending, borrowed, handles);
  }

  /** Returns the request of a call that a worker makes; room is taken if there is some. */
  Call.Request requestOfWorker(String group, List<OwnedObject> borrowed, List<Handle<?>> handles) {
    boolean hasRoom =
        pending != null
            && (options.maxPendingCalls() <= WorkerActors.MANY_PENDING_CALLS // taken by asking
                || pending.tryAcquire());
    return request(group, hasRoom ? pending : null, borrowed, handles);
  }

  private Call.Request request(
      String group, @Nullable Semaphore room, List<OwnedObject> borrowed, List<Handle<?>> handles) {
    return new Call.Request(
        1, null, null, List.of(), group, false, settings, room, borrowed, handles);
  }

  /** Returns the room for pending calls, {@code null} when there is no limit. */
  @Nullable Semaphore pending() {
    return pending;
  }

  /** Falls when the actor is dead and its name is free. */
  CountDownLatch death() {
    return death;
  }

  /** Counts one more handle; false when the last one is gone and the actor is about to end. */
  boolean acquire() {
    int held = handles.get();
    while (held > 0 || livesUnheld()) {
      if (handles.compareAndSet(held, held + 1)) {
        return true;
      }
      held = handles.get();
    }
    return false;
  }

  /** Counts one more handle, also on an actor that is about to end: calls of it fail then. */
  void acquireEvenIfGone() {
    handles.incrementAndGet();
  }

  /** Counts one handle less; returns whether it was the last of an actor that ends then. */
  boolean release() {
    return handles.decrementAndGet() == 0 && !livesUnheld();
  }

  /** For another job, a handle is a handle, however long the actor lives. */
  private boolean livesUnheld() {
    return options.lifetime() == Lifetime.DETACHED && foreignOwner == null;
  }

  /** Tells whether there are handles on it. */
  boolean isHeld() {
    return handles.get() > 0;
  }

  /** Sets the arguments of the constructor, which are kept for as long as it may run again. */
  void keeps(List<OwnedObject> arguments) {
    kept = arguments;
  }

  List<OwnedObject> kept() {
    return kept;
  }

  void ready(Cell cell) {
    ready = cell;
  }

  /** Returns the task that makes the actor, once it is submitted. */
  @Nullable Task creation() {
    Cell cell = ready;
    return cell == null ? null : cell.object().producer();
  }

  Cell ready() {
    Cell cell = ready;
    if (cell == null) {
      throw new IllegalStateException("the creation was not submitted");
    }
    return cell;
  }
}
