package io.aktis.runtime.embedded;

import io.aktis.RuntimeEnv;
import io.aktis.core.id.NodeId;
import io.aktis.core.id.TaskId;
import io.aktis.core.owner.Lease;
import io.aktis.core.owner.OwnerConfig;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.core.owner.OwnerMachine;
import io.aktis.core.owner.Task;
import io.aktis.core.task.TaskState;
import io.aktis.runtime.loop.Crew;
import io.aktis.runtime.loop.Loop;
import io.aktis.runtime.loop.Timers;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The inside of an embedded session: the loop that hosts the owner's machine and the ledgers of the
 * virtual nodes, and the things they share.
 *
 * <p>Machines and ledgers are confined to the loop. What a machine wants done is carried out at
 * once by {@link Shell}; events that follow from it are handled before the next one from outside.
 */
final class Kernel implements Loop.Host<Object> {
  private static final int PLATFORM_THREADS = 256;
  private static final int CLOCK_MASK = 15;

  private final EmbeddedSession session;
  private final String sessionId;
  private final RuntimeEnv runtimeEnv;
  private final long ownerNumber;
  private final Crew crew;
  private final Loop<Object> loop;
  private final Timers timers;
  private final OwnerMachine owner;
  private final Map<NodeId, VirtualNode> nodes;
  private final VirtualNode home;
  private final ViewChooser chooser;
  private final Values values;
  private final Directory directory;
  private final Shell shell;
  private final Groups groups;
  private final Admission admission;
  private final AtomicLong sequence = new AtomicLong();
  private final ArrayDeque<OwnerEvent> followUps = new ArrayDeque<>();
  private final List<Runnable> toStart = new ArrayList<>();
  private final List<Cell> toTell = new ArrayList<>();
  private volatile @Nullable Throwable broken;

  /** The time for the machine; looked at now and then, for that is all the precision it needs. */
  private long timeMs = nowMs();

  private int steps;
  private boolean anyFailed;
  private boolean calm = true;

  Kernel(EmbeddedSession session, KernelParts parts) {
    this.session = session;
    this.sessionId = parts.sessionId();
    this.runtimeEnv = parts.options().runtimeEnv();
    this.ownerNumber = parts.ownerNumber();
    this.nodes = parts.nodes();
    this.home = nodes.values().iterator().next();
    this.values = new Values(this, parts.codec(new Handles(this)));
    this.directory = new Directory(values);
    this.admission = new Admission(parts.options().maxPendingTasks());
    this.crew = new Crew("aktis-" + sessionId, PLATFORM_THREADS, parts.loader());
    this.timers = new Timers("aktis-" + sessionId + "-timer");
    this.chooser = new ViewChooser(nodes, ownerNumber);
    this.owner =
        new OwnerMachine(
            new OwnerConfig(
                ownerNumber,
                parts.options().infeasibleGrace().toMillis(),
                parts.options().maxLineageBytes()),
            chooser);
    this.loop = new Loop<>(crew, this);
    this.shell = new Shell(this);
    this.groups = new Groups(this, parts.options().infeasibleGrace().toMillis());
  }

  EmbeddedSession session() {
    return session;
  }

  String sessionId() {
    return sessionId;
  }

  RuntimeEnv runtimeEnv() {
    return runtimeEnv;
  }

  long ownerNumber() {
    return ownerNumber;
  }

  Crew crew() {
    return crew;
  }

  Timers timers() {
    return timers;
  }

  Values values() {
    return values;
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

  /** Returns who lets work in; see there for what is for the loop only. */
  Admission admission() {
    return admission;
  }

  /** Returns the machine; only for use on the loop. */
  OwnerMachine owner() {
    return owner;
  }

  /** Returns the chooser; only for use on the loop. */
  ViewChooser chooser() {
    return chooser;
  }

  Collection<VirtualNode> nodes() {
    return nodes.values();
  }

  VirtualNode node(NodeId id) {
    if (home.id().equals(id)) {
      return home; // most sessions have one node, and are asked often
    }
    VirtualNode node = nodes.get(id);
    if (node == null) {
      throw new IllegalArgumentException("there is no node " + id);
    }
    return node;
  }

  /** Returns the node where the driver's values are put. */
  VirtualNode home() {
    if (home.isAlive()) {
      return home;
    }
    for (VirtualNode node : nodes.values()) {
      if (node.isAlive()) {
        return node;
      }
    }
    return home;
  }

  TaskId nextId() {
    return TaskId.of(ownerNumber, sequence.incrementAndGet());
  }

  /** Takes an event for the loop. Any thread. */
  void post(OwnerEvent event) {
    loop.post(event);
  }

  /** Takes an event and runs the loop if nobody does; for crew threads outside of user code. */
  boolean postAndRun(OwnerEvent event) {
    return loop.postAndRun(event);
  }

  /** Runs an action on the loop. Any thread. */
  void onLoop(Runnable action) {
    loop.post(action);
  }

  /** Asks something on the loop and waits for the answer. Not for use on the loop. */
  <T> T ask(Supplier<T> question) {
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

  /** Adds an event that follows from the one that is being handled. On the loop. */
  void follow(OwnerEvent event) {
    followUps.add(event);
  }

  /** Runs work on the crew when the batch is over. On the loop. */
  void startLater(Runnable work) {
    toStart.add(work);
  }

  /** Tells those who wait for a cell when the batch is over. On the loop. */
  void tellLater(Cell settled, boolean failed) {
    toTell.add(settled);
    anyFailed |= failed;
  }

  /** Something was done that is not only the queueing of work. On the loop. */
  void acted() {
    calm = false;
  }

  @Override
  public void handle(Object message) {
    try {
      if (message instanceof OwnerEvent event) {
        step(event);
        calm &= event instanceof OwnerEvent.Submitted submitted && isOnlyQueued(submitted.task());
      } else {
        calm = false;
        ((Runnable) message).run();
      }
      for (OwnerEvent next = followUps.poll(); next != null; next = followUps.poll()) {
        step(next);
      }
    } catch (Throwable thrown) {
      brokenBy(thrown);
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
    try {
      tellWaiters();
      startWork();
      admission.makeRoom();
    } catch (Throwable thrown) {
      brokenBy(thrown);
    }
    boolean wasCalm = calm;
    calm = true;
    return wasCalm;
  }

  private void startWork() {
    for (int i = 0; i < toStart.size(); i++) {
      crew.execute(toStart.get(i));
    }
    toStart.clear();
  }

  /** One fence for all: a waiter that is not seen after it sees the outcome. */
  private void tellWaiters() {
    if (toTell.isEmpty()) {
      return;
    }
    VarHandle.fullFence();
    for (int i = 0; i < toTell.size(); i++) {
      toTell.get(i).tell();
    }
    toTell.clear();
    if (anyFailed) {
      anyFailed = false;
      session.waits().failed();
    }
  }

  static long nowMs() {
    return System.nanoTime() / 1_000_000;
  }

  /** A rule of the engine is broken: says so, and fails what waits rather than let it hang. */
  private void brokenBy(Throwable thrown) {
    followUps.clear();
    toStart.clear();
    if (broken == null) {
      broken = thrown;
      Log.LOG.error(
          "The engine of session {} has met a bug of its own and stops. Please report it.",
          sessionId,
          thrown);
      session.breakDown(thrown);
    }
  }

  @Nullable Throwable broken() {
    return broken;
  }

  /** What an actor ran has ended. Any thread. */
  void actorGone(Lease lease) {
    onLoop(() -> shell.release(lease));
  }

  /** Keeps what code threw so that everybody gets a copy. */
  Object keepThrowable(Throwable thrown) {
    return values.codec().encodeThrowable(thrown);
  }

  /** Loses a node as if its machine were gone. On the loop. */
  void killNode(VirtualNode node) {
    if (node.isAlive()) {
      node.die();
      chooser.changed(node);
      new NodeLoss(this, node).carryOut();
    }
  }
}
