package io.aktis;

import io.aktis.spi.RunningWork;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the running task or actor method knows about itself. Bound to the thread that the engine
 * gave the work; threads that the work starts do not have it.
 */
public interface AktisContext {
  /** Returns the context of the running task, empty outside one. */
  static Optional<AktisContext> current() {
    return RunningWork.context();
  }

  /** Returns the session that runs this work. */
  AktisSession session();

  /** Returns the id of the job. */
  String jobId();

  /** Returns the id of the task or call. */
  String taskId();

  /** Returns the name of the task or call. */
  String taskName();

  /** Returns the id of the actor, empty in a task. */
  Optional<String> actorId();

  /** Returns the name of the actor, empty in a task or for an actor without one. */
  Optional<String> actorName();

  /** Returns the id of the node. */
  String nodeId();

  /** Returns the id of the worker: the process that runs the code. */
  String workerId();

  /** Returns which attempt this is, from 1; in the constructor of an actor, which life. */
  int attempt();

  /** Returns the namespace of the session. */
  String namespace();

  /**
   * Returns the resources this work holds: {@code CPU}, {@code GPU}, {@code memory}, custom ones.
   */
  Map<String, Double> resources();

  /** Returns the ids of the GPUs assigned to this work. */
  List<String> gpuIds();

  /** Returns the labels of the node. */
  Map<String, String> labels();

  /** Returns the placement group this work runs in. */
  Optional<PlacementGroup> placementGroup();

  /** Returns the environment variables of the runtime environment. */
  Map<String, String> env();

  /** Returns whether the actor was made again after it was lost; false in a task. */
  boolean wasRestarted();

  /** Returns whether the task was cancelled; code that runs long should look now and then. */
  boolean isCancelled();

  /**
   * Saves a value for the actor's next life: a copy, kept outside of the actor, replacing the one
   * before.
   *
   * @throws IllegalStateException in a task
   */
  void saveCheckpoint(Object state);

  /**
   * Returns a copy of the value that was saved last, also by an earlier life of this actor.
   *
   * @throws IllegalStateException in a task
   */
  <S> Optional<S> checkpoint(Class<S> type);

  /**
   * Ends this actor after the running call.
   *
   * @throws IllegalStateException in a task
   */
  void exitActor();
}
