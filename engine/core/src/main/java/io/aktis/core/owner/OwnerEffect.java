package io.aktis.core.owner;

import io.aktis.core.id.NodeId;
import io.aktis.core.lease.LeaseRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an owner wants done. */
public sealed interface OwnerEffect {
  /**
   * Ask a node for a lease; it is answered with granted or refused.
   *
   * @param node the node
   * @param shape the shape, to be given back in the answer
   * @param request what to ask
   */
  record AskLease(NodeId node, Shape shape, LeaseRequest request) implements OwnerEffect {}

  /**
   * Tell the nodes that refused this shape that no work of it is left.
   *
   * @param shape the shape
   */
  record Satisfied(Shape shape) implements OwnerEffect {}

  /**
   * Give a lease back.
   *
   * @param lease the lease
   */
  record GiveBack(Lease lease) implements OwnerEffect {}

  /**
   * Tell the node that a lease is kept for the next work and may be reclaimed.
   *
   * @param lease the lease
   */
  record MarkIdle(Lease lease) implements OwnerEffect {}

  /**
   * Tell the node that a lease is in use again.
   *
   * @param lease the lease
   */
  record MarkBusy(Lease lease) implements OwnerEffect {}

  /**
   * Send a task to a worker.
   *
   * @param task the task
   * @param attempt the attempt
   * @param lease the lease to run it on
   */
  record Push(Task task, int attempt, Lease lease) implements OwnerEffect {}

  /**
   * Send a call to its actor.
   *
   * @param actor the actor
   * @param task the call
   * @param attempt the attempt
   */
  record PushCall(Actor actor, Task task, int attempt) implements OwnerEffect {}

  /**
   * Ask for the tasks of a lease that have not started.
   *
   * @param lease the lease
   */
  record Recall(Lease lease) implements OwnerEffect {}

  /**
   * The work of a lease waits: its CPU goes back.
   *
   * @param lease the lease
   */
  record LeaseBlocked(Lease lease) implements OwnerEffect {}

  /**
   * The work of a lease wants its CPU again.
   *
   * @param lease the lease
   * @param waiter who waits for it
   */
  record LeaseUnblocked(Lease lease, Object waiter) implements OwnerEffect {}

  /**
   * A task that waited goes on, it needs no CPU back.
   *
   * @param waiter who waited
   */
  record Resume(Object waiter) implements OwnerEffect {}

  /**
   * An object has its outcome; whoever waits for it is to be woken.
   *
   * @param object the object
   * @param outcome the outcome
   */
  record Settle(OwnedObject object, Outcome outcome) implements OwnerEffect {}

  /**
   * The outcome of an object is no longer there; it is being made again.
   *
   * @param object the object
   */
  record Unsettle(OwnedObject object) implements OwnerEffect {}

  /**
   * A task is done for the first time, whatever became of it.
   *
   * @param task the task
   */
  record Done(Task task) implements OwnerEffect {}

  /**
   * Delete the copy of an object.
   *
   * @param object the object
   * @param node the node that has it
   */
  record DeleteCopy(OwnedObject object, NodeId node) implements OwnerEffect {}

  /**
   * End an attempt: withdraw it when it has not started (the answer is {@link
   * OwnerEvent.Withdrawn}), interrupt its thread otherwise.
   *
   * @param task the task
   * @param attempt the attempt
   * @param ticket who is to be told which of both it was, {@code null} for nobody
   */
  record Interrupt(Task task, int attempt, @Nullable Object ticket) implements OwnerEffect {}

  /**
   * Kill the process that serves a lease, where it is not the own one: code runs there that does
   * not end. What is lost with it was {@linkplain io.aktis.core.task.TaskMachine.Loss#BYSTANDER
   * beside} that.
   *
   * @param lease the lease
   */
  record KillProcess(Lease lease) implements OwnerEffect {}

  /**
   * Tell who cancelled what happened.
   *
   * @param ticket what came with the request
   * @param task the task
   * @param answer what happened
   */
  record CancelAnswered(@Nullable Object ticket, Task task, CancelAnswer answer)
      implements OwnerEffect {}

  /** What a cancellation met. */
  enum CancelAnswer {
    /** It had not started and never will. */
    NEVER_STARTED,
    /** It runs, and was interrupted. */
    INTERRUPTED,
    /** It was done. */
    ALREADY_DONE
  }

  /**
   * The actor is dead: its name is free.
   *
   * @param actor the actor
   */
  record ActorDied(Actor actor) implements OwnerEffect {}

  /**
   * End what an actor runs; the worker gives the lease back to its node when that has ended.
   *
   * @param actor the actor
   * @param lease the lease it lives on
   * @param interrupt whether a running call is interrupted, or finished
   */
  record EndActor(Actor actor, Lease lease, boolean interrupt) implements OwnerEffect {}

  /**
   * Make the actor again.
   *
   * @param actor the actor
   * @param creation the creation of its last life
   */
  record RemakeActor(Actor actor, Task creation) implements OwnerEffect {}

  /**
   * Send the event after some time.
   *
   * @param delayMs the time
   * @param event the event
   */
  record StartTimer(long delayMs, OwnerEvent event) implements OwnerEffect {}

  /**
   * Report of a circle of actors that wait for each other; for the log.
   *
   * @param chain the tasks in the circle
   */
  record DeadlockFound(List<Task> chain) implements OwnerEffect {}
}
