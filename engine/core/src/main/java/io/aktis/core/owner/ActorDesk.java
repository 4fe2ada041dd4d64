package io.aktis.core.owner;

import io.aktis.core.actor.ActorState;
import io.aktis.core.invariant.Invariant;
import io.aktis.core.task.TaskMachine;
import io.aktis.core.task.TaskState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The actors of one owner: delivers their calls in order, keeps calls while an actor is away, and
 * ends actors.
 *
 * <p>Calls of one caller to an ordered actor are sent in the order they were made, also after a
 * retry: the first that is not ready holds back the later ones of that caller and nobody else.
 * Waiting for a restart costs a call nothing; only a call that had started when its actor was lost
 * is charged.
 *
 * <p>Confined to the owner's loop.
 */
final class ActorDesk {
  private static final Comparator<Task> BY_SUBMISSION = Comparator.comparing(Task::id);

  private final Effects effects;
  private final OwnerMachine owner;
  private final Dispatcher dispatcher;

  ActorDesk(Effects effects, OwnerMachine owner, Dispatcher dispatcher) {
    this.effects = effects;
    this.owner = owner;
    this.dispatcher = dispatcher;
  }

  static Actor actorOf(Task task) {
    Actor actor = task.actor();
    if (actor == null) {
      throw new IllegalStateException(task + " has no actor");
    }
    return actor;
  }

  /** Takes a new call into the queue of its caller; false when the actor is dead. */
  boolean accept(Task call, long caller) {
    Actor actor = actorOf(call);
    Outcome.Failure death = actor.death;
    if (death != null) {
      owner.fail(call, death);
      return false;
    }
    CallQueue queue = actor.queues.get(caller);
    if (queue == null) {
      dropEmptyQueues(actor);
      queue = new CallQueue(caller);
      actor.queues.put(caller, queue);
    }
    call.queue = queue;
    queue.calls.add(call);
    return true;
  }

  /** Forgets callers without calls, whenever their number has doubled. */
  private static void dropEmptyQueues(Actor actor) {
    if (actor.queues.size() >= actor.maxQueues) {
      actor.queues.values().removeIf(queue -> queue.calls.isEmpty());
      actor.maxQueues = Math.max(Actor.MIN_QUEUES, 2 * actor.queues.size());
    }
  }

  /** A call has its arguments, or will never run: those behind it may go on. */
  void ready(Task call) {
    Actor actor = actorOf(call);
    if (actor.machine().takesCalls()) {
      deliver(actor, queueOf(call));
      endIfDrained(actor);
    }
  }

  private static CallQueue queueOf(Task call) {
    CallQueue queue = call.queue;
    if (queue == null) {
      throw new IllegalStateException(call + " has no queue");
    }
    return queue;
  }

  private void deliver(Actor actor, CallQueue queue) {
    if (!actor.isOrdered()) {
      deliverAny(actor, queue);
      return;
    }
    Task head = queue.calls.peek();
    while (head != null && head.machine().state() != TaskState.WAITING) {
      queue.calls.poll();
      if (head.machine().state() == TaskState.QUEUED) {
        send(actor, head);
      }
      head = queue.calls.peek();
    }
    if (head != queue.held) {
      queue.held = head;
      if (head != null && queue.calls.size() > 1) {
        owner.breakDeadlocks(head); // it holds others back now, and may wait for one of those
      }
    }
  }

  private void deliverAny(Actor actor, CallQueue queue) {
    if (queue.calls.size() == 1) { // the usual case: the call that just came
      Task only = queue.calls.getFirst();
      if (only.machine().state() == TaskState.QUEUED) {
        queue.calls.clear();
        send(actor, only);
      }
      return;
    }
    List<Task> ready = new ArrayList<>();
    queue.calls.removeIf(call -> {
      if (call.machine().state() == TaskState.QUEUED) {
        ready.add(call);
      }
      return call.machine().state() != TaskState.WAITING;
    });
    ready.forEach(call -> send(actor, call));
  }

  private void send(Actor actor, Task call) {
    int attempt = call.machine().push();
    call.lease = actor.isOrdered() ? actor.lease : null; // else other calls may run on its CPU
    actor.inFlight.add(call);
    effects.add(new OwnerEffect.PushCall(actor, call, attempt));
  }

  /** A call is done, or goes back to its queue; {@code exits} when the actor leaves with it. */
  void finished(Task call, boolean exits) {
    Actor actor = actorOf(call);
    boolean here = actor.inFlight.remove(call); // else it ran in an earlier life
    if (exits && here && !actor.machine().isDead()) {
      end(
          actor,
          Outcome.Failure.of(
              FailureKind.ACTOR_DIED, "Actor " + actor.name() + " ended itself with exitActor()."),
          false);
      return;
    }
    endIfDrained(actor);
  }

  /** Puts a call that is to be repeated back to the front of its caller's queue. */
  void again(Task call) {
    CallQueue queue = queueOf(call);
    CallQueue known = actorOf(call).queues.putIfAbsent(queue.caller, queue);
    if (known != null && known != queue) {
      queue = known; // its own was empty and forgotten
      call.queue = queue;
    }
    queue.calls.addFirst(call);
  }

  /** The constructor of an actor returned. */
  void constructed(Task creation) {
    Actor actor = actorOf(creation);
    Lease lease = dispatcher.capture(creation);
    actor.creation = creation;
    if (actor.machine().isDead()) {
      endLease(actor, lease, true);
      return;
    }
    actor.lease = lease;
    actor.machine().constructed();
    for (CallQueue queue : actor.queues.values()) {
      deliver(actor, queue);
    }
    endIfDrained(actor);
  }

  /** The constructor threw, or never ran. */
  void constructionFailed(Task creation, Outcome.Failure failure) {
    Actor actor = actorOf(creation);
    if (actor.machine().isDead()) {
      return;
    }
    actor.machine().constructionFailed();
    bury(
        actor,
        new Outcome.Failure(
            FailureKind.ACTOR_DIED,
            "Actor " + actor.name() + " is dead: it could not be made. " + failure.message(),
            failure.cause(),
            failure.attempts(),
            failure.story(),
            failure.details()));
  }

  /** The process of an actor is gone. */
  void lost(OwnerEvent.ActorLost event) {
    Actor actor = event.actor();
    if (actor.machine().isDead() || actor.lease == null) {
      return;
    }
    Lease lease = actor.lease;
    actor.lease = null;
    lease.gone = true;
    boolean restarts = actor.machine().lost();
    List<Task> calls = new ArrayList<>(actor.inFlight);
    actor.inFlight.clear();
    calls.sort(BY_SUBMISSION.reversed());
    Outcome.Failure failure =
        restarts ? unavailable(actor, event.failure()) : dead(actor, event.failure());
    for (Task call : calls) {
      if (!call.machine().isDone()) { // else it was given up, and only its run was still going on
        boolean started = event.started().contains(call);
        retryOrFail(call, started, restarts, failure);
      }
    }
    if (restarts) {
      effects.add(new OwnerEffect.RemakeActor(actor, creationOf(actor)));
    } else {
      bury(actor, failure);
    }
  }

  private static Outcome.Failure dead(Actor actor, Outcome.Failure loss) {
    return Outcome.Failure.of(
        FailureKind.ACTOR_DIED,
        "Actor "
            + actor.name()
            + " is dead: "
            + loss.message()
            + (actor.machine().lives() > 1 ? " Its restarts are used up." : ""));
  }

  private static Task creationOf(Actor actor) {
    Task creation = actor.creation;
    if (creation == null) {
      throw new IllegalStateException(actor + " was never made");
    }
    return creation;
  }

  private void retryOrFail(Task call, boolean started, boolean restarts, Outcome.Failure failure) {
    if (!restarts && !started) {
      owner.fail(call, failure);
      return;
    }
    if (!restarts) {
      call.machine().spendBudgets();
    }
    TaskMachine.Loss loss =
        started ? TaskMachine.Loss.WHILE_RUNNING : TaskMachine.Loss.BEFORE_START;
    owner.attemptLost(call, loss, failure);
  }

  private static Outcome.Failure unavailable(Actor actor, Outcome.Failure cause) {
    return Outcome.Failure.of(
        FailureKind.ACTOR_UNAVAILABLE,
        "The call was in flight when actor "
            + actor.name()
            + " was lost; it may have run. The actor is being restarted, "
            + actor.machine().restartsLeft()
            + " restarts are left. "
            + cause.message());
  }

  void released(Actor actor) {
    if (!actor.machine().isDead()) {
      actor.machine().release();
      endIfDrained(actor);
    }
  }

  private void endIfDrained(Actor actor) {
    if (actor.machine().state() != ActorState.DRAINING || !actor.inFlight.isEmpty()) {
      return;
    }
    for (CallQueue queue : actor.queues.values()) {
      if (queue.calls.stream().anyMatch(call -> !call.machine().isDone())) {
        return;
      }
    }
    end(
        actor,
        Outcome.Failure.of(
            FailureKind.ACTOR_DIED,
            "Actor " + actor.name() + " has ended: its last handle was released."),
        false);
  }

  void killed(Actor actor, String reason) {
    if (!actor.machine().isDead()) {
      end(actor, Outcome.Failure.of(FailureKind.ACTOR_DIED, reason), true);
    }
  }

  private void end(Actor actor, Outcome.Failure reason, boolean interrupt) {
    actor.machine().end();
    Lease lease = actor.lease;
    actor.lease = null;
    bury(actor, reason);
    endLease(actor, lease, interrupt);
  }

  private void endLease(Actor actor, @Nullable Lease lease, boolean interrupt) {
    if (lease != null) {
      effects.add(new OwnerEffect.EndActor(actor, lease, interrupt));
    }
  }

  /** Fails everything that was to be called, and frees the name. */
  private void bury(Actor actor, Outcome.Failure reason) {
    Invariant.check(actor.machine().isDead(), "only the dead are buried", actor);
    actor.death = reason;
    effects.add(new OwnerEffect.ActorDied(actor)); // its name is free before anybody is told
    List<Task> left = new ArrayList<>(actor.inFlight);
    actor.inFlight.clear();
    for (CallQueue queue : actor.queues.values()) {
      left.addAll(queue.calls);
      queue.calls.clear();
    }
    for (Task call : left) {
      if (!call.machine().isDone()) {
        owner.fail(call, reason);
      }
    }
    actor.queues.clear();
    Task creation = actor.creation;
    if (creation != null && !creation.machine().isDone()) {
      owner.cancelQuietly(creation, reason);
    }
  }
}
