package io.aktis.runtime.session;

import io.aktis.ActorDiedException;
import io.aktis.ActorHandle;
import io.aktis.ActorOptions;
import io.aktis.CallOptions;
import io.aktis.Lifetime;
import io.aktis.PendingCallsPolicy;
import io.aktis.SessionClosedException;
import io.aktis.core.id.ActorId;
import io.aktis.core.id.TaskId;
import io.aktis.core.name.Name;
import io.aktis.core.owner.Actor;
import io.aktis.core.owner.FailureKind;
import io.aktis.core.owner.Lease;
import io.aktis.core.owner.Outcome;
import io.aktis.core.owner.OwnedObject;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.core.owner.Task;
import io.aktis.core.owner.TaskKind;
import io.aktis.runtime.form.WireIds;
import io.aktis.spi.Work;
import io.aktis.wire.message.ActorDescription;
import io.aktis.wire.message.ForeignCall;
import io.aktis.wire.message.NameReply;
import io.aktis.wire.message.Submit;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The actors of a job, where it is owned. Thread-safe. */
final class OwnerActors implements ActorDoor {
  private final OwnerKernel kernel;
  private final AtomicLong actorNumber = new AtomicLong();

  /** Held while a name is claimed and entered. */
  private final ReentrantLock naming = new ReentrantLock();

  OwnerActors(OwnerKernel kernel) {
    this.kernel = kernel;
  }

  private SessionEngine engine() {
    return kernel.session().engine();
  }

  @Override
  public <A> ActorHandle<A> create(Work work, ActorOptions options, boolean getOrCreate) {
    kernel.session().checkOpen();
    Run parent = kernel.session().waits().currentRun();
    CallOptions shared = SessionEngine.inherited(work.options(), parent);
    String name = shared.name() == null ? "" : shared.name();
    checkName(options, name, getOrCreate);
    String namespace =
        options.namespace() == null ? kernel.session().namespace() : options.namespace();
    if (getOrCreate) {
      ActorEntry there = existing(namespace, name);
      if (there != null) {
        return RunScope.borrowed(new Handle<>(kernel, there));
      }
    }
    Settings chosen = kernel.settings(shared, true);
    Encoder encoder = engine().encode(work, parent);
    String shown = name.isEmpty() ? CodeNames.of(work.function()) : name;
    Plan plan = new Plan(name, shown, namespace, options, chosen, shared.timeout());
    ActorEntry entry = made(plan, encoder, Maker.of(parent));
    if (entry == null) {
      encoder.abandon();
      return nameTaken(plan, () -> create(work, options, true), getOrCreate);
    }
    encoder.releaseStored();
    return RunScope.borrowed(new Handle<>(kernel, entry));
  }

  private @Nullable ActorEntry made(Plan plan, Encoder encoder, Maker maker) {
    try {
      return make(plan, kernel.nextId(), encoder.prepared(), maker);
    } catch (RuntimeException e) {
      encoder.abandon();
      throw e;
    }
  }

  /**
   * Makes an actor with one handle on it; {@code null} when its name is taken. One that is to
   * outlive this job is made by a job that does, where there can be one. Waits; not on the loop.
   */
  @Nullable ActorEntry make(Plan plan, TaskId id, Prepared code, Maker maker) {
    boolean outlives = plan.options().lifetime() == Lifetime.DETACHED;
    if (outlives && kernel.hasOtherJobs() && kernel.otherJobs().keepers().canKeep()) {
      return kernel.otherJobs().keepers().create(plan, code);
    }
    return enter(plan, id, code, maker);
  }

  /** Returns what a submission of a creation says of it. Any thread. */
  Plan plan(Submit submit) {
    CallOptions shared = kernel.wireOptions().options(submit.getOptions());
    return new Plan(
        submit.getGivenName(),
        submit.getName(),
        submit.getNamespace(),
        kernel.wireOptions().options(submit.getActorOptions()),
        kernel.settings(shared, true),
        shared.timeout());
  }

  /**
   * What an actor is made of, but for its code.
   *
   * @param name the name that it is given, empty for none
   * @param shown the name that people see
   * @param namespace where its name is unique
   * @param options its options
   * @param settings what it needs
   * @param timeout time limit of its creation, {@code null} for none
   */
  record Plan(
      String name,
      String shown,
      String namespace,
      ActorOptions options,
      Settings settings,
      @Nullable Duration timeout) {}

  /**
   * Who makes an actor.
   *
   * @param task the task that does, {@code null} for the program
   * @param actor the actor whose call it is, {@code null} for others
   */
  record Maker(@Nullable Task task, @Nullable Actor actor) {
    static Maker of(@Nullable Run run) {
      if (run == null) {
        return new Maker(null, null);
      }
      ActorHost host = run.host();
      return new Maker(run.task(), host == null ? null : host.actor());
    }
  }

  /**
   * Enters an actor with one handle on it, and submits its creation; {@code null} when its name is
   * taken. May wait; not on the loop.
   */
  @Nullable ActorEntry enter(Plan plan, TaskId id, Prepared code, Maker maker) {
    ActorEntry entry = entry(plan);
    if (!enterName(entry)) {
      return null;
    }
    kernel.directory().ownedBy(maker.actor(), entry);
    Task creation = creation(entry, id, code, maker);
    Cell[] cells = SessionEngine.results(creation, 1);
    entry.ready(cells[0]);
    creation.arguments(code.objects());
    entry.keeps(List.of(code.objects()));
    kernel.post(new OwnerEvent.Retained(entry.kept()));
    Duration timeout = plan.timeout();
    long timeoutMs = timeout == null ? 0 : Math.max(1, timeout.toMillis());
    kernel.post(new OwnerEvent.Submitted(creation, 0, timeoutMs));
    return entry;
  }

  /** Enters an actor, if its name is free in this job and in all others. */
  private boolean enterName(ActorEntry entry) {
    if (entry.name().isEmpty() || !kernel.hasOtherJobs()) {
      return kernel.directory().enter(entry) == null;
    }
    naming.lock(); // or two that claim one name here would take each other for the one who has it
    try {
      if (kernel.directory().find(entry.namespace(), entry.name()) != null) {
        return false;
      }
      NameReply reply =
          kernel.otherJobs().names().claim(nameOf(entry), entry.actor().id().number());
      return reply.getDone() && kernel.directory().enter(entry) == null;
    } finally {
      naming.unlock();
    }
  }

  private static Name nameOf(ActorEntry entry) {
    return new Name(Name.Kind.ACTOR, entry.namespace(), entry.name());
  }

  /** The name of a dead actor is free in this job: frees it in all others. On the loop. */
  void nameIsFree(ActorEntry entry) {
    if (entry.name().isEmpty() || !kernel.hasOtherJobs()) {
      entry.death().countDown();
    } else {
      kernel
          .otherJobs()
          .names()
          .forget(nameOf(entry), entry.actor().id().number(), entry.death()::countDown);
    }
  }

  static void checkName(ActorOptions options, String name, boolean getOrCreate) {
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
   * Returns the actor of that name, of this job or another, with a handle counted; waits while one
   * is about to end.
   */
  @Nullable ActorEntry existing(String namespace, String name) {
    ActorEntry here = living(namespace, name);
    if (here != null || !kernel.hasOtherJobs()) {
      return here;
    }
    return elsewhere(kernel.otherJobs().names().find(new Name(Name.Kind.ACTOR, namespace, name)));
  }

  /** Returns an actor of another job that the head has found; {@code null} when it is gone. */
  private @Nullable ActorEntry elsewhere(NameReply reply) {
    if (!reply.hasHolder() || reply.getHolder().getOwner() == kernel.ownerNumber()) {
      return null; // one of this job is about to end, and its name about to be free
    }
    try {
      return kernel
          .otherJobs()
          .actors()
          .hold(reply.getHolder().getOwner(), WireIds.actor(reply.getHolder().getId()));
    } catch (ActorDiedException e) {
      Log.LOG.debug("An actor has ended since it was found.", e);
      return null;
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
  static <H> H nameTaken(Plan plan, Supplier<H> again, boolean getOrCreate) {
    if (getOrCreate) {
      return again.get();
    }
    throw taken(plan);
  }

  static IllegalArgumentException taken(Plan plan) {
    return new IllegalArgumentException(
        "there is an actor named '"
            + plan.name()
            + "' in namespace '"
            + plan.namespace()
            + "' already; use getActor, getOrCreate(), or another name");
  }

  private ActorEntry entry(Plan plan) {
    ActorOptions options = plan.options();
    ActorId id = new ActorId(kernel.ownerNumber(), actorNumber.incrementAndGet());
    boolean ordered = options.maxConcurrency() == 1 && options.groups().limits().isEmpty();
    Actor actor = new Actor(id, plan.shown(), ordered, options.maxRestarts());
    return new ActorEntry(actor, plan.name(), plan.namespace(), options, plan.settings());
  }

  private static Task creation(ActorEntry entry, TaskId id, Prepared code, Maker maker) {
    Settings settings = entry.settings();
    Call.Request request =
        new Call.Request(
            1, null, null, List.of(), "", false, settings, null, code.borrowed(), code.handles());
    return new Task.Builder(id, TaskKind.CREATION, "new " + entry.actor().name(), maker.task())
        .shape(settings.shape())
        .actor(entry.actor())
        .payload(new Call(code.function(), code.args(), request))
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

  @Override
  public <A> ActorHandle<A> find(Class<A> type, String name, String namespace) {
    Objects.requireNonNull(type, "the class must not be null");
    Objects.requireNonNull(name, "the name must not be null");
    Objects.requireNonNull(namespace, "the namespace must not be null");
    ActorEntry entry = find(name, namespace);
    try {
      checkClass(entry, type);
    } catch (IllegalArgumentException e) {
      new Handle<>(kernel, entry).close();
      throw e;
    }
    return RunScope.borrowed(new Handle<>(kernel, entry));
  }

  /**
   * Returns the actor of that name, of this job or another, with one more handle counted. May wait;
   * not on the loop.
   *
   * @throws IllegalArgumentException when there is none
   */
  ActorEntry find(String name, String namespace) {
    ActorEntry entry = kernel.directory().find(namespace, name);
    if (entry != null && entry.acquire()) {
      return entry;
    }
    TreeSet<String> elsewhere = new TreeSet<>(kernel.directory().namespacesOf(name));
    if (kernel.hasOtherJobs()) {
      NameReply reply = kernel.otherJobs().names().find(new Name(Name.Kind.ACTOR, namespace, name));
      ActorEntry foreign = elsewhere(reply);
      if (foreign != null) {
        return foreign;
      }
      elsewhere.addAll(reply.getAbsent().getElsewhereList());
    }
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

  @Override
  public void released(ActorEntry entry) {
    if (entry.isForeign()) {
      kernel.otherJobs().actors().released(entry);
    } else {
      kernel.post(new OwnerEvent.ActorReleased(entry.actor()));
    }
  }

  @Override
  public Cell callForeign(ActorEntry entry, ForeignCall.Builder call, Prepared code) {
    Cell cell = Cell.of(kernel.nextId().result(0));
    OwnedObject result = cell.object();
    kernel.onLoop(() -> kernel.otherJobs().actors().call(entry, call, code, result));
    return cell;
  }

  /** Describes an actor to a worker, or to another job. On the loop. */
  ActorDescription.Builder description(ActorEntry entry) {
    Actor actor = entry.actor();
    return ActorDescription.newBuilder()
        .setActor(WireIds.of(actor.id()))
        .setName(actor.name())
        .setGivenName(entry.name())
        .setNamespace(entry.namespace())
        .setOptions(kernel.wireOptions().message(entry.options()))
        .setCallOptions(kernel.wireOptions().bytes(entry.settings().options()))
        .setOrdered(actor.isOrdered())
        .setReady(WireIds.of(entry.ready().object().id()));
  }

  @Override
  public void kill(ActorEntry entry) {
    if (entry.isForeign()) {
      kernel.otherJobs().actors().kill(entry);
      return;
    }
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

  @Override
  public void lose(ActorEntry entry) {
    if (entry.isForeign()) {
      kernel.otherJobs().actors().lose(entry);
      return;
    }
    kernel.onLoop(() -> {
      Actor actor = entry.actor();
      Lease lease = actor.lease();
      if (lease == null || actor.runner() == null) {
        return;
      }
      kernel.node(lease.node()).loseActor(actor, lease);
    });
  }

  @Override
  public boolean takeRoom(ActorEntry entry, @Nullable Run caller) {
    if (entry.isForeign()) {
      return kernel.otherJobs().actors().takeRoom(entry);
    }
    Semaphore room = entry.pending();
    if (room != null && !room.tryAcquire()) {
      if (entry.options().pendingCallsPolicy() != PendingCallsPolicy.BLOCK) {
        return false;
      }
      kernel.session().waits().lending(caller, List::of, room::acquire);
    }
    return true;
  }

  @Override
  public Optional<String> nameOf(Actor actor) {
    return kernel.directory().nameOf(actor);
  }

  @Override
  public void saveCheckpoint(Actor actor, Object state) {
    kernel.directory().saveCheckpoint(actor, state);
  }

  @Override
  public Optional<Object> checkpoint(Actor actor) {
    return kernel.directory().checkpoint(actor);
  }

  /** An actor was ended as if its process had died; these calls of it had started. On the loop. */
  void lost(Actor actor, List<Task> started) {
    kernel.follow(
        new OwnerEvent.ActorLost(
            actor, started, Outcome.Failure.of(FailureKind.ACTOR_DIED, "Its process was killed.")));
  }
}
