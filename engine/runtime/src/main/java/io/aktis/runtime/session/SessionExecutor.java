package io.aktis.runtime.session;

import io.aktis.CallerInterruptedException;
import io.aktis.CancelOptions;
import io.aktis.function.TaskAction0;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A session as an ordinary executor: each piece of work is a task of one CPU in this process.
 * Thread-safe; its state is guarded by its monitor.
 */
final class SessionExecutor extends AbstractExecutorService {
  private final Kernel kernel;
  private final Map<Work, Cell> queued = new LinkedHashMap<>();
  private final Map<Work, Cell> running = new LinkedHashMap<>();
  private int unfinished;
  private boolean shutdown;

  SessionExecutor(Kernel kernel) {
    this.kernel = kernel;
  }

  @Override
  public void execute(Runnable command) {
    Work work = new Work(java.util.Objects.requireNonNull(command, "the work must not be null"));
    synchronized (this) {
      if (shutdown || kernel.session().isClosed()) {
        throw new RejectedExecutionException("the executor or its session is closed");
      }
      unfinished++;
      queued.put(work, new Cell()); // replaced below; says that it has not started
    }
    TaskAction0 action = () -> run(work);
    Cell cell = kernel.startLocal(io.aktis.spi.Work.of(action));
    synchronized (this) {
      queued.replace(work, cell);
      running.replace(work, cell);
    }
    cell.whenSettled(new Cell.Waiter(done -> finished(work)));
  }

  private void run(Work work) {
    synchronized (this) {
      Cell cell = queued.remove(work);
      if (cell == null) {
        return; // taken back by shutdownNow
      }
      running.put(work, cell);
    }
    work.command.run();
  }

  private synchronized void finished(Work work) {
    queued.remove(work);
    running.remove(work);
    unfinished--;
    notifyAll();
  }

  @Override
  public synchronized void shutdown() {
    shutdown = true;
    notifyAll();
  }

  @Override
  public List<Runnable> shutdownNow() {
    List<Runnable> never = new ArrayList<>();
    List<Cell> started;
    synchronized (this) {
      shutdown = true;
      queued.keySet().forEach(work -> never.add(work.command));
      started = new ArrayList<>(running.values());
      queued.clear();
      notifyAll();
    }
    for (Cell cell : started) {
      kernel.cancel(cell, CancelOptions.DEFAULTS);
    }
    return never;
  }

  @Override
  public synchronized boolean isShutdown() {
    return shutdown;
  }

  @Override
  public synchronized boolean isTerminated() {
    return shutdown && unfinished == 0;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    long deadline = System.nanoTime() + unit.toNanos(timeout);
    synchronized (this) {
      while (!shutdown || unfinished > 0) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          return false;
        }
        TimeUnit.NANOSECONDS.timedWait(this, Math.max(left, 1_000_000));
      }
      return true;
    }
  }

  @Override
  protected <T extends @Nullable Object> RunnableFuture<T> newTaskFor(Runnable runnable, T value) {
    return new LendingFuture<>(java.util.concurrent.Executors.callable(runnable, value));
  }

  @Override
  protected <T extends @Nullable Object> RunnableFuture<T> newTaskFor(Callable<T> callable) {
    return new LendingFuture<>(callable);
  }

  /** One execution: the same command may be given many times. */
  private static final class Work {
    private final Runnable command;

    Work(Runnable command) {
      this.command = command;
    }
  }

  /** A future that lends the CPU of a task that waits for it. */
  private final class LendingFuture<T extends @Nullable Object> extends FutureTask<T> {
    LendingFuture(Callable<T> callable) {
      super(callable);
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
      awaitDone(super::get);
      return super.get();
    }

    @Override
    public T get(long timeout, TimeUnit unit)
        throws InterruptedException, ExecutionException, TimeoutException {
      long deadline = System.nanoTime() + unit.toNanos(timeout);
      awaitDone(() -> super.get(left(deadline), TimeUnit.NANOSECONDS));
      return super.get(left(deadline), TimeUnit.NANOSECONDS);
    }

    private static long left(long deadlineNanos) {
      return Math.max(0, deadlineNanos - System.nanoTime());
    }

    /** Waits as a task does; how the wait ends is for the caller, who asks again. */
    private void awaitDone(Callable<T> wait) throws InterruptedException {
      Waits waits = kernel.session().waits();
      Run run = waits.currentRun();
      if (isDone()) {
        return;
      }
      try {
        waits.lending(run, List::of, () -> attempt(wait));
      } catch (CallerInterruptedException e) {
        Thread.interrupted(); // told by the exception instead
        InterruptedException interrupted = new InterruptedException(e.getMessage());
        interrupted.initCause(e);
        throw interrupted;
      }
    }

    private void attempt(Callable<T> wait) throws InterruptedException {
      try {
        wait.call();
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        return; // the caller asks again and gets it
      }
    }
  }
}
