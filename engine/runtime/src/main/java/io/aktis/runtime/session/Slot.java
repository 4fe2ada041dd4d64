package io.aktis.runtime.session;

import io.aktis.core.owner.OwnerEvent;
import io.aktis.core.owner.Task;
import io.aktis.runtime.loop.HandOff;
import io.aktis.spi.RunningWork;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs the tasks of one lease, one after the other, on a crew thread that it asks for when there is
 * something to do. Thread-safe.
 *
 * <p>The loop adds without a lock. Taking out is guarded by the monitor, which the running thread
 * has to itself but for the rare moment when the loop takes tasks back.
 */
final class Slot implements Runnable {
  private final Kernel kernel;
  private final HandOff<Run> queue = new HandOff<>();
  private @Nullable Run current;
  private @Nullable Runnable onIdle;

  Slot(Kernel kernel) {
    this.kernel = kernel;
  }

  void add(Run run) {
    if (queue.add(run)) {
      kernel.startLater(this);
    }
  }

  /** Takes the attempts that have not started. */
  synchronized List<Run> takeUnstarted() {
    List<Run> runs = new ArrayList<>();
    for (Run run = queue.take(); run != null; run = queue.take()) {
      runs.add(run);
    }
    return runs;
  }

  /** Ends everything as if the process were gone; returns the task that had started, if any. */
  synchronized List<Task> abandon() {
    for (Run run = queue.take(); run != null; run = queue.take()) {
      run.end();
    }
    Run run = current;
    return run == null || run.end() == Run.Ended.BEFORE_START ? List.of() : List.of(run.task());
  }

  /** Runs {@code action} once, when nothing runs here any more. */
  void whenIdle(Runnable action) {
    synchronized (this) {
      if (current != null) {
        onIdle = action;
        return;
      }
    }
    action.run();
  }

  @Override
  public void run() {
    RunScope scope = new RunScope();
    ScopedValue.where(RunningWork.SCOPE, scope).run(() -> work(scope));
  }

  private void work(RunScope scope) {
    do {
      for (Run run = next(); run != null; run = next()) {
        OwnerEvent report = scope.perform(run);
        if (report != null && kernel.postAndRun(report)) {
          scope.startLap();
        }
      }
    } while (!queue.leave());
  }

  private @Nullable Run next() {
    Runnable action;
    synchronized (this) {
      Run run = queue.take();
      current = run;
      if (run != null) {
        return run;
      }
      action = onIdle;
      onIdle = null;
    }
    if (action != null) {
      action.run();
    }
    return null;
  }
}
