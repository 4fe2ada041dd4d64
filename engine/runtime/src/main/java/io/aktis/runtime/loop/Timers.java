package io.aktis.runtime.loop;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The one timer of a session; its thread starts with the first use. Thread-safe. */
public final class Timers {
  private final String name;
  private @Nullable ScheduledThreadPoolExecutor executor;
  private boolean closed;

  /** Makes a timer without a thread. */
  public Timers(String name) {
    this.name = name;
  }

  /** Runs {@code action}, which must be short and not throw, after some time; never if closed. */
  public void after(long delayMs, Runnable action) {
    ScheduledThreadPoolExecutor timer = executor();
    if (timer != null) {
      try {
        var _ = timer.schedule(action, delayMs, TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException closing) {
        // closed in this very moment: nothing is to happen any more
        return;
      }
    }
  }

  private synchronized @Nullable ScheduledThreadPoolExecutor executor() {
    if (closed) {
      return null;
    }
    ScheduledThreadPoolExecutor timer = executor;
    if (timer == null) {
      timer =
          new ScheduledThreadPoolExecutor(
              1, task -> Thread.ofPlatform().daemon().name(name).unstarted(task));
      timer.setRemoveOnCancelPolicy(true);
      timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
      executor = timer;
    }
    return timer;
  }

  /** Stops; what was to happen does not happen. Waits for a running action. */
  public void close() throws InterruptedException {
    ScheduledThreadPoolExecutor timer;
    synchronized (this) {
      closed = true;
      timer = executor;
      executor = null;
    }
    if (timer != null) {
      timer.shutdownNow();
      timer.awaitTermination(5, TimeUnit.SECONDS);
    }
  }
}
