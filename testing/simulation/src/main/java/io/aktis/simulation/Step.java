package io.aktis.simulation;

import java.util.List;

/**
 * One thing that user code does. References are counted in the order in which the code gets them,
 * from 0: results of what it submits and values that it puts.
 */
sealed interface Step {
  /** Computes for so long. */
  record Work(long ms) implements Step {}

  /** Submits a task; its results are the next references. */
  record Spawn(TaskSpec task) implements Step {}

  /** Calls an actor of the job; its results are the next references. */
  record Call(int actor, TaskSpec call) implements Step {}

  /** Puts a value; it is the next reference. */
  record Put(boolean large, List<Integer> contained) implements Step {}

  /** Waits for these references, for all or for one of them. */
  record Await(List<Integer> refs, boolean all) implements Step {}

  /** Waits for what the references inside a value name, which is there. */
  record AwaitInside(int ref) implements Step {}

  /** Waits, before the code starts, for arguments that got lost on the way. */
  record AwaitArguments() implements Step {}

  /** Closes a reference. */
  record Drop(int ref) implements Step {}

  /** Cancels what makes a reference. */
  record Cancel(int ref, boolean children, boolean force) implements Step {}

  /** Makes the next actor of the job. */
  record NewActor(ActorSpec actor) implements Step {}

  /** Releases the last handle on an actor. */
  record ReleaseActor(int actor) implements Step {}

  /** Ends an actor at once. */
  record KillActor(int actor) implements Step {}

  /** Makes the next placement group of the job. */
  record NewGroup(List<Integer> bundleCpus, int strategy) implements Step {}

  /** Waits until a group is ready, removed or infeasible. */
  record AwaitGroup(int group) implements Step {}

  /** Removes a group. */
  record RemoveGroup(int group) implements Step {}
}
