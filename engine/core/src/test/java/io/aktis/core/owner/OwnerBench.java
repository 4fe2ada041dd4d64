package io.aktis.core.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.core.id.ActorId;
import io.aktis.core.id.BundleId;
import io.aktis.core.id.LeaseId;
import io.aktis.core.id.NodeId;
import io.aktis.core.id.TaskId;
import io.aktis.core.resource.Demand;
import io.aktis.core.resource.LabelSelector;
import io.aktis.core.schedule.Strategy;
import io.aktis.core.task.TaskMachine;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An owner's machine with everything around it played by hand: what it wants done is written down,
 * and tests say what nodes, workers and programs answer. The machine is validated after each event.
 */
final class OwnerBench {
  static final long OWNER = 7;
  static final long DRIVER = 0;
  static final long GRACE_MS = 1_000;
  static final NodeId NODE_A = new NodeId(1, 1);
  static final NodeId NODE_B = new NodeId(1, 2);
  static final ShapeKey ONE_CPU =
      new ShapeKey(Demand.TASK, Strategy.DEFAULT, LabelSelector.ANY, null);
  static final ShapeKey ACTOR =
      new ShapeKey(Demand.ACTOR, Strategy.DEFAULT, LabelSelector.ANY, null);
  static final Outcome.Failure NODE_DIED = Outcome.Failure.of(FailureKind.NODE_DIED, "node gone");

  final OwnerMachine machine;
  final List<OwnerEffect> effects = new ArrayList<>();
  long nowMs = 1_000;

  /** What the chooser says from now on. */
  NodeChooser.Choice choice = new NodeChooser.Choice.Ask(NODE_A);

  /** How often the chooser was asked. */
  int questions;

  private final ArrayDeque<OwnerEffect.AskLease> asks = new ArrayDeque<>();
  private final List<Due> timers = new ArrayList<>();
  private final Set<Lease> leases = new LinkedHashSet<>();
  private long sequence;
  private long actorNumber;

  private record Due(long atMs, OwnerEvent event) {}

  private NodeChooser chooser() {
    return new NodeChooser() {
      @Override
      public Choice choose(ShapeKey key, Task first) {
        questions++;
        return choice;
      }

      @Override
      public long version() {
        return choice.hashCode();
      }
    };
  }

  OwnerBench() {
    this(Long.MAX_VALUE);
  }

  OwnerBench(long maxLineageBytes) {
    machine = new OwnerMachine(new OwnerConfig(OWNER, GRACE_MS, maxLineageBytes), chooser());
  }

  static ShapeKey inGroup(BundleId bundle) {
    return new ShapeKey(Demand.TASK, new Strategy.InGroup(bundle), LabelSelector.ANY, bundle);
  }

  // ---- events and effects -----------------------------------------------------------------------

  /** Tells the machine and returns what it wants done because of it. */
  List<OwnerEffect> tell(OwnerEvent event) {
    List<OwnerEffect> now = new ArrayList<>();
    machine.on(event, nowMs, now::add);
    for (OwnerEffect effect : now) {
      switch (effect) {
        case OwnerEffect.AskLease ask -> asks.add(ask);
        case OwnerEffect.StartTimer timer ->
            timers.add(new Due(nowMs + timer.delayMs(), timer.event()));
        case OwnerEffect.Push push -> leases.add(push.lease());
        default -> {}
      }
    }
    effects.addAll(now);
    machine.validate();
    return now;
  }

  /** Lets time pass; timers that are due fire in their order. */
  void pass(long ms) {
    long endMs = nowMs + ms;
    while (true) {
      Due next = null;
      for (Due due : timers) {
        if (due.atMs <= endMs && (next == null || due.atMs < next.atMs)) {
          next = due;
        }
      }
      if (next == null) {
        nowMs = endMs;
        return;
      }
      timers.remove(next);
      nowMs = next.atMs;
      tell(next.event);
    }
  }

  <E extends OwnerEffect> List<E> effects(Class<E> kind) {
    return effects.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  void forgetEffects() {
    effects.clear();
  }

  /** Returns the tasks that were sent to workers or actors, in their order. */
  List<Task> pushed() {
    List<Task> tasks = new ArrayList<>();
    for (OwnerEffect effect : effects) {
      switch (effect) {
        case OwnerEffect.Push push -> tasks.add(push.task());
        case OwnerEffect.PushCall push -> tasks.add(push.task());
        default -> {}
      }
    }
    return tasks;
  }

  List<LeaseId> idleLeases() {
    return effects(OwnerEffect.MarkIdle.class).stream().map(idle -> idle.lease().id()).toList();
  }

  int openAsks() {
    return asks.size();
  }

  // ---- leases -----------------------------------------------------------------------------------

  /** A node grants the oldest lease that was asked for; the lease when work was sent to it. */
  @Nullable Lease grant() {
    OwnerEffect.AskLease ask = asks.remove();
    tell(
        new OwnerEvent.LeaseGranted(
            ask.shape(), ask.request().id(), ask.node(), ask.request().bundle(), List.of()));
    return leases.stream()
        .filter(lease -> lease.id().equals(ask.request().id()))
        .findFirst()
        .orElse(null);
  }

  void grantAll() {
    while (!asks.isEmpty()) {
      grant();
    }
  }

  void refuse() {
    OwnerEffect.AskLease ask = asks.remove();
    tell(new OwnerEvent.LeaseRefused(ask.shape(), ask.request().id(), "busy"));
  }

  void loseLease(Lease lease, Task... started) {
    tell(
        new OwnerEvent.LeaseLost(
            lease, TaskMachine.Loss.WHILE_RUNNING, List.of(started), NODE_DIED));
  }

  // ---- work -------------------------------------------------------------------------------------

  Work task(String name) {
    return new Work(name, TaskKind.TASK, null);
  }

  Work call(Actor actor, String name) {
    return new Work(name, TaskKind.CALL, actor);
  }

  /** Submits a task with one result and no arguments. */
  Task submit(String name) {
    return task(name).submit();
  }

  /** Makes an actor and submits its creation. */
  Actor actor(String name, boolean ordered, int maxRestarts) {
    Actor actor = new Actor(new ActorId(OWNER, ++actorNumber), name, ordered, maxRestarts);
    creation(actor);
    return actor;
  }

  Task creation(Actor actor) {
    return new Work("new " + actor.name(), TaskKind.CREATION, actor)
        .on(ACTOR)
        .retries(Integer.MAX_VALUE)
        .submit();
  }

  /** Makes an actor whose constructor has returned. */
  Actor alive(String name, boolean ordered, int maxRestarts) {
    Actor actor = actor(name, ordered, maxRestarts);
    construct(actor);
    return actor;
  }

  void construct(Actor actor) {
    grant();
    succeed(java.util.Objects.requireNonNull(actor.creation));
  }

  OwnedObject put() {
    OwnedObject object = new OwnedObject(nextId().result(0), null, "put");
    tell(new OwnerEvent.Put(object, inline()));
    return object;
  }

  OwnedObject putAt(NodeId node) {
    OwnedObject object = new OwnedObject(nextId().result(0), null, "put");
    tell(new OwnerEvent.Put(object, stored(node)));
    return object;
  }

  private TaskId nextId() {
    return TaskId.of(OWNER, ++sequence);
  }

  static Outcome inline(OwnedObject... contained) {
    return new Outcome.Inline("value", List.of(contained));
  }

  static Outcome stored(NodeId node, OwnedObject... contained) {
    return new Outcome.Stored("value", node, 1_000_000, List.of(contained));
  }

  void succeed(Task task) {
    Outcome[] outcomes = new Outcome[task.results().length];
    Arrays.fill(outcomes, inline());
    succeed(task, outcomes);
  }

  void succeed(Task task, Outcome... outcomes) {
    succeed(task, task.machine().attempt(), outcomes);
  }

  void succeed(Task task, int attempt, Outcome... outcomes) {
    tell(new OwnerEvent.Succeeded(task, attempt, List.of(outcomes), 1_000_000, false));
  }

  /** Reports a run that was so short that others of its shape are sent ahead. */
  void succeedQuickly(Task task) {
    tell(new OwnerEvent.Succeeded(task, task.machine().attempt(), List.of(inline()), 1_000, false));
  }

  void exit(Task call) {
    tell(new OwnerEvent.Succeeded(call, call.machine().attempt(), List.of(inline()), 1_000, true));
  }

  void fail(Task task) {
    fail(task, false);
  }

  void fail(Task task, boolean retryable) {
    tell(
        new OwnerEvent.Threw(
            task,
            task.machine().attempt(),
            Outcome.Failure.of(FailureKind.TASK_FAILED, task.name() + " threw"),
            retryable,
            1_000_000,
            false));
  }

  void block(Task task, OwnedObject... on) {
    tell(new OwnerEvent.Blocked(task, task.machine().attempt(), List.of(on)));
  }

  void unblock(Task task) {
    tell(new OwnerEvent.Unblocked(task, task.machine().attempt(), task));
  }

  void close(OwnedObject object) {
    tell(new OwnerEvent.Released(List.of(object)));
  }

  void cancel(Task task) {
    tell(new OwnerEvent.CancelAsked(task, true, "", "ticket"));
  }

  static FailureKind failureOf(Task task) {
    return failureOf(task.results()[0]);
  }

  static FailureKind failureOf(OwnedObject object) {
    assertThat(object.outcome()).as("%s", object).isInstanceOf(Outcome.Failure.class);
    return ((Outcome.Failure) object.outcome()).kind();
  }

  /** A task that is about to be submitted. */
  final class Work {
    private final String name;
    private final TaskKind kind;
    private final @Nullable Actor actor;
    private ShapeKey shape = ONE_CPU;
    private int retries;
    private int results = 1;
    private long caller = DRIVER;
    private long timeoutMs;
    private @Nullable Task parent;
    private List<OwnedObject> arguments = List.of();

    Work(String name, TaskKind kind, @Nullable Actor actor) {
      this.name = name;
      this.kind = kind;
      this.actor = actor;
    }

    Work on(ShapeKey key) {
      shape = key;
      return this;
    }

    Work retries(int count) {
      retries = count;
      return this;
    }

    Work results(int count) {
      results = count;
      return this;
    }

    Work from(long number) {
      caller = number;
      return this;
    }

    Work within(long ms) {
      timeoutMs = ms;
      return this;
    }

    Work parent(Task submitter) {
      parent = submitter;
      caller = submitter.id().sequence();
      return this;
    }

    Work with(OwnedObject... objects) {
      arguments = List.of(objects);
      return this;
    }

    Work with(Task producer) {
      return with(producer.results()[0]);
    }

    Task submit() {
      Task.Builder builder =
          new Task.Builder(nextId(), kind, name, parent).payload((Payload) () -> 100);
      if (kind != TaskKind.CALL) {
        builder.shape(machine.shape(shape));
      }
      if (actor != null) {
        builder.actor(actor);
      }
      Task task = builder.build(retries);
      OwnedObject[] made = new OwnedObject[results];
      Arrays.setAll(made, i -> new OwnedObject(task.id().result(i), task, name + i));
      task.results(made);
      task.arguments(arguments.toArray(OwnedObject[]::new));
      tell(new OwnerEvent.Submitted(task, caller, timeoutMs));
      return task;
    }
  }
}
