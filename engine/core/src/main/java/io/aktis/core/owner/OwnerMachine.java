package io.aktis.core.owner;

import io.aktis.core.id.NodeId;
import io.aktis.core.id.TaskId;
import io.aktis.core.task.TaskMachine;
import io.aktis.core.task.TaskState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Everything one process decides about the work it submits: events in, effects out, no clock, no
 * thread. What is not done is in one list here and nowhere else.
 *
 * <p>The parts: {@link TaskMachine} says what becomes of one task, {@link Ownership} knows the
 * objects, {@link Dispatcher} brings tasks to leases, {@link ActorDesk} brings calls to actors.
 * This class joins them: it counts missing arguments, settles results, and passes failures on to
 * those who depend on them.
 *
 * <p>Late messages are normal: what an attempt reports that is no longer the current one changes no
 * result, it only says that a worker is free.
 *
 * <p>Confined to one loop.
 */
public final class OwnerMachine {
  private final Effects effects = new Effects();
  private final Ownership ownership;
  private final Dispatcher dispatcher;
  private final ActorDesk actors;
  private final Losses losses;
  private final Cancellations cancellations;
  private final LiveTasks live = new LiveTasks();
  private Outcome.@Nullable Failure ended;

  /** Makes the machine of one owner. */
  public OwnerMachine(OwnerConfig config, NodeChooser chooser) {
    this.ownership = new Ownership(effects, config.maxLineageBytes());
    this.dispatcher =
        new Dispatcher(effects, chooser, config.ownerNumber(), config.infeasibleGraceMs());
    this.actors = new ActorDesk(effects, this, dispatcher);
    this.losses = new Losses(effects, this, ownership, dispatcher, actors);
    this.cancellations = new Cancellations(effects, this, dispatcher, actors);
  }

  static long payloadBytes(Task task) {
    return task.payload() instanceof Payload payload ? payload.sizeBytes() : 0;
  }

  /** Returns the shape of that key, to be set in tasks; the same one for equal keys. */
  public Shape shape(ShapeKey key) {
    return dispatcher.shape(key);
  }

  /** Handles one event at {@code nowMs}; what is to be done goes to {@code out}, in order. */
  public void on(OwnerEvent event, long nowMs, Consumer<? super OwnerEffect> out) {
    effects.begin(nowMs, out);
    switch (event) {
      case OwnerEvent.Submitted submitted -> submitted(submitted);
      case OwnerEvent.Succeeded succeeded -> succeeded(succeeded);
      case OwnerEvent.Threw threw -> threw(threw);
      case OwnerEvent.Put put -> ownership.settle(put.object(), put.outcome());
      case OwnerEvent.LeaseGranted granted -> dispatcher.granted(granted);
      case OwnerEvent.LeaseRefused refused -> dispatcher.refused(refused);
      case OwnerEvent.ShapeFailed failed ->
          Dispatcher.takeQueued(failed.shape()).forEach(task -> fail(task, failed.failure()));
      case OwnerEvent.TryAgain _ -> dispatcher.tryAgain();
      case OwnerEvent.Reclaimed reclaimed -> dispatcher.reclaimed(reclaimed.leases());
      case OwnerEvent.Returned returned -> {
        cancellations.returned(returned);
        dispatcher.returned(returned).forEach(this::awaitArguments);
      }
      case OwnerEvent.ArgumentLost lost -> argumentLost(lost);
      case OwnerEvent.LeaseLost lost -> losses.leaseLost(lost);
      case OwnerEvent.LeaseEnded over -> losses.leaseEnded(over);
      case OwnerEvent.ActorLost lost -> actors.lost(lost);
      case OwnerEvent.NodeGone gone -> losses.nodeGone(gone.node());
      case OwnerEvent.Blocked blocked -> blocked(blocked);
      case OwnerEvent.Unblocked unblocked -> unblocked(unblocked);
      case OwnerEvent.CancelAsked cancel -> cancellations.cancelAsked(cancel);
      case OwnerEvent.Withdrawn withdrawn ->
          cancellations.withdrawn(withdrawn.task(), withdrawn.attempt());
      case OwnerEvent.GivenUp givenUp -> cancellations.givenUp(givenUp);
      case OwnerEvent.Retained retained -> retained.objects().forEach(ownership::handleOpened);
      case OwnerEvent.Released released -> released.objects().forEach(ownership::handleClosed);
      case OwnerEvent.Collected collected -> ownership.handlesGone(collected.object());
      case OwnerEvent.ActorReleased released -> actors.released(released.actor());
      case OwnerEvent.ActorKilled killed -> actors.killed(killed.actor(), killed.reason());
      case OwnerEvent.GroupGone gone -> groupGone(gone);
      case OwnerEvent.JobEnded over -> jobEnded(over.failure());
      case OwnerEvent.Timer timer -> onTimer(timer);
    }
    propagate();
  }

  private void onTimer(OwnerEvent.Timer timer) {
    switch (timer) {
      case OwnerEvent.Timer.IdleSweep _ -> dispatcher.idleSweep();
      case OwnerEvent.Timer.InfeasibleCheck check -> infeasible(check.shape());
      case OwnerEvent.Timer.RecallCheck check -> dispatcher.recallCheck(check.shape());
      case OwnerEvent.Timer.TimeIsOver over -> cancellations.timeIsOver(over.task());
      case OwnerEvent.Timer.PauseIsOver over -> losses.pauseIsOver(over.task());
    }
  }

  // ---- submission ---------------------------------------------------------------------------

  private void submitted(OwnerEvent.Submitted event) {
    Task task = event.task();
    live.add(task);
    if (task.kind() == TaskKind.CREATION) {
      ActorDesk.actorOf(task).creation = task;
    }
    if (event.timeoutMs() > 0) {
      effects.add(
          new OwnerEffect.StartTimer(event.timeoutMs(), new OwnerEvent.Timer.TimeIsOver(task)));
    }
    holdArguments(task);
    Outcome.Failure over = ended;
    if (over != null) {
      fail(task, over);
      return;
    }
    if (task.kind() == TaskKind.CALL && !actors.accept(task, event.caller())) {
      return;
    }
    awaitArguments(task);
  }

  void holdArguments(Task task) {
    if (!task.holdsArguments) {
      task.holdsArguments = true;
      for (OwnedObject argument : task.arguments) {
        argument.holds++;
      }
    }
  }

  void awaitArguments(Task task) {
    task.missing = 0;
    for (OwnedObject argument : task.arguments) {
      if (argument.state == OwnedObject.State.FAILED) {
        failWithArgument(task, argument);
        return;
      }
      if (!argument.exists()) {
        task.missing++;
        argument.addDependent(task);
      }
    }
    if (task.missing == 0) {
      ready(task);
    }
  }

  private void ready(Task task) {
    task.machine().argumentsReady();
    Shape shape = task.shape();
    if (task.kind() == TaskKind.CALL || shape == null) {
      actors.ready(task);
    } else if (shape.gone != null) {
      fail(task, shape.gone);
    } else {
      dispatcher.enqueue(task);
    }
  }

  private void failWithArgument(Task task, OwnedObject argument) {
    fail(task, failureOf(argument, task));
    if (task.kind() == TaskKind.CALL) {
      actors.ready(task); // those behind it may go on
    }
  }

  private static Outcome.Failure failureOf(OwnedObject argument, Task task) {
    if (!(argument.outcome instanceof Outcome.Failure failure)) {
      throw new IllegalStateException(argument + " has not failed");
    }
    List<String> story = new ArrayList<>(failure.story());
    story.add("passed on to " + task.name() + " (" + task.id() + "), which did not run");
    return new Outcome.Failure(
        failure.kind(),
        failure.message() + " (an argument of " + task.name() + ")",
        failure.cause(),
        failure.attempts(),
        story,
        failure.details());
  }

  // ---- results ------------------------------------------------------------------------------

  private void succeeded(OwnerEvent.Succeeded event) {
    Task task = event.task();
    Shape shape = task.shape();
    if (shape != null) {
      shape.learn(event.nanos());
    }
    if (task.machine().isCurrent(event.attempt())) {
      task.machine().succeeded();
      settle(task, event.outcomes());
      leave(task, event.exits());
    } else {
      late(task, event.attempt(), event.exits());
      ownership.discardLate(task, event.outcomes());
    }
  }

  private void argumentLost(OwnerEvent.ArgumentLost event) {
    Task task = event.task();
    if (!task.machine().isCurrent(event.attempt())) {
      late(task, event.attempt(), false);
      return;
    }
    TaskState next = task.machine().lost(TaskMachine.Loss.BEFORE_START);
    if (next == TaskState.CANCELLED) {
      settleAll(task, Cancellations.failure(task));
    } else if (task.kind() == TaskKind.CALL) {
      actors.again(task);
    }
    leave(task, false);
    if (!task.machine().isDone()) {
      awaitArguments(task);
    }
  }

  private void threw(OwnerEvent.Threw event) {
    Task task = event.task();
    if (!task.machine().isCurrent(event.attempt())) {
      late(task, event.attempt(), event.exits());
      return;
    }
    TaskState next = task.machine().threw(event.retryable());
    task.tell("attempt " + event.attempt() + " failed: " + event.failure().message());
    switch (next) {
      case WAITING -> {
        boolean call = task.kind() == TaskKind.CALL;
        if (call) {
          actors.again(task);
        }
        leave(task, event.exits());
        if (!task.machine().isDone()) {
          awaitArguments(task);
        }
      }
      case CANCELLED -> {
        settleAll(task, Cancellations.failure(task));
        leave(task, event.exits());
      }
      default -> {
        Outcome.Failure failure = event.failure().about(task);
        settleAll(task, failure);
        leave(task, event.exits());
      }
    }
  }

  /** Takes a task off the worker that ran it. */
  private void leave(Task task, boolean exits) {
    boolean made =
        task.kind() == TaskKind.CREATION && task.machine().state() == TaskState.SUCCEEDED;
    if (made) {
      actors.constructed(task);
    } else if (task.kind() == TaskKind.CALL) {
      actors.finished(task, exits);
    } else {
      dispatcher.finished(task);
    }
  }

  /** An attempt that counts no more has ended: its worker is free, unless it is lost anyway. */
  private void late(Task task, int attempt, boolean exits) {
    if (!task.machine().isDone() || attempt != task.machine().attempt()) {
      return;
    }
    if (task.kind() == TaskKind.CREATION && task.lease != null) {
      actors.constructed(task);
    } else if (task.kind() == TaskKind.CALL) {
      actors.finished(task, exits);
    } else {
      dispatcher.finished(task);
    }
  }

  private void settle(Task task, List<Outcome> outcomes) {
    for (int i = 0; i < task.results.length; i++) {
      OwnedObject result = task.results[i];
      if (result.awaitsOutcome()) {
        ownership.settle(result, outcomes.get(i));
      } else {
        ownership.discard(result, outcomes.get(i));
      }
    }
    close(task);
  }

  /** Gives every result the failure; an actor that was to be made is dead before that is seen. */
  void settleAll(Task task, Outcome.Failure failure) {
    if (task.kind() == TaskKind.CREATION) {
      actors.constructionFailed(task, failure);
    }
    failResults(task, failure);
  }

  private void failResults(Task task, Outcome.Failure failure) {
    for (OwnedObject result : task.results) {
      if (result.awaitsOutcome()) {
        ownership.settle(result, failure);
      }
    }
    close(task);
  }

  private void close(Task task) {
    live.remove(task);
    if (!task.reportedDone) {
      task.reportedDone = true;
      effects.add(new OwnerEffect.Done(task));
    }
    OwnedObject[] arguments = task.arguments;
    if (task.kind() != TaskKind.CREATION) {
      ownership.remember(task, payloadBytes(task));
    }
    if (task.holdsArguments) {
      task.holdsArguments = false;
      for (OwnedObject argument : arguments) {
        ownership.unhold(argument);
      }
    }
    task.blockedOn = List.of();
    ownership.discardStrays(task);
  }

  /** Fails a task that is not done and does not run, and those that depend on it. */
  void fail(Task task, Outcome.Failure failure) {
    task.machine().failed();
    task.tell("failed: " + failure.message());
    settleAll(task, failure.about(task));
  }

  /** Moves a task to its end; if it is queued it stays there, uncounted, until its turn comes. */
  void cancel(Task task) {
    Shape shape = task.shape();
    if (shape != null
        && task.kind() != TaskKind.CALL
        && task.machine().state() == TaskState.QUEUED) {
      shape.cancelled++;
    }
    task.machine().cancelled();
  }

  /** Ends a creation whose actor is dead. */
  void cancelQuietly(Task task, Outcome.Failure reason) {
    boolean pushed = task.machine().state() == TaskState.PUSHED;
    int attempt = task.machine().attempt();
    cancel(task);
    failResults(task, reason);
    if (pushed) {
      effects.add(new OwnerEffect.Interrupt(task, attempt, null));
    }
  }

  /** Tells those who wait for settled objects, until nobody is left to tell. */
  private void propagate() {
    while (true) {
      OwnedObject object = ownership.nextSettled();
      if (object != null) {
        for (Task dependent : object.takeDependents()) {
          argumentSettled(object, dependent);
        }
        continue;
      }
      Task again = losses.nextToRemake();
      if (again == null) {
        return;
      }
      losses.remake(again);
    }
  }

  private void argumentSettled(OwnedObject argument, Task dependent) {
    if (dependent.machine().state() != TaskState.WAITING || dependent.missing == 0) {
      return;
    }
    if (argument.state == OwnedObject.State.FAILED) {
      failWithArgument(dependent, argument);
    } else if (--dependent.missing == 0) {
      awaitArguments(dependent); // others may have been lost meanwhile
    }
  }

  // ---- waiting tasks ------------------------------------------------------------------------

  private void blocked(OwnerEvent.Blocked event) {
    Task task = event.task();
    Lease lease = leaseOf(task, event.attempt());
    if (lease != null && !lease.gone && lease.blockedBy == null) {
      dispatcher.blocked(lease, task);
    }
    if (task.machine().isCurrent(event.attempt())) {
      task.blockedOn = event.on();
      breakDeadlocks(task);
    }
  }

  /** Breaks the circles through {@code task}, one after the other. */
  void breakDeadlocks(Task task) {
    List<Task> circle = Deadlocks.circle(task);
    while (!circle.isEmpty()) {
      effects.add(new OwnerEffect.DeadlockFound(circle));
      breakAt(Deadlocks.victim(circle), circle);
      circle = Deadlocks.circle(task);
    }
  }

  private void breakAt(Task victim, List<Task> circle) {
    boolean pushed = victim.machine().state() == TaskState.PUSHED;
    int attempt = victim.machine().attempt();
    fail(victim, Deadlocks.failure(victim, circle));
    if (victim.kind() == TaskKind.CALL) {
      ActorDesk.actorOf(victim).inFlight.remove(victim);
      actors.ready(victim);
    }
    if (pushed) {
      effects.add(new OwnerEffect.Interrupt(victim, attempt, null));
    }
  }

  private void unblocked(OwnerEvent.Unblocked event) {
    Task task = event.task();
    if (task.machine().isCurrent(event.attempt())) {
      task.blockedOn = List.of();
    }
    Lease lease = leaseOf(task, event.attempt());
    if (lease == null || lease.gone || lease.blockedBy != task) {
      effects.add(new OwnerEffect.Resume(event.waiter()));
    } else {
      dispatcher.unblocked(lease, event.waiter());
    }
  }

  /**
   * Returns the lease whose CPU an attempt has, also when its result is taken away already; {@code
   * null} when it is lost with it, or may not be lent.
   */
  private static @Nullable Lease leaseOf(Task task, int attempt) {
    return task.machine().attempt() == attempt ? task.lease : null;
  }

  // ---- the end of shapes, groups and the job -------------------------------------------------

  private void infeasible(Shape shape) {
    for (Task task : dispatcher.infeasibleNow(shape)) {
      fail(
          task,
          new Outcome.Failure(
              FailureKind.INFEASIBLE,
              "No node can ever hold " + task.name() + ", which needs " + Words.need(shape, ""),
              null,
              0,
              List.of(),
              shape.rejectedBy));
    }
  }

  private void groupGone(OwnerEvent.GroupGone event) {
    for (Task task : dispatcher.bundleGone(event.bundle(), event.failure())) {
      fail(task, event.failure());
    }
    dispatcher.tryAgain();
  }

  private void jobEnded(Outcome.Failure failure) {
    ended = failure;
    for (Task task = live.first(); task != null; task = live.first()) {
      boolean pushed = task.machine().state() == TaskState.PUSHED;
      int attempt = task.machine().attempt();
      cancel(task);
      failResults(task, failure);
      if (pushed) {
        effects.add(new OwnerEffect.Interrupt(task, attempt, null));
      }
    }
  }

  // ---- what is not done -----------------------------------------------------------------------

  LiveTasks live() {
    return live;
  }

  /** The current attempt of a task is lost: runs it again while a budget lasts. */
  void attemptLost(Task task, TaskMachine.Loss loss, Outcome.Failure failure) {
    losses.attemptLost(task, loss, failure);
  }

  /** Says why a task has no result yet. */
  public String why(Task task) {
    return Words.why(task);
  }

  /**
   * Says what a task waits for, and what that waits for, a line each. Costs time in the number of
   * tasks that are not done.
   *
   * @return empty when there is no such task that is not done
   */
  public List<String> explain(TaskId id) {
    for (Task task = live.first(); task != null; task = task.next) {
      if (task.sequence() == id.sequence()) {
        return Words.explain(task);
      }
    }
    return List.of();
  }

  /** Returns how many tasks are not done. */
  public int liveCount() {
    return live.count();
  }

  /** Tells whether tasks wait for a lease. */
  public boolean anyoneWaits() {
    return dispatcher.anyoneWaits();
  }

  /** Returns the shapes that were ever used, in the order of their first use. */
  public List<Shape> shapes() {
    List<Shape> all = new ArrayList<>();
    dispatcher.shapes().forEach(all::add);
    return all;
  }

  /** Returns how many objects lie in stores. */
  public int storedObjects() {
    return ownership.storedObjects();
  }

  /** Returns the objects with a copy on a node, as far as is known. */
  public Collection<OwnedObject> storedOn(NodeId node) {
    return ownership.storedOn(node);
  }

  /** Returns the bytes kept to make lost objects again. */
  public long lineageBytes() {
    return ownership.lineageBytes();
  }

  /**
   * Checks what must hold between events; for tests.
   *
   * @throws io.aktis.core.invariant.BrokenInvariantError when it does not
   */
  public void validate() {
    new Audit(live, dispatcher.shapes()).run();
  }
}
