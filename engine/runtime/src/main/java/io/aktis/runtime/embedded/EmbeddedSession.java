package io.aktis.runtime.embedded;

import io.aktis.ActorHandle;
import io.aktis.AktisSession;
import io.aktis.ClusterInfo;
import io.aktis.NodeInfo;
import io.aktis.ObjectRef;
import io.aktis.PendingWork;
import io.aktis.PlacementGroup;
import io.aktis.SessionClosedException;
import io.aktis.SessionOptions;
import io.aktis.WaitOption;
import io.aktis.WaitResult;
import io.aktis.core.owner.FailureKind;
import io.aktis.core.owner.Outcome;
import io.aktis.core.owner.OwnedObject;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.core.owner.Shape;
import io.aktis.store.StoreStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A session of the engine in this JVM. Thread-safe. */
final class EmbeddedSession implements AktisSession {
  private static final long END_TIMEOUT_MS = 10_000;
  private static final long EXIT_TIMEOUT_MS = 500;

  private final Kernel kernel;
  private final String namespace;
  private final Waits waits;
  private final EmbeddedEngine engine;
  private final Thread exitHook;
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean closed;

  private EmbeddedSession(KernelParts parts) {
    this.namespace = parts.options().namespace();
    this.kernel = new Kernel(this, parts);
    this.waits = new Waits(kernel);
    this.engine = new EmbeddedEngine(kernel);
    this.exitHook = new Thread(this::closeAtExit, "aktis-" + parts.sessionId() + "-exit");
  }

  static EmbeddedSession start(SessionOptions options) {
    SettingsTable.checkEnvironment(options.runtimeEnv());
    EmbeddedSession session = new EmbeddedSession(KernelParts.of(options));
    Runtime.getRuntime().addShutdownHook(session.exitHook);
    return session;
  }

  Kernel kernel() {
    return kernel;
  }

  Waits waits() {
    return waits;
  }

  @Override
  public EmbeddedEngine engine() {
    return engine;
  }

  @Override
  public String id() {
    return kernel.sessionId();
  }

  @Override
  public String namespace() {
    return namespace;
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  void checkOpen() {
    if (closed) {
      throw new SessionClosedException("Session " + kernel.sessionId() + " is closed.");
    }
  }

  // ---- values -------------------------------------------------------------------------------

  @Override
  public <T> ObjectRef<T> put(T value) {
    checkOpen();
    Objects.requireNonNull(value, "the value must not be null");
    if (value instanceof ObjectRef<?>) {
      throw new IllegalArgumentException(
          "a reference cannot be put: pass it on as it is, or put the value it names");
    }
    Run run = waits.currentRun();
    VirtualNode node = run == null ? kernel.home() : kernel.node(run.lease().node());
    Cell cell = new Cell();
    OwnedObject object = new OwnedObject(kernel.nextId().result(0), null, cell);
    cell.object(object);
    try {
      Outcome outcome = kernel.values().keep(value, object.id(), node);
      if (outcome instanceof Outcome.Inline) {
        cell.settle(outcome);
      }
      kernel.post(new OwnerEvent.Put(object, outcome));
    } catch (InterruptedException e) {
      throw EmbeddedEngine.interrupted(e);
    } catch (IllegalStateException e) {
      checkOpen(); // the store was closed while the value waited for room
      throw e;
    }
    return new Ref<>(kernel, cell);
  }

  @Override
  @SuppressWarnings("unchecked")
  public <T> List<T> get(Collection<? extends ObjectRef<? extends T>> refs) {
    checkOpen();
    return (List<T>) waits.values(refs, Long.MAX_VALUE);
  }

  @Override
  @SuppressWarnings("unchecked")
  public <T> List<T> get(Collection<? extends ObjectRef<? extends T>> refs, Duration timeout) {
    checkOpen();
    return (List<T>) waits.values(refs, Waits.deadline(timeout));
  }

  @Override
  public <T> WaitResult<T> wait(List<ObjectRef<T>> refs) {
    checkOpen();
    return waits.wait(refs, 1, Long.MAX_VALUE);
  }

  @Override
  public <T> WaitResult<T> wait(
      List<ObjectRef<T>> refs, int count, Duration timeout, WaitOption... options) {
    checkOpen();
    return waits.wait(refs, count, Waits.deadline(timeout));
  }

  @Override
  public <T> Iterable<ObjectRef<T>> completed(Collection<? extends ObjectRef<T>> refs) {
    checkOpen();
    return waits.completed(Objects.requireNonNull(refs, "the references must not be null"));
  }

  // ---- doors --------------------------------------------------------------------------------

  @Override
  public ExecutorService executor() {
    checkOpen();
    return new SessionExecutor(kernel);
  }

  @Override
  public <A> ActorHandle<A> getActor(Class<A> type, String name, String namespace) {
    checkOpen();
    return engine.actors().find(type, name, namespace);
  }

  @Override
  public PlacementGroup getPlacementGroup(String name) {
    checkOpen();
    return kernel.groups().find(name);
  }

  @Override
  public ClusterInfo cluster() {
    checkOpen();
    return kernel.ask(this::clusterNow);
  }

  private ClusterInfo clusterNow() {
    List<NodeInfo> nodes = new ArrayList<>();
    for (VirtualNode node : kernel.nodes()) {
      StoreStats stats = node.store().stats();
      nodes.add(
          new NodeInfo(
              node.id().toString(),
              node.isAlive(),
              SettingsTable.shown(node.ledger().total()),
              SettingsTable.shown(node.ledger().availableWithIdle()),
              node.labels(),
              stats.capacityBytes(),
              stats.usedBytes()));
    }
    List<PendingWork> pending = new ArrayList<>(kernel.groups().pending());
    for (Shape shape : kernel.owner().shapes()) {
      if (shape.queued() > 0) {
        pending.add(new PendingWork(shape.key().toString(), shape.queued(), shape.reason()));
      }
    }
    return new ClusterInfo(nodes, pending);
  }

  // ---- the end ------------------------------------------------------------------------------

  @Override
  public void close() {
    if (waits.currentRun() != null) {
      throw new IllegalStateException("a task cannot close the session that runs it");
    }
    if (closing.compareAndSet(false, true)) {
      boolean interrupted = end(END_TIMEOUT_MS);
      removeExitHook();
      ended.countDown();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    } else {
      awaitEnd();
    }
  }

  /** The JVM ends, and with it all threads: whoever called exit is one of them, perhaps a task. */
  private void closeAtExit() {
    if (closing.compareAndSet(false, true)) {
      end(EXIT_TIMEOUT_MS);
      ended.countDown();
    }
  }

  /** Waits for another thread that closes the session. */
  private void awaitEnd() {
    try {
      ended.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the work, then threads, then what they used; returns whether it was interrupted. */
  private boolean end(long threadsTimeoutMs) {
    closed = true;
    Outcome.Failure reason =
        Outcome.Failure.of(
            FailureKind.SESSION_CLOSED, "Session " + kernel.sessionId() + " was closed.");
    kernel.ask(() -> {
      kernel.follow(new OwnerEvent.JobEnded(reason));
      kernel.groups().jobEnded();
      for (ActorEntry entry : kernel.directory().all()) {
        kernel.follow(new OwnerEvent.ActorKilled(entry.actor(), reason.message()));
      }
      return true;
    });
    boolean interrupted = endThreads(threadsTimeoutMs);
    for (VirtualNode node : kernel.nodes()) {
      node.store().close();
    }
    kernel.values().codec().close();
    return interrupted;
  }

  private boolean endThreads(long timeoutMs) {
    kernel.crew().close();
    try {
      if (!kernel.crew().awaitEnd(timeoutMs)) {
        Log.LOG.warn(
            "Session {} is closed, but {} of its threads ignore their interrupt and go on.",
            kernel.sessionId(),
            kernel.crew().threadCount());
      }
      kernel.timers().close();
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }

  private void removeExitHook() {
    try {
      Runtime.getRuntime().removeShutdownHook(exitHook);
    } catch (IllegalStateException exiting) {
      return; // the JVM ends, and this is why the session is closed
    }
  }

  /** The engine itself is broken: everything that waits fails instead of hanging. On the loop. */
  void breakDown(Throwable bug) {
    closed = true;
    Outcome.Failure reason =
        Outcome.Failure.of(
            FailureKind.SESSION_CLOSED,
            "Session "
                + kernel.sessionId()
                + " has stopped: a rule of the engine is broken ("
                + bug.getMessage()
                + "). This is a bug of Aktis.");
    kernel.follow(new OwnerEvent.JobEnded(reason));
  }

  @Nullable Throwable broken() {
    return kernel.broken();
  }
}
