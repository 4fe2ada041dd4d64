package io.aktis.runtime.session;

import io.aktis.CallOptions;
import io.aktis.CancelOptions;
import io.aktis.CancelResult;
import io.aktis.ClusterInfo;
import io.aktis.RuntimeEnv;
import io.aktis.core.id.NodeId;
import io.aktis.core.id.ObjectId;
import io.aktis.core.id.TaskId;
import io.aktis.core.owner.LeaseGrant;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.core.owner.Task;
import io.aktis.runtime.loop.Crew;
import io.aktis.runtime.port.Location;
import io.aktis.runtime.port.StorePort;
import io.aktis.spi.Work;
import io.aktis.wire.value.HandleId;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What a session stands on. There are two kinds: {@link OwnerKernel} hosts the machine that owns
 * the work of the job; a kernel in a worker process tells it everything. Callers and running code
 * do not see the difference: both take events, and both settle cells. Thread-safe.
 */
interface Kernel {
  Session session();

  String sessionId();

  /** Returns the owner half of all ids of the job. */
  long ownerNumber();

  /** Returns the environment of all work of the job. */
  RuntimeEnv runtimeEnv();

  Crew crew();

  Values values();

  Admission admission();

  TaskId nextId();

  /** Tells whether values that cannot change are passed on as they are, within this process. */
  boolean sharesValues();

  /** Makes a handle on what an id names that arrived inside a value. */
  Object handle(HandleId id);

  // ---- events ---------------------------------------------------------------------------------

  /** Takes an event for the owner. Any thread. */
  void post(OwnerEvent event);

  /**
   * Takes an event, and helps to handle it if nobody does; for crew threads outside of user code.
   *
   * @return whether it helped, which takes time
   */
  boolean postAndRun(OwnerEvent event);

  /** Runs work on the crew, when what came together was handled. Where messages are handled. */
  void startLater(Runnable work);

  /** An attempt is about to start; what is noted here outlives this process. */
  void starts(long number);

  /** What an actor ran has ended. Any thread. */
  void actorGone(LeaseGrant lease);

  // ---- stores ---------------------------------------------------------------------------------

  /** Returns where values are stored that the run makes, {@code null} for the program itself. */
  Place place(@Nullable Run run);

  /** Returns the store through which an object at that location can be read. */
  StorePort storeFor(Location at);

  /** Returns the labels of a node. */
  SortedMap<String, String> labels(NodeId node);

  // ---- questions, for any thread but those that handle messages
  // ----------------------------------

  /** Says why a task has no result yet. */
  String why(Task task);

  /** Says why an object that no task makes is not there yet. */
  String whyPut(ObjectId object);

  /** Returns the last transitions of a task. */
  List<String> story(Task task);

  /** Returns how often the code of a task was started. */
  int attempts(Task task);

  /** Returns when the owner has handled everything that came before. */
  void awaitHandled();

  /** Cancels the task that makes an object. */
  CancelResult cancel(Cell cell, CancelOptions options);

  /** Returns what options mean, for a task or for the creation of an actor. */
  Settings settings(CallOptions options, boolean creation);

  ClusterInfo cluster();

  // ---- parts ------------------------------------------------------------------------------------

  ActorDoor actors();

  GroupDoor groupDoor();

  /** Starts work of the session's executor in this process. */
  Cell startLocal(Work work);

  /** Waits; work of the session's executor in this process makes room for other work meanwhile. */
  <T extends @Nullable Object> T waitLocally(Waits.BlockingCall<T> wait)
      throws InterruptedException;

  /** Makes what joins a stream that this process reads with the task that makes it. */
  StreamEnd newStream(int limit);

  // ---- the end ----------------------------------------------------------------------------------

  /**
   * Ends everything that the session started.
   *
   * @param threadsTimeoutMs how long to wait for code that ignores its interrupt
   * @return whether the waiting thread was interrupted
   */
  boolean end(long threadsTimeoutMs);
}
