package io.aktis.runtime.embedded;

import io.aktis.core.owner.OwnerEvent;
import io.aktis.core.owner.Task;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs the tasks of one lease, one after the other, on a crew thread that it asks for when there is
 * something to do. Thread-safe.
 */
final class Slot implements Runnable {
  private final Kernel kernel;
  private final ArrayDeque<Run> queue = new ArrayDeque<>();
  private @Nullable Run current;
  private boolean active;
  private @Nullable Runnable onIdle;

  Slot(Kernel kernel) {
    this.kernel = kernel;
  }

  void add(Run run) {
    boolean start;
    synchronized (queue) {
      queue.add(run);
      start = !active;
      active = true;
    }
    if (start) {
      kernel.crew().execute(this);
    }
  }

  /** Takes the tasks that have not started. */
  List<Task> takeUnstarted() {
    List<Task> tasks = new ArrayList<>();
    synchronized (queue) {
      for (Run run = queue.poll(); run != null; run = queue.poll()) {
        tasks.add(run.task());
      }
    }
    return tasks;
  }

  /** Ends everything as if the process were gone; returns the task that had started, if any. */
  List<Task> abandon() {
    synchronized (queue) {
      queue.forEach(Run::end);
      queue.clear();
      Run run = current;
      return run == null || run.end() == Run.Ended.BEFORE_START ? List.of() : List.of(run.task());
    }
  }

  /** Runs {@code action} once, when nothing runs here any more. */
  void whenIdle(Runnable action) {
    synchronized (queue) {
      if (active) {
        onIdle = action;
        return;
      }
    }
    action.run();
  }

  private @Nullable Run next() {
    Runnable action;
    synchronized (queue) {
      Run run = queue.poll();
      current = run;
      active = run != null;
      if (active) {
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

  @Override
  public void run() {
    for (Run run = next(); run != null; run = next()) {
      OwnerEvent report = run.perform();
      if (report != null) {
        kernel.postAndRun(report);
      }
    }
  }
}
