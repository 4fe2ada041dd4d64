package io.aktis.runtime.session;

import io.aktis.ActorHandle;
import io.aktis.AktisSession;
import io.aktis.ClusterInfo;
import io.aktis.ObjectRef;
import io.aktis.PlacementGroup;
import io.aktis.SessionClosedException;
import io.aktis.SessionOptions;
import io.aktis.WaitOption;
import io.aktis.WaitResult;
import io.aktis.core.owner.Outcome;
import io.aktis.core.owner.OwnedObject;
import io.aktis.core.owner.OwnerEvent;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** A session of the engine in this JVM. Thread-safe. */
final class Session implements AktisSession {
  private static final long END_TIMEOUT_MS = 10_000;
  private static final long EXIT_TIMEOUT_MS = 500;

  private final Kernel kernel;
  private final String namespace;
  private final Waits waits;
  private final SessionEngine engine;
  private final Thread exitHook;
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean closed;

  private Session(String namespace, Function<Session, Kernel> kernels) {
    this.namespace = namespace;
    this.kernel = kernels.apply(this);
    this.waits = new Waits(kernel);
    this.engine = new SessionEngine(kernel);
    this.exitHook = new Thread(this::closeAtExit, "aktis-" + kernel.sessionId() + "-exit");
  }

  static Session start(SessionOptions options) {
    Environments.checkEmbedded(options.runtimeEnv());
    return start(KernelParts.of(options));
  }

  /** Starts the session of a worker process. */
  static Session ofWorker(String namespace, WorkerParts parts) {
    return new Session(namespace, self -> new WorkerKernel(self, parts));
  }

  /** Starts a session that owns its work. */
  static Session start(KernelParts parts) {
    Session session =
        new Session(parts.options().namespace(), self -> new OwnerKernel(self, parts));
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
  public SessionEngine engine() {
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
    Cell cell = Cell.of(kernel.nextId().result(0));
    OwnedObject object = cell.object();
    try {
      Outcome outcome = kernel.values().keep(value, object.id(), waits.currentRun());
      if (outcome instanceof Outcome.Inline) {
        cell.settle(outcome);
      }
      kernel.post(new OwnerEvent.Put(object, outcome));
    } catch (InterruptedException e) {
      throw SessionEngine.interrupted(e);
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
    return kernel.actors().find(type, name, namespace);
  }

  @Override
  public PlacementGroup getPlacementGroup(String name) {
    checkOpen();
    return kernel.groupDoor().find(name);
  }

  @Override
  public ClusterInfo cluster() {
    checkOpen();
    return kernel.cluster();
  }

  // ---- the end ------------------------------------------------------------------------------

  @Override
  public void close() {
    if (waits.currentRun() != null) {
      throw new IllegalStateException("a task cannot close the session that runs it");
    }
    if (closing.compareAndSet(false, true)) {
      try {
        if (end(END_TIMEOUT_MS)) {
          Thread.currentThread().interrupt();
        }
      } finally { // whoever waits for the end must not wait for ever when it did not go well
        removeExitHook();
        ended.countDown();
      }
    } else {
      awaitEnd();
    }
  }

  /** The JVM ends, and with it all threads: whoever called exit is one of them, perhaps a task. */
  private void closeAtExit() {
    if (closing.compareAndSet(false, true)) {
      try {
        end(EXIT_TIMEOUT_MS);
      } finally {
        ended.countDown();
      }
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
    return kernel.end(threadsTimeoutMs);
  }

  private void removeExitHook() {
    try {
      Runtime.getRuntime().removeShutdownHook(exitHook);
    } catch (IllegalStateException exiting) {
      return; // the JVM ends, and this is why the session is closed
    }
  }

  /** The engine itself is broken: nothing is taken any more. */
  void markClosed() {
    closed = true;
  }
}
