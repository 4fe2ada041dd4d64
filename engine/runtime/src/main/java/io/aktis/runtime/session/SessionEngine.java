package io.aktis.runtime.session;

import io.aktis.ActorHandle;
import io.aktis.ActorOptions;
import io.aktis.Bundle;
import io.aktis.CallOptions;
import io.aktis.CallerInterruptedException;
import io.aktis.ObjectRef;
import io.aktis.ObjectRefStream;
import io.aktis.PendingCallsLimitException;
import io.aktis.PendingCallsPolicy;
import io.aktis.PlacementGroup;
import io.aktis.PlacementStrategy;
import io.aktis.RuntimeEnv;
import io.aktis.Scheduling;
import io.aktis.core.id.TaskId;
import io.aktis.core.owner.FailureKind;
import io.aktis.core.owner.Outcome;
import io.aktis.core.owner.OwnedObject;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.core.owner.Task;
import io.aktis.core.owner.TaskKind;
import io.aktis.function.TaskFunction1;
import io.aktis.spi.Engine;
import io.aktis.spi.MapPlan;
import io.aktis.spi.Work;
import io.aktis.wire.message.ForeignCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What callers do to have work done: everything here runs in the caller's thread, ends in events
 * for the kernel's loop, and refuses bad input before anything is changed. Thread-safe.
 */
final class SessionEngine implements Engine {
  /** The loop, when it is only behind, has caught up by then. */
  private static final long SHORT_WAIT_MS = 2;

  private final Kernel kernel;

  SessionEngine(Kernel kernel) {
    this.kernel = kernel;
  }

  // ---- tasks --------------------------------------------------------------------------------

  @Override
  public <R> ObjectRef<R> submit(Work work) {
    Cell[] cells = submitTask(work, 1, null, null, false);
    return new Ref<>(kernel, cells[0]);
  }

  @Override
  public <R> List<ObjectRef<R>> submit(Work work, int returns, Class<R> type) {
    Objects.requireNonNull(type, "the type must not be null");
    if (returns < 1 || returns > TaskId.MAX_RESULTS) {
      throw new IllegalArgumentException(
          "a task has from 1 to " + TaskId.MAX_RESULTS + " results, not " + returns);
    }
    List<ObjectRef<R>> refs = new ArrayList<>(returns);
    for (Cell cell : submitTask(work, returns, type, null, false)) {
      refs.add(new Ref<>(kernel, cell));
    }
    return refs;
  }

  @Override
  public <R> ObjectRefStream<R> stream(Work work, int buffer) {
    StreamEnd stream = kernel.newStream(buffer);
    Cell[] cells = submitTask(work, 1, null, stream, false);
    return new RefStream<>(kernel, stream, new Ref<>(kernel, cells[0]));
  }

  /** Submits work of this process whose code and result are used as they are. */
  Cell submitLocal(Work work) {
    return submitTask(work, 1, null, null, true)[0];
  }

  private Cell[] submitTask(
      Work work, int returns, @Nullable Class<?> type, @Nullable StreamEnd stream, boolean local) {
    kernel.session().checkOpen();
    Run parent = kernel.session().waits().currentRun();
    CallOptions options = inherited(work.options(), parent);
    Settings chosen = kernel.settings(options, false);
    TaskId id = kernel.nextId();
    String name = options.name() != null ? options.name() : CodeNames.of(work.function());
    Encoder encoder = local ? null : encode(work, parent);
    boolean plain = type == null && stream == null && encoder != null && !encoder.borrows();
    Call.Request request =
        plain
            ? chosen.plain()
            : new Call.Request(
                returns,
                type,
                stream,
                options.retryOn(),
                "",
                local,
                chosen,
                null,
                encoder == null ? List.of() : encoder.borrowed(),
                encoder == null ? List.of() : encoder.handles());
    Call call =
        encoder == null
            ? new Call(work.function(), work.args(), request)
            : new Call(encoder.function(), encoder.args(), request);
    Task task =
        new Task.Builder(id, TaskKind.TASK, name, parent == null ? null : parent.task())
            .shape(chosen.shape())
            .payload(call)
            .build(options.maxRetries());
    Cell[] cells = results(task, returns);
    if (encoder != null) {
      task.arguments(encoder.objects());
    }
    send(task, parent, options.timeout());
    if (encoder != null) {
      encoder.releaseStored();
    }
    return cells;
  }

  Encoder encode(Work work, @Nullable Run caller) {
    try {
      return new Encoder(kernel, caller, work);
    } catch (InterruptedException e) {
      throw interrupted(e);
    } catch (IllegalStateException e) {
      kernel.session().checkOpen(); // the store was closed while an argument waited for room
      throw e;
    }
  }

  static CallerInterruptedException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new CallerInterruptedException(
        "The thread was interrupted while it waited for room.", e, List.of());
  }

  /**
   * Work inherits what its parent has: the environment, entry by entry, and, when it has no place
   * of its own, the group of a parent that asks for that.
   */
  static CallOptions inherited(CallOptions options, @Nullable Run parent) {
    if (parent == null || !(parent.task().payload() instanceof Call call)) {
      return options;
    }
    CallOptions above = call.request().settings().options();
    CallOptions result = options;
    if (!above.runtimeEnv().equals(RuntimeEnv.NONE)) {
      result = result.withRuntimeEnv(above.runtimeEnv().mergedWith(options.runtimeEnv()));
    }
    if (options.scheduling() instanceof Scheduling.Default
        && above.scheduling() instanceof Scheduling.InGroup in
        && in.captureChildren()) {
      result = result.withScheduling(new Scheduling.InGroup(in.group(), -1, true));
    }
    return result;
  }

  static Cell[] results(Task task, int count) {
    Cell[] cells = new Cell[count];
    OwnedObject[] objects = new OwnedObject[count];
    for (int i = 0; i < count; i++) {
      cells[i] = new Cell();
      objects[i] = new OwnedObject(task, i, cells[i]);
      cells[i].object(objects[i]);
    }
    task.results(objects);
    return cells;
  }

  /** Hands a task to the loop, once there is room for it. */
  void send(Task task, @Nullable Run caller, @Nullable Duration timeout) {
    if (Admission.isHeldBack(task.kind()) && !kernel.admission().tryEnter()) {
      awaitRoom(caller);
    }
    kernel.post(new OwnerEvent.Submitted(task, callerNumber(caller), timeoutMs(timeout)));
  }

  /** Returns a time limit as messages and events carry it: 0 for none. */
  static long timeoutMs(@Nullable Duration timeout) {
    return timeout == null ? 0 : Math.max(1, timeout.toMillis());
  }

  /** Waits for room; a task that has to wait for long lends its CPU. */
  private void awaitRoom(@Nullable Run caller) {
    Admission admission = kernel.admission();
    Waits waits = kernel.session().waits();
    boolean entered = waits.whileLending(null, List::of, () -> admission.tryEnter(SHORT_WAIT_MS));
    if (!entered) {
      waits.lending(caller, List::of, admission::enter);
    }
  }

  /** Returns who calls: the driver, one actor, or one task. */
  private static long callerNumber(@Nullable Run caller) {
    if (caller == null) {
      return 0;
    }
    ActorHost host = caller.host();
    return host == null ? caller.task().id().sequence() : -host.actor().id().number();
  }

  // ---- calls of actors ------------------------------------------------------------------------

  <R> ObjectRef<R> call(ActorEntry entry, Work work, String group, @Nullable Duration limit) {
    kernel.session().checkOpen();
    Run caller = kernel.session().waits().currentRun();
    Encoder encoder = encode(work, caller);
    if (!kernel.actors().takeRoom(entry, caller)) {
      encoder.abandon();
      return refused(entry, work, entry.options().pendingCallsPolicy());
    }
    String method = CodeNames.of(work.function());
    if (entry.isForeign()) {
      return new Ref<>(kernel, callForeign(entry, encoder, method, group, limit));
    }
    TaskId id = kernel.nextId();
    boolean plain = group.isEmpty() && !encoder.borrows();
    Call.Request request =
        plain ? entry.plain() : entry.request(group, encoder.borrowed(), encoder.handles());
    Task task =
        new Task.Builder(id, TaskKind.CALL, method, caller == null ? null : caller.task())
            .actor(entry.actor())
            .payload(new Call(encoder.function(), encoder.args(), request))
            .build(entry.options().maxTaskRetries());
    Cell[] cells = results(task, 1);
    task.arguments(encoder.objects());
    send(task, caller, limit);
    encoder.releaseStored();
    return new Ref<>(kernel, cells[0]);
  }

  private Cell callForeign(
      ActorEntry entry, Encoder encoder, String method, String group, @Nullable Duration limit) {
    Prepared code = encoder.prepared();
    Optional<String> problem = ForeignActors.problem(code);
    if (problem.isPresent()) {
      encoder.abandon();
      throw new IllegalArgumentException(problem.get());
    }
    ForeignCall.Builder call =
        ForeignCall.newBuilder()
            .setName(method)
            .setGroup(group)
            .setCaller(callerNumber(kernel.session().waits().currentRun()))
            .setTimeoutMs(timeoutMs(limit));
    Cell result = kernel.actors().callForeign(entry, call, code);
    encoder.releaseStored();
    return result;
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
    Cell cell = Cell.of(kernel.nextId().result(0));
    OwnedObject object = cell.object();
    kernel.post(
        new OwnerEvent.Put(object, Outcome.Failure.of(FailureKind.PENDING_CALLS_LIMIT, message)));
    return new Ref<>(kernel, cell);
  }

  // ---- actors, maps, groups -------------------------------------------------------------------

  @Override
  public <A> ActorHandle<A> createActor(Work work, ActorOptions options, boolean getOrCreate) {
    return kernel.actors().create(work, options, getOrCreate);
  }

  @Override
  public <T, R> List<R> map(
      List<? extends T> items,
      TaskFunction1<? super T, ? extends R> function,
      MapPlan plan,
      @Nullable Duration timeout) {
    kernel.session().checkOpen();
    return new MapRun<T, R>(kernel, items, function, plan).run(timeout);
  }

  @Override
  public PlacementGroup createGroup(
      PlacementStrategy strategy, List<Bundle> bundles, @Nullable String name, boolean detached) {
    kernel.session().checkOpen();
    return kernel.groupDoor().create(strategy, bundles, name, detached);
  }
}
