package io.aktis.runtime.session;

import io.aktis.AktisException;
import io.aktis.CallerInterruptedException;
import io.aktis.ObjectRef;
import io.aktis.TimeoutException;
import io.aktis.WaitResult;
import io.aktis.core.owner.Outcome;
import io.aktis.core.owner.OwnedObject;
import io.aktis.core.owner.Task;
import io.aktis.runtime.loop.SpinBudget;
import io.aktis.spi.RunningWork;
import io.aktis.wire.value.Encoded;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All ways to wait for objects. A task that waits lends its CPU to others and takes it back before
 * it goes on. Thread-safe.
 */
final class Waits {
  /** More objects than that are not waited for one by one. */
  private static final int MANY = 64;

  /** A node that is gone is missed by its driver within this time. */
  private static final long NEWS_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(15);

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Kernel kernel;
  private final SpinBudget driverSpin = new SpinBudget();
  private final SpinBudget taskSpin = new SpinBudget();
  private final Set<LastOf> longWaits = ConcurrentHashMap.newKeySet();

  Waits(Kernel kernel) {
    this.kernel = kernel;
  }

  /** Returns the deadline of a timeout that starts now. */
  static long deadline(Duration timeout) {
    Objects.requireNonNull(timeout, "the timeout must not be null");
    if (timeout.isNegative()) {
      throw new IllegalArgumentException("the timeout must be zero or more, not " + timeout);
    }
    long nanos = timeout.toSeconds() > 1L << 32 ? Long.MAX_VALUE >> 1 : timeout.toNanos();
    return System.nanoTime() + nanos;
  }

  @SuppressWarnings("ReferenceEquality") // the same kernel, not an equal one
  @Nullable Run currentRun() {
    if (!RunningWork.SCOPE.isBound()) {
      return null;
    }
    Run run = RunningWork.SCOPE.get() instanceof RunScope scope ? scope.current() : null;
    return run != null && run.kernel() == kernel ? run : null;
  }

  // ---- one object ---------------------------------------------------------------------------

  @Nullable Object value(Cell cell, long deadlineNanos) {
    return read(cell, deadlineNanos, this::read);
  }

  MemorySegment view(Cell cell) {
    return Objects.requireNonNull(read(cell, Long.MAX_VALUE, this::view), "a view is a segment");
  }

  /** Reads a value, again and again while its copy goes as it is read. */
  private <T extends @Nullable Object> T read(
      Cell cell, long deadlineNanos, Function<Outcome, T> reader) {
    long firstNanos = 0;
    while (true) {
      Outcome outcome = outcome(cell, deadlineNanos);
      try {
        return reader.apply(outcome);
      } catch (Values.StoreRaceException lost) {
        firstNanos = firstNanos == 0 ? System.nanoTime() : firstNanos;
        awaitChange(cell, outcome, firstNanos + (lost.isRemote() ? NEWS_TIMEOUT_NANOS : 0));
      }
    }
  }

  private MemorySegment view(Outcome outcome) {
    if (outcome instanceof Outcome.Failure failure) {
      throw exception(failure);
    }
    return kernel.values().view(outcome);
  }

  /**
   * The copy is gone and the loop knows, or will: waits until it has said what follows. Of another
   * process it may hear a little later, and the copy may be out of reach for only a moment.
   */
  @SuppressWarnings("ReferenceEquality") // the same outcome, not an equal one
  private void awaitChange(Cell cell, Outcome seen, long giveUpNanos) {
    kernel.session().checkOpen();
    kernel.awaitHandled();
    if (cell.outcome() != seen) {
      return;
    }
    if (System.nanoTime() - giveUpNanos >= 0) {
      throw new io.aktis.ObjectLostException(
          "The value of " + cell.object().id() + " was released while it was read.");
    }
    LockSupport.parkNanos(LOOK_NANOS);
  }

  private @Nullable Object read(Outcome outcome) {
    if (outcome instanceof Outcome.Failure failure) {
      throw exception(failure);
    }
    return kernel.values().read(outcome);
  }

  AktisException exception(Outcome.Failure failure) {
    Throwable cause =
        failure.cause() instanceof Encoded encoded
            ? kernel.values().codec().decodeThrowable(encoded)
            : null;
    return Failures.exception(failure, cause);
  }

  private Outcome outcome(Cell cell, long deadlineNanos) {
    Outcome outcome = cell.outcome();
    while (outcome == null) {
      if (deadlineNanos != Long.MAX_VALUE && deadlineNanos - System.nanoTime() <= 0) {
        throw timeout(cell);
      }
      awaitOne(cell, deadlineNanos);
      outcome = cell.outcome();
    }
    return outcome;
  }

  private void awaitOne(Cell cell, long deadlineNanos) {
    Run run = currentRun();
    if ((run == null ? driverSpin : taskSpin).look(cell)) {
      return;
    }
    lending(
        run,
        () -> List.of(cell.object()),
        () -> {
          if (!cell.await(deadlineNanos)) {
            throw timeout(cell);
          }
        });
  }

  private TimeoutException timeout(Cell cell) {
    Task producer = cell.object().producer();
    String what = "The time to wait for " + cell.object().id() + " is over; ";
    if (producer == null) {
      String why = kernel.whyPut(cell.object().id());
      return new TimeoutException(what + why + ".", null, List.of("not settled yet"));
    }
    return new TimeoutException(
        what + producer.name() + ", which makes it, goes on: it " + kernel.why(producer) + ".",
        null,
        kernel.story(producer));
  }

  /** Waits, lending the CPU of the task that this thread runs, if it runs one. */
  void lending(@Nullable Run run, Wanted wanted, Blocking wait) {
    this.<@Nullable Object>whileLending(
        run,
        wanted,
        () -> {
          wait.run();
          return null;
        });
  }

  /** Waits for something, lending the CPU of the task that this thread runs, if it runs one. */
  <T extends @Nullable Object> T whileLending(
      @Nullable Run run, Wanted wanted, BlockingCall<T> wait) {
    if (run != null) {
      run.blocked(wanted.objects());
    }
    boolean there = false;
    try {
      T value = run == null ? kernel.waitLocally(wait) : wait.call();
      there = true;
      return value;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CallerInterruptedException(
          "The thread was interrupted while it waited; what it waited for goes on.", e, List.of());
    } finally {
      if (run != null) {
        // Whoever waited in vain goes on at once, also when others have the CPU for a while longer:
        // a deadline is kept, and work that is cancelled ends.
        run.unblocked(there);
      }
    }
  }

  /** Waits for an answer, lending as above; throws what it was failed with. */
  <T> T answer(CompletableFuture<T> coming) {
    return whileLending(
        currentRun(),
        List::of,
        () -> {
          try {
            return coming.get();
          } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException known
                ? known
                : new IllegalStateException(e.getCause());
          }
        });
  }

  /** Says what is waited for. */
  interface Wanted {
    List<OwnedObject> objects();
  }

  /** Waits. */
  interface Blocking {
    void run() throws InterruptedException;
  }

  /** Waits for something. */
  interface BlockingCall<T extends @Nullable Object> {
    T call() throws InterruptedException;
  }

  /**
   * Sleeps until this thread is woken, interrupted, or it is too late.
   *
   * @param deadlineNanos on the clock of {@link System#nanoTime}, {@link Long#MAX_VALUE} for none
   * @return false when it was too late before
   */
  static boolean park(Object blocker, long deadlineNanos) {
    if (deadlineNanos == Long.MAX_VALUE) {
      LockSupport.park(blocker);
      return true;
    }
    long left = deadlineNanos - System.nanoTime();
    if (left > 0) {
      LockSupport.parkNanos(blocker, left);
    }
    return left > 0;
  }

  // ---- many objects --------------------------------------------------------------------------

  /** Checks references and returns their cells in order. */
  List<Cell> cells(Collection<? extends ObjectRef<?>> refs) {
    Objects.requireNonNull(refs, "the references must not be null");
    List<Cell> cells = new ArrayList<>(refs.size());
    for (ObjectRef<?> ref : refs) {
      cells.add(cell(ref));
    }
    return cells;
  }

  Cell cell(@Nullable ObjectRef<?> ref) {
    Objects.requireNonNull(ref, "a reference must not be null");
    if (ref instanceof Ref<?> own) {
      return own.checked(kernel);
    }
    throw new IllegalArgumentException("not a reference of this engine: " + ref.getClass());
  }

  List<@Nullable Object> values(Collection<? extends ObjectRef<?>> refs, long deadlineNanos) {
    List<Cell> cells = cells(refs);
    awaitAll(cells, deadlineNanos);
    List<@Nullable Object> values = new ArrayList<>(cells.size());
    for (Cell cell : cells) {
      values.add(value(cell, deadlineNanos));
    }
    return values;
  }

  /** Waits for all cells, or the first failure, which is thrown at once. */
  private void awaitAll(List<Cell> cells, long deadlineNanos) {
    List<Cell> missing = missing(cells);
    if (missing.isEmpty()) {
      return;
    }
    boolean all =
        whileLending(
            currentRun(), () -> objectsOf(missing), () -> awaitMissing(missing, deadlineNanos));
    if (!all) {
      List<Cell> late = missing(missing);
      if (!late.isEmpty()) {
        throw timeout(late.getFirst());
      }
    }
  }

  /** Returns the cells without an outcome. Throws a failure that is among them. */
  private List<Cell> missing(List<Cell> cells) {
    List<Cell> missing = new ArrayList<>();
    for (int i = 0; i < cells.size(); i++) {
      Outcome outcome = cells.get(i).outcome();
      if (outcome instanceof Outcome.Failure failure) {
        throw exception(failure);
      }
      if (outcome == null) {
        missing.add(cells.get(i));
      }
    }
    return missing;
  }

  /** Waits for all cells, the first failure, or the deadline; tells whether none has failed. */
  private boolean awaitMissing(List<Cell> missing, long deadlineNanos) throws InterruptedException {
    List<Cell> left = missing;
    if (left.size() > MANY) {
      awaitLastOf(left, deadlineNanos);
      left = missing.stream().filter(cell -> !(cell.outcome() instanceof Outcome.Inline)).toList();
    }
    Countdown countdown = new Countdown(left, left.size(), true);
    try {
      countdown.await(deadlineNanos);
      return countdown.allSucceeded();
    } finally {
      countdown.cancel();
    }
  }

  private void awaitLastOf(List<Cell> cells, long deadlineNanos) throws InterruptedException {
    LastOf last = new LastOf(cells);
    longWaits.add(last);
    try {
      last.await(deadlineNanos);
    } finally {
      longWaits.remove(last);
    }
  }

  /** An object has failed: tells those who wait for many. On the loop. */
  void failed() {
    for (LastOf wait : longWaits) {
      wait.failed();
    }
  }

  private static List<OwnedObject> objectsOf(List<Cell> cells) {
    return cells.stream().map(Cell::object).toList();
  }

  <T> WaitResult<T> wait(List<ObjectRef<T>> refs, int count, long deadlineNanos) {
    if (count > 0 && refs instanceof Unready<T> rest) {
      WaitResult<T> known = rest.take(count, this::isReady);
      if (known != null) {
        return known;
      }
    }
    List<Cell> cells = cells(refs);
    if (count < 1 || count > cells.size()) {
      throw new IllegalArgumentException(
          "the count must be from 1 to the number of references, which is "
              + cells.size()
              + ", not "
              + count);
    }
    Duplicates.check(cells);
    if (!enoughReady(cells, count)) {
      Countdown countdown = new Countdown(cells, count, false);
      boolean all = count == cells.size();
      try {
        lending(
            currentRun(),
            () -> all ? objectsOf(cells) : List.of(),
            () -> countdown.await(deadlineNanos));
      } finally {
        countdown.cancel();
      }
    }
    return Unready.split(refs, count, this::isReady);
  }

  private boolean isReady(ObjectRef<?> ref) {
    return cell(ref).outcome() != null;
  }

  private static boolean enoughReady(List<Cell> cells, int count) {
    int ready = 0;
    for (int i = 0; i < cells.size(); i++) {
      if (cells.get(i).outcome() != null && ++ready == count) {
        return true;
      }
    }
    return false;
  }

  <T> Iterable<ObjectRef<T>> completed(Collection<? extends ObjectRef<T>> refs) {
    List<Cell> cells = cells(refs);
    List<ObjectRef<T>> all = new ArrayList<>(refs);
    LinkedBlockingQueue<ObjectRef<T>> finished = new LinkedBlockingQueue<>();
    for (int i = 0; i < all.size(); i++) {
      ObjectRef<T> ref = all.get(i);
      cells.get(i).whenSettled(new Cell.Waiter(done -> finished.add(ref)));
    }
    AtomicInteger iterations = new AtomicInteger();
    return () -> {
      if (iterations.getAndIncrement() > 0) {
        throw new IllegalStateException("completed(...) can be iterated once");
      }
      return new Completed<>(finished, all.size());
    };
  }

  CompletableFuture<@Nullable Object> future(Cell cell) {
    CompletableFuture<@Nullable Object> future = new CompletableFuture<>();
    Executor crew = kernel.crew()::execute;
    cell.whenSettled(new Cell.Waiter(done -> crew.execute(() -> complete(future, done))));
    return future;
  }

  private void complete(CompletableFuture<@Nullable Object> future, Cell cell) {
    try {
      future.complete(value(cell, Long.MAX_VALUE));
    } catch (Throwable thrown) {
      future.completeExceptionally(thrown);
    }
  }

  /** Counts cells as they are settled, for one thread that waits. */
  private static final class Countdown implements Cell.Settled {
    private static final int FAILED = 1 << 30;

    private final Thread thread = Thread.currentThread();
    private final AtomicInteger left;
    private final boolean failFast;
    private final List<Cell.Waiter> waiters;

    Countdown(List<Cell> cells, int count, boolean failFast) {
      this.left = new AtomicInteger(count);
      this.failFast = failFast;
      this.waiters = new ArrayList<>(cells.size());
      for (Cell cell : cells) {
        Cell.Waiter waiter = new Cell.Waiter(this);
        waiters.add(waiter);
        cell.whenSettled(waiter);
      }
    }

    @Override
    public void settled(Cell cell) {
      int step = failFast && cell.outcome() instanceof Outcome.Failure ? FAILED : 1;
      if (left.addAndGet(-step) <= 0) {
        LockSupport.unpark(thread);
      }
    }

    boolean isDone() {
      return left.get() <= 0;
    }

    boolean allSucceeded() {
      return left.get() == 0;
    }

    void await(long deadlineNanos) throws InterruptedException {
      while (!isDone()) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        if (!park(this, deadlineNanos)) {
          return;
        }
      }
    }

    void cancel() {
      waiters.forEach(Cell.Waiter::cancel);
    }
  }

  /** Gives references in the order they finish. */
  private final class Completed<T> implements Iterator<ObjectRef<T>> {
    private final LinkedBlockingQueue<ObjectRef<T>> finished;
    private int left;

    Completed(LinkedBlockingQueue<ObjectRef<T>> finished, int left) {
      this.finished = finished;
      this.left = left;
    }

    @Override
    public boolean hasNext() {
      return left > 0;
    }

    @Override
    public ObjectRef<T> next() {
      if (left == 0) {
        throw new NoSuchElementException("all references were given");
      }
      left--;
      ObjectRef<T> ready = finished.poll();
      if (ready == null) {
        ready = whileLending(currentRun(), List::of, finished::take);
      }
      return ready;
    }
  }
}
