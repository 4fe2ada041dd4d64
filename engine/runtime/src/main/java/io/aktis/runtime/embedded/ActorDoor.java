package io.aktis.runtime.embedded;

import io.aktis.ActorHandle;
import io.aktis.ActorOptions;
import io.aktis.CallOptions;
import io.aktis.Lifetime;
import io.aktis.ObjectRef;
import io.aktis.PendingCallsLimitException;
import io.aktis.PendingCallsPolicy;
import io.aktis.SessionClosedException;
import io.aktis.core.id.ActorId;
import io.aktis.core.id.TaskId;
import io.aktis.core.owner.Actor;
import io.aktis.core.owner.FailureKind;
import io.aktis.core.owner.Lease;
import io.aktis.core.owner.Outcome;
import io.aktis.core.owner.OwnedObject;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.core.owner.Task;
import io.aktis.core.owner.TaskKind;
import io.aktis.function.TaskAction1;
import io.aktis.spi.Work;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What callers do with actors: create, call, find and end them. Thread-safe. */
final class ActorDoor {
  private final Kernel kernel;
  private final EmbeddedEngine engine;
  private final SettingsTable settings;
  private final AtomicLong actorNumber = new AtomicLong();

  ActorDoor(Kernel kernel, EmbeddedEngine engine, SettingsTable settings) {
    this.kernel = kernel;
    this.engine = engine;
    this.settings = settings;
  }

  <A> ActorHandle<A> create(Work work, ActorOptions options, boolean getOrCreate) {
    kernel.session().checkOpen();
    Run parent = kernel.session().waits().currentRun();
    CallOptions shared = EmbeddedEngine.inherited(work.options(), parent);
    String name = shared.name() == null ? "" : shared.name();
    checkName(options, name, getOrCreate);
    String namespace =
        options.namespace() == null ? kernel.session().namespace() : options.namespace();
    if (getOrCreate) {
      ActorEntry there = living(namespace, name);
      if (there != null) {
        return RunScope.borrowed(new Handle<>(kernel, there));
      }
    }
    Encoder encoder = engine.encode(work, parent);
    Settings chosen = settings.creation(shared);
    ActorEntry entry = entry(work, options, name, namespace, chosen);
    ActorEntry taken = kernel.directory().enter(entry);
    if (taken != null) {
      encoder.abandon();
      return nameTaken(taken, work, options, getOrCreate);
    }
    kernel.directory().ownedBy(parent, entry);
    Handle<A> handle = RunScope.borrowed(new Handle<>(kernel, entry));
    Task creation = creation(entry, chosen, encoder, parent);
    Cell[] cells = EmbeddedEngine.results(creation, 1);
    entry.ready(cells[0]);
    creation.arguments(encoder.objects());
    entry.keeps(List.of(encoder.objects()));
    kernel.post(new OwnerEvent.Retained(entry.kept()));
    engine.send(creation, parent, shared.timeout());
    encoder.releaseStored();
    return handle;
  }

  private static void checkName(ActorOptions options, String name, boolean getOrCreate) {
    if (name.isEmpty() && getOrCreate) {
      throw new IllegalArgumentException("getOrCreate() needs a name: add named(\"...\")");
    }
    if (name.isEmpty() && options.lifetime() == Lifetime.DETACHED) {
      throw new IllegalArgumentException(
          "a detached actor needs a name, or nobody could find it again: add named(\"...\")");
    }
    if (name.isEmpty() && options.namespace() != null) {
      throw new IllegalArgumentException("a namespace needs a name: add named(\"...\")");
    }
  }

  /**
   * Returns the actor of that name with a handle counted; waits while one of it is about to end.
   */
  private @Nullable ActorEntry living(String namespace, String name) {
    ActorEntry there = kernel.directory().find(namespace, name);
    while (there != null && !there.acquire()) {
      awaitDeath(there);
      there = kernel.directory().find(namespace, name);
    }
    return there;
  }

  private void awaitDeath(ActorEntry entry) {
    Waits waits = kernel.session().waits();
    waits.lending(waits.currentRun(), List::of, () -> entry.death().await());
  }

  /** Somebody else has entered the name meanwhile. */
  private <A> ActorHandle<A> nameTaken(
      ActorEntry taken, Work work, ActorOptions options, boolean getOrCreate) {
    if (getOrCreate) {
      return create(work, options, true);
    }
    throw new IllegalArgumentException(
        "there is an actor named '"
            + taken.name()
            + "' in namespace '"
            + taken.namespace()
            + "' already; use getActor, getOrCreate(), or another name");
  }

  private ActorEntry entry(
      Work work, ActorOptions options, String name, String namespace, Settings chosen) {
    String shown = name.isEmpty() ? CodeNames.of(work.function()) : name;
    ActorId id = new ActorId(kernel.ownerNumber(), actorNumber.incrementAndGet());
    boolean ordered = options.maxConcurrency() == 1 && options.groups().limits().isEmpty();
    Actor actor = new Actor(id, shown, ordered, options.maxRestarts());
    return new ActorEntry(actor, name, namespace, options, chosen);
  }

  private Task creation(ActorEntry entry, Settings chosen, Encoder encoder, @Nullable Run parent) {
    Call.Request request =
        new Call.Request(
            1,
            null,
            null,
            List.of(),
            "",
            false,
            chosen,
            null,
            encoder.borrowed(),
            encoder.handles());
    return new Task.Builder(
            kernel.nextId(),
            TaskKind.CREATION,
            "new " + entry.actor().name(),
            parent == null ? null : parent.task())
        .shape(chosen.shape())
        .actor(entry.actor())
        .payload(new Call(encoder.function(), encoder.args(), request))
        .build(Integer.MAX_VALUE);
  }

  /** Makes the next life of a lost actor. On the loop. */
  void remake(Actor actor, Task old) {
    Task creation =
        new Task.Builder(kernel.nextId(), TaskKind.CREATION, old.name(), null)
            .shape(Objects.requireNonNull(old.shape()))
            .actor(actor)
            .payload(Objects.requireNonNull(old.payload()))
            .build(Integer.MAX_VALUE);
    creation.arguments(old.arguments());
    kernel.follow(new OwnerEvent.Submitted(creation, 0, 0));
  }

  /** Makes what will hold the instance that a creation is about to make. On the loop. */
  ActorHost newHost(Task creation) {
    Actor actor = Objects.requireNonNull(creation.actor());
    ActorEntry entry = kernel.directory().entry(actor);
    ActorOptions options = entry == null ? ActorOptions.DEFAULTS : entry.options();
    ActorHost host = new ActorHost(kernel, actor, options, actor.machine().lives() + 1);
    actor.runner(host);
    return host;
  }

  /** Runs what the user asked for after a restart. */
  @SuppressWarnings("unchecked")
  static void restarted(ActorEntry entry, Object instance) throws Exception {
    TaskAction1<Object> action = (TaskAction1<Object>) entry.options().onRestart();
    if (action != null) {
      action.apply(instance);
    }
  }

  <R> ObjectRef<R> call(ActorEntry entry, Work work, String group, @Nullable Duration limit) {
    kernel.session().checkOpen();
    Run caller = kernel.session().waits().currentRun();
    Encoder encoder = engine.encode(work, caller);
    Semaphore room = entry.pending();
    if (room != null && !room.tryAcquire()) {
      PendingCallsPolicy policy = entry.options().pendingCallsPolicy();
      if (policy != PendingCallsPolicy.BLOCK) {
        encoder.abandon();
        return refused(entry, work, policy);
      }
      kernel.session().waits().lending(caller, List::of, room::acquire);
    }
    TaskId id = kernel.nextId();
    String method = CodeNames.of(work.function());
    boolean plain = group.isEmpty() && !encoder.borrows();
    Call.Request request =
        plain ? entry.plain() : entry.request(group, encoder.borrowed(), encoder.handles());
    Task task =
        new Task.Builder(id, TaskKind.CALL, method, caller == null ? null : caller.task())
            .actor(entry.actor())
            .payload(new Call(encoder.function(), encoder.args(), request))
            .build(entry.options().maxTaskRetries());
    Cell[] cells = EmbeddedEngine.results(task, 1);
    task.arguments(encoder.objects());
    engine.send(task, caller, limit);
    encoder.releaseStored();
    return new Ref<>(kernel, cells[0]);
  }

  private <R> ObjectRef<R> refused(ActorEntry entry, Work work, PendingCallsPolicy policy) {
    String message =
        "Actor "
            + entry.actor().name()
            + " has "
            + entry.options().maxPendingCalls()
            + " pending calls, as many as it allows; "
            + CodeNames.of(work.function())
            + " was not made.";
    if (policy == PendingCallsPolicy.FAIL) {
      throw new PendingCallsLimitException(message);
    }
    Cell cell = new Cell();
    OwnedObject object = new OwnedObject(kernel.nextId().result(0), null, cell);
    cell.object(object);
    kernel.post(
        new OwnerEvent.Put(object, Outcome.Failure.of(FailureKind.PENDING_CALLS_LIMIT, message)));
    return new Ref<>(kernel, cell);
  }

  <A> ActorHandle<A> find(Class<A> type, String name, String namespace) {
    Objects.requireNonNull(type, "the class must not be null");
    Objects.requireNonNull(name, "the name must not be null");
    Objects.requireNonNull(namespace, "the namespace must not be null");
    ActorEntry entry = kernel.directory().find(namespace, name);
    if (entry != null) {
      checkClass(entry, type);
      if (entry.acquire()) {
        return RunScope.borrowed(new Handle<>(kernel, entry));
      }
    }
    List<String> elsewhere = kernel.directory().namespacesOf(name);
    throw new IllegalArgumentException(
        "there is no actor named '"
            + name
            + "' in namespace '"
            + namespace
            + "'"
            + (elsewhere.isEmpty() ? "" : "; the name exists in " + elsewhere));
  }

  private static void checkClass(ActorEntry entry, Class<?> type) {
    Object instance = entry.actor().runner() instanceof ActorHost host ? host.instance() : null;
    if (instance != null && !type.isInstance(instance)) {
      throw new IllegalArgumentException(
          "the actor named '"
              + entry.name()
              + "' is a "
              + instance.getClass().getName()
              + ", not a "
              + type.getName());
    }
  }

  void kill(ActorEntry entry) {
    kernel.post(
        new OwnerEvent.ActorKilled(
            entry.actor(), "Actor " + entry.actor().name() + " was killed."));
    try {
      kernel
          .session()
          .waits()
          .lending(kernel.session().waits().currentRun(), List::of, () -> entry.death().await());
    } catch (SessionClosedException closed) {
      return; // closing ends the actor just as well
    }
  }

  /** Loses an actor as if its process had died. */
  void lose(ActorEntry entry) {
    kernel.onLoop(() -> {
      Actor actor = entry.actor();
      Lease lease = actor.lease();
      if (lease == null || !(actor.runner() instanceof ActorHost host)) {
        return;
      }
      List<Task> started = host.abandon();
      host.end(lease, true);
      kernel.follow(
          new OwnerEvent.ActorLost(
              actor,
              started,
              Outcome.Failure.of(FailureKind.ACTOR_DIED, "Its process was killed.")));
    });
  }
}
