package io.aktis.runtime.session;

import io.aktis.CallOptions;
import io.aktis.CancelOptions;
import io.aktis.CancelResult;
import io.aktis.ClusterInfo;
import io.aktis.RuntimeEnv;
import io.aktis.core.id.NodeId;
import io.aktis.core.id.ObjectId;
import io.aktis.core.id.TaskId;
import io.aktis.core.owner.FailureKind;
import io.aktis.core.owner.Lease;
import io.aktis.core.owner.LeaseGrant;
import io.aktis.core.owner.Outcome;
import io.aktis.core.owner.OwnedObject;
import io.aktis.core.owner.OwnerConfig;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.core.owner.OwnerMachine;
import io.aktis.core.owner.Task;
import io.aktis.core.task.TaskState;
import io.aktis.runtime.form.WireIds;
import io.aktis.runtime.loop.Crew;
import io.aktis.runtime.loop.Loop;
import io.aktis.runtime.loop.Timers;
import io.aktis.runtime.port.Location;
import io.aktis.runtime.port.StorePort;
import io.aktis.spi.Work;
import io.aktis.wire.value.HandleId;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The inside of a session that owns its work: the loop that hosts the owner's machine, and the
 * nodes that it uses. An embedded session has virtual nodes, whose ledgers the loop hosts too; that
 * of a cluster talks to daemons and workers.
 *
 * <p>Machines and ledgers are confined to the loop. What a machine wants done is carried out at
 * once by {@link Shell}; events that follow from it are handled before the next one from outside.
 */
final class OwnerKernel implements Kernel, Loop.Host<Object> {
  private static final int PLATFORM_THREADS = 256;
  private static final int CLOCK_MASK = 15;

  private final Session session;
  private final KernelParts parts;
  private final Crew crew;
  private final Loop<Object> loop;
  private final Timers timers;
  private final OwnerMachine owner;
  private final Map<NodeId, NodePort> nodes = new ConcurrentSkipListMap<>();
  private final Stores stores;
  private final ViewChooser chooser;
  private final Values values;
  private final Directory directory;
  private final Shell shell;
  private final Groups groups;
  private final Admission admission;
  private final SettingsTable settings;
  private final OwnerActors actors;
  private final Exports exports = new Exports();
  private final LocalTasks localTasks;
  private final AtomicLong sequence = new AtomicLong();
  private final ArrayDeque<OwnerEvent> followUps = new ArrayDeque<>();
  private final BatchEnd batchEnd;
  private @Nullable NodeDesk cluster;
  private @Nullable OtherJobs otherJobs;

  // Not made embedded: their classes cost time at the start.
  private @Nullable WireOutcomes wire;
  private @Nullable WireOptions wireOptions;
  private volatile @Nullable Throwable broken;

  /** The thread that handles a message at the moment. */
  private @Nullable Thread handling;

  /** The node that was asked for last: most sessions have one, and are asked often. */
  private volatile @Nullable NodePort lastNode;

  /** The time for the machine; looked at now and then, for that is all the precision it needs. */
  private long timeMs = nowMs();

  private int steps;
  private boolean calm = true;

  OwnerKernel(Session session, KernelParts parts) {
    this.session = session;
    this.parts = parts;
    this.values = new Values(this, parts.codec(new Handles(this)));
    this.directory = new Directory(values);
    this.admission = new Admission(parts.options().maxPendingTasks());
    this.crew = new Crew("aktis-" + parts.sessionId(), PLATFORM_THREADS, parts.loader());
    this.batchEnd = new BatchEnd(session, crew);
    this.timers = new Timers("aktis-" + parts.sessionId() + "-timer");
    this.chooser = new ViewChooser(nodes, parts.ownerNumber());
    this.owner =
        new OwnerMachine(
            new OwnerConfig(
                parts.ownerNumber(),
                parts.options().infeasibleGrace().toMillis(),
                parts.options().maxLineageBytes()),
            chooser);
    this.loop = new Loop<>(crew, this);
    this.shell = new Shell(this);
    this.groups = new Groups(this, parts.options().infeasibleGrace().toMillis());
    this.stores = parts.stores(this);
    this.settings = new SettingsTable(this, parts.port());
    this.actors = new OwnerActors(this);
    this.localTasks = new LocalTasks(this);
  }

  @Override
  public Session session() {
    return session;
  }

  @Override
  public String sessionId() {
    return parts.sessionId();
  }

  @Override
  public RuntimeEnv runtimeEnv() {
    return parts.options().runtimeEnv();
  }

  @Override
  public long ownerNumber() {
    return parts.ownerNumber();
  }

  @Override
  public Crew crew() {
    return crew;
  }

  @Override
  public Values values() {
    return values;
  }

  @Override
  public boolean sharesValues() {
    return parts.isEmbedded();
  }

  @Override
  public GroupDoor groupDoor() {
    return groups;
  }

  @Override
  public OwnerActors actors() {
    return actors;
  }

  @Override
  public StreamEnd newStream(int limit) {
    return new StreamBuffer(this, limit);
  }

  /** Returns who lets work in; see there for what is for the loop only. */
  @Override
  public Admission admission() {
    return admission;
  }

  Timers timers() {
    return timers;
  }

  Directory directory() {
    return directory;
  }

  Groups groups() {
    return groups;
  }

  Shell shell() {
    return shell;
  }

  /** Returns the machine; only for use on the loop. */
  OwnerMachine owner() {
    return owner;
  }

  /** Returns the chooser; only for use on the loop. */
  ViewChooser chooser() {
    return chooser;
  }

  @Override
  public TaskId nextId() {
    return TaskId.of(parts.ownerNumber(), sequence.incrementAndGet());
  }

  // ---- other processes ------------------------------------------------------------------------

  /** Joins it with the processes of a cluster, before it is used. */
  void cluster(NodeDesk desk, OtherJobs others) {
    otherJobs = others;
    wire = new WireOutcomes(values, new OwnerTokens(this));
    wireOptions =
        new WireOptions(
            values, parts.loader(), group -> groups.find(WireIds.group(group.getGroup())));
    cluster = desk;
  }

  /** Tells whether other jobs may be there: an embedded session is alone. */
  boolean hasOtherJobs() {
    return otherJobs != null;
  }

  NodeDesk nodeDesk() {
    return Objects.requireNonNull(cluster, "an embedded session has no daemons");
  }

  OtherJobs otherJobs() {
    return Objects.requireNonNull(otherJobs, "an embedded session is alone");
  }

  /** Returns the objects that workers know; only for use on the loop. */
  Exports exports() {
    return exports;
  }

  WireOutcomes wire() {
    return Objects.requireNonNull(wire, "an embedded session sends no messages");
  }

  WireOptions wireOptions() {
    return Objects.requireNonNull(wireOptions, "an embedded session sends no messages");
  }

  int maxPendingTasks() {
    return parts.options().maxPendingTasks();
  }

  /** An object is being made again: tells the workers that hold it. On the loop. */
  void unsettled(OwnedObject object) {
    if (cluster != null) {
      cluster.unsettled(object);
    }
  }

  @Override
  public Cell startLocal(Work work) {
    return parts.isEmbedded() ? session.engine().submitLocal(work) : localTasks.start(work);
  }

  @Override
  public <T extends @Nullable Object> T waitLocally(Waits.BlockingCall<T> wait)
      throws InterruptedException {
    return parts.isEmbedded() ? wait.call() : localTasks.lending(wait);
  }

  @Override
  public Object handle(HandleId id) {
    throw new IllegalStateException("a reference arrived as bytes where it is owned: " + id);
  }

  // ---- nodes ----------------------------------------------------------------------------------

  /** Takes a node into use, perhaps anew. Before the session is used, or on the loop. */
  void addNode(NodePort node) {
    nodes.put(node.id(), node);
    lastNode = null;
    chooser.changed(node);
  }

  /** Returns all nodes that were ever there and are not forgotten. */
  Collection<NodePort> nodes() {
    return nodes.values();
  }

  @Nullable NodePort findNode(NodeId id) {
    NodePort last = lastNode;
    if (last != null && last.id().equals(id)) {
      return last;
    }
    NodePort node = nodes.get(id);
    lastNode = node;
    return node;
  }

  NodePort node(NodeId id) {
    NodePort node = findNode(id);
    if (node == null) {
      throw new IllegalArgumentException("there is no node " + id);
    }
    return node;
  }

  @Override
  public Place place(@Nullable Run run) {
    return stores.place(run);
  }

  @Override
  public StorePort storeFor(Location at) {
    return stores.storeFor(at);
  }

  @Override
  public SortedMap<String, String> labels(NodeId node) {
    return node(node).labels();
  }

  /** Something became free on a node. On the loop. */
  void resourcesFreed(boolean someoneWasRefused) {
    if (someoneWasRefused || owner.anyoneWaits()) {
      follow(new OwnerEvent.TryAgain());
    }
    groups.roomMade();
  }

  // ---- events ---------------------------------------------------------------------------------

  @Override
  public void post(OwnerEvent event) {
    loop.post(event);
  }

  @Override
  public boolean postAndRun(OwnerEvent event) {
    return loop.postAndRun(event);
  }

  /** Runs an action on the loop. Any thread. */
  void onLoop(Runnable action) {
    loop.post(action);
  }

  /** Runs an action on the loop, here if nobody runs it. Threads that bring in messages. */
  void runOnLoop(Runnable action) {
    loop.postAndRun(action);
  }

  /** Asks something on the loop and waits for the answer; on the loop itself, asks at once. */
  <T> T ask(Supplier<T> question) {
    if (isOnLoop()) {
      return question.get();
    }
    CompletableFuture<T> answer = new CompletableFuture<>();
    loop.post(
        (Runnable)
            () -> {
              try {
                answer.complete(question.get());
              } catch (Throwable thrown) {
                answer.completeExceptionally(thrown);
              }
            });
    return answer.join();
  }

  /** Tells whether this thread handles messages now, and so must not wait. */
  boolean isOnLoop() {
    return handling == Thread.currentThread(); // only this thread can have set it to itself
  }

  /** Adds an event that follows from the one that is being handled. On the loop. */
  void follow(OwnerEvent event) {
    followUps.add(event);
  }

  @Override
  public void startLater(Runnable work) {
    batchEnd.start(work);
  }

  /** Tells those who wait for a cell when the batch is over. On the loop. */
  void tellLater(Cell settled, boolean failed) {
    batchEnd.tell(settled, failed);
  }

  /** Something was done that is not only the queueing of work. On the loop. */
  void acted() {
    calm = false;
  }

  @Override
  public void handle(Object message) {
    if (handling == null) {
      handling = Thread.currentThread(); // for the whole batch: this is done for each small task
    }
    try {
      if (message instanceof OwnerEvent event) {
        step(event);
        calm &= event instanceof OwnerEvent.Submitted submitted && isOnlyQueued(submitted.task());
      } else {
        calm = false;
        ((Runnable) message).run();
      }
      drain();
    } catch (Throwable thrown) {
      brokenBy(thrown);
    }
  }

  /** Handles what followed so far. On the loop. */
  void drain() {
    for (OwnerEvent next = followUps.poll(); next != null; next = followUps.poll()) {
      step(next);
    }
  }

  /** Takes note of new work; tells whether it waits for those who are at work. */
  private boolean isOnlyQueued(Task task) {
    admission.seen(task.kind());
    return task.machine().state() == TaskState.QUEUED;
  }

  private void step(OwnerEvent event) {
    if (event instanceof OwnerEvent.Timer || (++steps & CLOCK_MASK) == 0) {
      timeMs = nowMs();
    }
    owner.on(event, timeMs, shell);
  }

  @Override
  public boolean endBatch() {
    handling = null;
    try {
      batchEnd.carryOut();
      admission.makeRoom();
    } catch (Throwable thrown) {
      brokenBy(thrown);
    }
    boolean wasCalm = calm;
    calm = true;
    return wasCalm;
  }

  static long nowMs() {
    return System.nanoTime() / 1_000_000;
  }

  /** A rule of the engine is broken: says so, and fails what waits rather than let it hang. */
  private void brokenBy(Throwable thrown) {
    followUps.clear();
    batchEnd.forget();
    if (broken == null) {
      broken = thrown;
      Log.LOG.error(
          "The engine of session {} has met a bug of its own and stops. Please report it.",
          sessionId(),
          thrown);
      session.markClosed();
      follow(
          new OwnerEvent.JobEnded(
              Outcome.Failure.of(
                  FailureKind.SESSION_CLOSED,
                  "Session "
                      + sessionId()
                      + " has stopped: a rule of the engine is broken ("
                      + thrown.getMessage()
                      + "). This is a bug of Aktis.")));
    }
  }

  @Nullable Throwable broken() {
    return broken;
  }

  @Override
  public void starts(long number) {} // it lives and dies with its owner

  @Override
  public void actorGone(LeaseGrant grant) {
    onLoop(() -> released(grant));
  }

  /** The work of a lease has ended: the lease goes back, unless its node is gone. On the loop. */
  void released(LeaseGrant grant) {
    NodePort node = findNode(grant.node());
    Lease lease = node == null ? null : node.leases().get(grant.id());
    if (node != null && lease != null) {
      node.release(lease);
    } else {
      groups.released(grant.id());
    }
  }

  // ---- questions ------------------------------------------------------------------------------

  @Override
  public String why(Task task) {
    return ask(() -> owner.why(task));
  }

  @Override
  public String whyPut(ObjectId object) {
    Optional<String> why =
        otherJobs == null ? Optional.empty() : ask(() -> otherJobs().actors().why(object));
    return why.orElse("it is being put");
  }

  @Override
  public List<String> story(Task task) {
    return ask(task::story);
  }

  @Override
  public int attempts(Task task) {
    return ask(() -> task.machine().starts());
  }

  @Override
  public void awaitHandled() {
    ask(() -> true);
  }

  @Override
  public CancelResult cancel(Cell cell, CancelOptions options) {
    if (localTasks.interrupt(cell)) {
      return CancelResult.INTERRUPTED;
    }
    if (otherJobs != null && cell.object().producer() == null) {
      return otherJobs.actors().cancel(cell, options).orElse(CancelResult.ALREADY_DONE);
    }
    return new Cancellation(this, cell, options).carryOut();
  }

  @Override
  public Settings settings(CallOptions options, boolean creation) {
    return creation ? settings.creation(options) : settings.task(options);
  }

  @Override
  public ClusterInfo cluster() {
    return new ClusterReport(this).make();
  }

  boolean isEmbedded() {
    return parts.isEmbedded();
  }

  // ---- the end --------------------------------------------------------------------------------

  /** Loses a node as if its machine were gone. On the loop. */
  void killNode(LocalNode node) {
    if (node.isAlive()) {
      node.virtual().die();
      chooser.changed(node);
      new NodeLoss(this, node).carryOut();
    }
  }

  @Override
  public boolean end(long threadsTimeoutMs) {
    Outcome.Failure reason =
        Outcome.Failure.of(FailureKind.SESSION_CLOSED, "Session " + sessionId() + " was closed.");
    ask(() -> {
      if (otherJobs != null) {
        otherJobs.close();
      }
      follow(new OwnerEvent.JobEnded(reason));
      groups.jobEnded();
      for (ActorEntry entry : directory.all()) {
        follow(new OwnerEvent.ActorKilled(entry.actor(), reason.message()));
      }
      return true;
    });
    if (cluster != null) {
      cluster.awaitIdle(threadsTimeoutMs);
    }
    boolean interrupted = endThreads(threadsTimeoutMs);
    stores.close();
    values.codec().close();
    return interrupted;
  }

  private boolean endThreads(long timeoutMs) {
    crew.close();
    try {
      if (!crew.awaitEnd(timeoutMs)) {
        Log.LOG.warn(
            "Session {} is closed, but {} of its threads ignore their interrupt and go on.",
            sessionId(),
            crew.threadCount());
      }
      timers.close();
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }
}
