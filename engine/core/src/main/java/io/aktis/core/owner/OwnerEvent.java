package io.aktis.core.owner;

import io.aktis.core.id.BundleId;
import io.aktis.core.id.LeaseId;
import io.aktis.core.id.NodeId;
import io.aktis.core.task.TaskMachine;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an owner is told. */
public sealed interface OwnerEvent {
  /**
   * A task, a creation or a call was submitted.
   *
   * @param task the task, with arguments and results set
   * @param caller who submits it: calls of one caller to one actor keep their order
   * @param timeoutMs time limit from now, 0 for none
   */
  record Submitted(Task task, long caller, long timeoutMs) implements OwnerEvent {}

  /**
   * A value was put.
   *
   * @param object the object
   * @param outcome where it is
   */
  record Put(OwnedObject object, Outcome outcome) implements OwnerEvent {}

  /**
   * A node granted a lease.
   *
   * @param shape the shape it was asked for
   * @param id the lease
   * @param node the node
   * @param bundle the bundle it runs in
   * @param gpuIds devices for its work
   */
  record LeaseGranted(
      Shape shape, LeaseId id, NodeId node, @Nullable BundleId bundle, List<String> gpuIds)
      implements OwnerEvent {}

  /**
   * A node refused a lease.
   *
   * @param shape the shape it was asked for
   * @param id the lease
   * @param reason why
   */
  record LeaseRefused(Shape shape, LeaseId id, String reason) implements OwnerEvent {}

  /**
   * No worker can be made for work of this shape: what waits for one fails.
   *
   * @param shape the shape
   * @param failure what those fail with
   */
  record ShapeFailed(Shape shape, Outcome.Failure failure) implements OwnerEvent {}

  /** Something became free, or a node came: shapes that wait may ask again. */
  record TryAgain() implements OwnerEvent {}

  /**
   * A node needs the resources of leases that lie idle.
   *
   * @param leases the leases
   */
  record Reclaimed(List<LeaseId> leases) implements OwnerEvent {}

  /**
   * The code returned.
   *
   * @param task the task
   * @param attempt the attempt that ran
   * @param outcomes one a result
   * @param nanos how long it ran
   * @param exits whether the actor ends with this call
   */
  record Succeeded(Task task, int attempt, List<Outcome> outcomes, long nanos, boolean exits)
      implements OwnerEvent {}

  /**
   * The code threw.
   *
   * @param task the task
   * @param attempt the attempt that ran
   * @param failure what it threw
   * @param retryable whether the task asks to be run again after this failure
   * @param nanos how long it ran
   * @param exits whether the actor ends with this call
   */
  record Threw(
      Task task, int attempt, Outcome.Failure failure, boolean retryable, long nanos, boolean exits)
      implements OwnerEvent {}

  /**
   * A worker gives back tasks that it has not started.
   *
   * @param lease the lease they were sent to
   * @param tasks the tasks in their order
   */
  record Returned(Lease lease, List<Task> tasks) implements OwnerEvent {}

  /**
   * The worker of a lease is gone, and with it what ran there.
   *
   * @param lease the lease
   * @param loss how those are charged that had started
   * @param started those of its tasks that had started
   * @param failure what they fail with when no budget is left
   */
  record LeaseLost(Lease lease, TaskMachine.Loss loss, List<Task> started, Outcome.Failure failure)
      implements OwnerEvent {}

  /**
   * A node has ended the work of a lease, for good: nothing of it runs again.
   *
   * @param lease the lease
   * @param failure what its tasks fail with
   */
  record LeaseEnded(Lease lease, Outcome.Failure failure) implements OwnerEvent {}

  /**
   * The process of an actor is gone.
   *
   * @param actor the actor
   * @param started those of its calls that had started
   * @param failure what the actor dies of when no restart is left
   */
  record ActorLost(Actor actor, List<Task> started, Outcome.Failure failure)
      implements OwnerEvent {}

  /**
   * A node is gone; leases and actors on it are told apart from this.
   *
   * @param node the node
   */
  record NodeGone(NodeId node) implements OwnerEvent {}

  /**
   * A task waits in a get or wait.
   *
   * @param task the task
   * @param attempt the attempt that waits
   * @param on what it waits for, all of it
   */
  record Blocked(Task task, int attempt, List<OwnedObject> on) implements OwnerEvent {}

  /**
   * A task that waited wants to go on. The answer is {@link OwnerEffect.Resume} or {@link
   * OwnerEffect.LeaseUnblocked}, also for an attempt that counts no more.
   *
   * @param task the task
   * @param attempt the attempt that waited
   * @param waiter the shell's; comes back in the answer
   */
  record Unblocked(Task task, int attempt, Object waiter) implements OwnerEvent {}

  /**
   * An argument was lost before the code started.
   *
   * @param task the task
   * @param attempt the attempt
   */
  record ArgumentLost(Task task, int attempt) implements OwnerEvent {}

  /**
   * Somebody cancels a task.
   *
   * @param task the task
   * @param children whether what it submitted is cancelled too
   * @param reason why, for the failure
   * @param ticket the shell's; comes back in {@link OwnerEffect.CancelAnswered}
   */
  record CancelAsked(Task task, boolean children, String reason, @Nullable Object ticket)
      implements OwnerEvent {}

  /**
   * A cancelled attempt ignored the interrupt for too long; its result is taken away, and its
   * process is killed when that costs nothing that cannot be done again.
   *
   * @param task the task
   * @param attempt the attempt
   * @param reason why, for the failure
   * @param besideActors whether actors live in its process, whose state would be lost
   */
  record GivenUp(Task task, int attempt, String reason, boolean besideActors)
      implements OwnerEvent {}

  /**
   * A cancelled attempt had not started and never will.
   *
   * @param task the task
   * @param attempt the attempt
   */
  record Withdrawn(Task task, int attempt) implements OwnerEvent {}

  /**
   * One more reference holds each of these objects.
   *
   * @param objects the objects
   */
  record Retained(List<OwnedObject> objects) implements OwnerEvent {}

  /**
   * One reference less holds each of these objects.
   *
   * @param objects the objects
   */
  record Released(List<OwnedObject> objects) implements OwnerEvent {}

  /**
   * The collector has proved that no reference to an object is left.
   *
   * @param object the object
   */
  record Collected(OwnedObject object) implements OwnerEvent {}

  /**
   * The last handle on an actor is gone.
   *
   * @param actor the actor
   */
  record ActorReleased(Actor actor) implements OwnerEvent {}

  /**
   * Somebody ends an actor at once.
   *
   * @param actor the actor
   * @param reason why, for those who call it
   */
  record ActorKilled(Actor actor, String reason) implements OwnerEvent {}

  /**
   * A placement group is removed, or a bundle of it can never be placed: what waits for it fails.
   *
   * @param bundle the bundle, or any for the whole group
   * @param failure what those fail with
   */
  record GroupGone(BundleId bundle, Outcome.Failure failure) implements OwnerEvent {}

  /**
   * The job is over.
   *
   * @param failure what everything fails with that is not done
   */
  record JobEnded(Outcome.Failure failure) implements OwnerEvent {}

  /** A timer that was started with {@link OwnerEffect.StartTimer}. */
  sealed interface Timer extends OwnerEvent {
    /** Leases that lie idle for long are given back. */
    record IdleSweep() implements Timer {}

    /**
     * The grace time of work that no node can hold is over.
     *
     * @param shape the shape
     */
    record InfeasibleCheck(Shape shape) implements Timer {}

    /**
     * Tasks that were sent ahead may be better off elsewhere.
     *
     * @param shape the shape
     */
    record RecallCheck(Shape shape) implements Timer {}

    /**
     * The time limit of a task is over.
     *
     * @param task the task
     */
    record TimeIsOver(Task task) implements Timer {}

    /**
     * The pause of a task before its next attempt is over.
     *
     * @param task the task
     */
    record PauseIsOver(Task task) implements Timer {}
  }
}
