package io.aktis.runtime.session;

import io.aktis.AktisContext;
import io.aktis.AktisException;
import io.aktis.CancelResult;
import io.aktis.TaskFailedException;
import io.aktis.core.owner.Actor;
import io.aktis.core.owner.FailureKind;
import io.aktis.core.owner.LeaseGrant;
import io.aktis.core.owner.Outcome;
import io.aktis.core.owner.OwnedObject;
import io.aktis.core.owner.OwnerEffect;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.core.owner.Task;
import io.aktis.core.owner.TaskKind;
import io.aktis.function.Invocable;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a task on a thread. The loop makes it and may end it; a crew thread performs it.
 *
 * <p>Ending and performing meet under this object's monitor: an attempt is withdrawn before it has
 * started, or its thread is interrupted while it runs this attempt and no other.
 */
final class Run implements Running {
  /** What becomes of a result that cannot be kept; all else that code throws is its own. */
  private static final Set<FailureKind> UNKEPT =
      EnumSet.of(FailureKind.STORE_FULL, FailureKind.OUT_OF_DISK, FailureKind.NOT_SERIALIZABLE);

  private enum State {
    NEW,
    RUNNING,
    WITHDRAWN,
    DONE
  }

  /** When an attempt was ended. */
  enum Ended {
    BEFORE_START,
    WHILE_RUNNING,
    AFTERWARDS;

    CancelResult toResult() {
      return switch (this) {
        case BEFORE_START -> CancelResult.NEVER_STARTED;
        case WHILE_RUNNING -> CancelResult.INTERRUPTED;
        case AFTERWARDS -> CancelResult.ALREADY_DONE;
      };
    }
  }

  private final Kernel kernel;
  private final Task task;
  private final int attempt;
  private final LeaseGrant lease;
  private final @Nullable ActorHost host;
  private final long number;
  private volatile State state = State.NEW;
  private @Nullable Thread thread;
  private volatile boolean cancelled;
  private volatile boolean resumed;
  private boolean exits;
  private @Nullable RunContext context;

  Run(Kernel kernel, Task task, int attempt, LeaseGrant lease, @Nullable ActorHost host) {
    this(kernel, task, attempt, lease, host, 0);
  }

  /**
   * Makes an attempt in a worker process.
   *
   * @param number counts what was sent to the process, from 1
   */
  Run(
      Kernel kernel,
      Task task,
      int attempt,
      LeaseGrant lease,
      @Nullable ActorHost host,
      long number) {
    this.number = number;
    this.kernel = kernel;
    this.task = task;
    this.attempt = attempt;
    this.lease = lease;
    this.host = host;
  }

  Kernel kernel() {
    return kernel;
  }

  Task task() {
    return task;
  }

  @Override
  public int attempt() {
    return attempt;
  }

  LeaseGrant lease() {
    return lease;
  }

  @Nullable ActorHost host() {
    return host;
  }

  /** Tells whether code and result are used as they are, in this process. */
  boolean isLocal() {
    return task.payload() instanceof Call call && call.request().local();
  }

  @Override
  public boolean isCancelled() {
    return cancelled;
  }

  void exitActor() {
    exits = true;
  }

  /** Tells whether it has not started and was not withdrawn. */
  boolean isNew() {
    return state == State.NEW;
  }

  /** Tells whether nothing of it runs or will run. */
  @Override
  public boolean isOver() {
    State now = state;
    return now == State.DONE || now == State.WITHDRAWN;
  }

  /** Sees to it that an attempt that has not started never will; returns whether it had not. */
  synchronized boolean withdraw() {
    if (state == State.NEW) {
      state = State.WITHDRAWN;
    }
    return state == State.WITHDRAWN;
  }

  /**
   * Ends the attempt: one that has not started never will, one that runs is interrupted.
   *
   * @return how far it had come; what it does of the interrupt is not in it
   */
  synchronized Ended end() {
    cancelled = true;
    withdraw();
    Thread runner = thread;
    if (runner != null) {
      runner.interrupt();
    }
    return switch (state) {
      case NEW, WITHDRAWN -> Ended.BEFORE_START;
      case RUNNING -> Ended.WHILE_RUNNING;
      case DONE -> Ended.AFTERWARDS;
    };
  }

  @Override
  public void interrupt(OwnerEffect.Interrupt interrupt, OwnerKernel owner) {
    Ended ended = end();
    if (ended == Ended.BEFORE_START) {
      owner.follow(new OwnerEvent.Withdrawn(task, attempt));
    }
    Shell.tell(interrupt.ticket(), ended.toResult());
  }

  private synchronized boolean begin() {
    if (state != State.NEW) {
      return false;
    }
    kernel.starts(number); // before anything of it runs
    state = State.RUNNING;
    thread = Thread.currentThread();
    return true;
  }

  private synchronized void finish() {
    state = State.DONE;
    thread = null;
    Thread.interrupted(); // an interrupt that came late is not for the next task of this thread
  }

  /** Performs the attempt; returns what to report, {@code null} when it was withdrawn. */
  @Nullable OwnerEvent perform(RunScope scope) {
    if (!begin()) {
      return null;
    }
    try {
      List<Outcome> outcomes = call();
      finish();
      return new OwnerEvent.Succeeded(task, attempt, outcomes, scope.lapNanos(), exits);
    } catch (Values.StoreRaceException lost) {
      finish();
      return new OwnerEvent.ArgumentLost(task, attempt);
    } catch (Throwable thrown) {
      finish();
      boolean retryable = isRetryable(thrown);
      Outcome.Failure failure = failureOf(thrown);
      return new OwnerEvent.Threw(task, attempt, failure, retryable, scope.lapNanos(), exits);
    }
  }

  /** Returns what the running code may know about itself; on its thread. */
  AktisContext context() {
    RunContext known = context;
    if (known == null) {
      known = new RunContext(this, payload().request().settings());
      context = known;
    }
    return known;
  }

  private Call payload() {
    if (task.payload() instanceof Call call) {
      return call;
    }
    throw new IllegalStateException(task + " has no code any more");
  }

  private List<Outcome> call() throws Exception {
    Call call = payload();
    Values values = kernel.values();
    ActorHost hosts = host;
    boolean method = task.kind() == TaskKind.CALL;
    Invocable function = call.function(values);
    @Nullable Object[] args = call.arguments(task, values, method ? 1 : 0);
    if (method && hosts != null) {
      args[0] = hosts.instance();
    }
    Object result = function.invoke(args);
    if (task.kind() == TaskKind.CREATION && hosts != null) {
      created(hosts, result);
      return List.of(new Outcome.Inline(SharedValue.NULL, List.of()));
    }
    return keep(call.request(), result);
  }

  private void created(ActorHost hosts, @Nullable Object made) throws Exception {
    hosts.created(made);
    if (hosts.life() > 1 && made != null) {
      hosts.restarted(made);
    }
  }

  private List<Outcome> keep(Call.Request request, @Nullable Object result)
      throws InterruptedException {
    StreamSink stream = request.stream();
    if (stream != null) {
      stream.produce(this, result);
      return List.of(new Outcome.Inline(SharedValue.NULL, List.of()));
    }
    if (request.type() != null) {
      return keepMany(request, result, request.type());
    }
    if (request.local()) {
      return List.of(new Outcome.Inline(new SharedValue(result), List.of()));
    }
    return List.of(kernel.values().keep(result, task.results()[0].id(), this));
  }

  private List<Outcome> keepMany(Call.Request request, @Nullable Object result, Class<?> type)
      throws InterruptedException {
    List<?> parts = partsOf(result);
    if (parts.size() != request.returns()) {
      throw new IllegalStateException(
          "the task was submitted with returns("
              + request.returns()
              + ") and gave "
              + parts.size()
              + " values");
    }
    List<Outcome> outcomes = new ArrayList<>(parts.size());
    OwnedObject[] results = task.results();
    for (int i = 0; i < results.length; i++) {
      Object part = parts.get(i);
      if (part != null && !type.isInstance(part)) {
        throw new ClassCastException(
            "result " + i + " is a " + part.getClass().getName() + ", not a " + type.getName());
      }
      outcomes.add(kernel.values().keep(part, results[i].id(), this));
    }
    return outcomes;
  }

  private static List<?> partsOf(@Nullable Object result) {
    if (result instanceof List<?> list) {
      return list;
    }
    if (result != null && result.getClass().isArray()) {
      List<Object> parts = new ArrayList<>();
      for (int i = 0; i < Array.getLength(result); i++) {
        parts.add(Array.get(result, i));
      }
      return parts;
    }
    throw new IllegalStateException(
        "a task with several results returns a list or an array, not "
            + (result == null ? "null" : result.getClass().getName()));
  }

  private boolean isRetryable(Throwable thrown) {
    if (!(task.payload() instanceof Call call)) {
      return false;
    }
    for (Class<? extends Throwable> type : call.request().retryOn()) {
      if (type.isInstance(thrown)) {
        return true;
      }
    }
    return false;
  }

  private Outcome.Failure failureOf(Throwable thrown) {
    Actor actor = task.actor();
    String where = task.name() + (actor == null ? "" : " of actor " + actor.name());
    if (thrown instanceof AktisException own && !(own instanceof TaskFailedException)) {
      FailureKind kind = Failures.kindOf(own);
      if (UNKEPT.contains(kind)) {
        return new Outcome.Failure(
            kind,
            String.valueOf(own.getMessage()),
            kernel.values().codec().encodeThrowable(thrown),
            0,
            List.of(),
            List.of());
      }
    }
    return new Outcome.Failure(
        FailureKind.TASK_FAILED,
        where + " failed: " + thrown,
        kernel.values().codec().encodeThrowable(thrown),
        0,
        List.of(),
        List.of());
  }

  // ---- waiting in a get ----------------------------------------------------------------------

  /** Tells the loop that this task waits for all of {@code objects} and lends its CPU. */
  void blocked(List<OwnedObject> objects) {
    resumed = false;
    kernel.post(new OwnerEvent.Blocked(task, attempt, objects));
  }

  /**
   * Takes the CPU back.
   *
   * @param await whether to wait until it is there
   */
  void unblocked(boolean await) {
    kernel.post(new OwnerEvent.Unblocked(task, attempt, this));
    if (!await) {
      return;
    }
    boolean interrupted = false;
    while (!resumed) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** The CPU is back. On the loop. */
  void resume() {
    resumed = true;
    Thread runner;
    synchronized (this) {
      runner = thread;
    }
    LockSupport.unpark(runner);
  }
}
