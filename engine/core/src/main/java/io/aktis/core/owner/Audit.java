package io.aktis.core.owner;

import io.aktis.core.invariant.Invariant;
import io.aktis.core.task.TaskState;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Checks what must hold in an owner between events; for tests, its cost grows with all there is.
 */
final class Audit {
  private final LiveTasks live;
  private final Iterable<Shape> shapes;

  Audit(LiveTasks live, Iterable<Shape> shapes) {
    this.live = live;
    this.shapes = shapes;
  }

  void run() {
    tasks();
    for (Shape shape : shapes) {
      queue(shape);
      leases(shape);
    }
  }

  private void tasks() {
    Set<Task> seen = new LinkedHashSet<>();
    for (Task task = live.first(); task != null; task = task.next) {
      Invariant.check(!task.machine().isDone(), "the list has no task that is done", task);
      Invariant.check(seen.add(task), "the list has no circle", task);
      Invariant.check(task.holdsArguments, "a task that is not done holds its arguments", task);
      for (OwnedObject argument : task.arguments) {
        Invariant.check(argument.holds > 0, "what a task holds is held", argument);
      }
      boolean atWorker = task.machine().state() == TaskState.PUSHED;
      Lease lease = task.lease;
      if (task.kind() != TaskKind.CALL) {
        Invariant.check(atWorker == (lease != null), "who is at a worker has a lease", task);
        Invariant.check(
            lease == null || lease.inFlight.contains(task), "a lease knows its tasks", task);
      }
    }
    Invariant.check(seen.size() == live.count(), "the count of tasks is right", live.count());
  }

  private static void queue(Shape shape) {
    int waiting = 0;
    for (Task task : shape.queue) {
      if (!task.machine().isDone()) {
        waiting++;
        Invariant.check(
            task.machine().state() == TaskState.QUEUED && !task.lacksArguments(),
            "what is queued could run",
            task);
      }
    }
    Invariant.check(shape.queued() == waiting, "the count of queued tasks is right", shape);
  }

  private static void leases(Shape shape) {
    for (Lease lease : shape.leases) {
      Invariant.check(!lease.gone, "no lease is kept that is gone", lease);
      for (Task task : lease.inFlight) {
        Invariant.check(task.lease == lease, "a task on a lease knows it", task);
      }
      boolean works = lease.blockedBy == null && !lease.isIdle();
      Invariant.check(works == shape.working.contains(lease), "who works is known", lease);
    }
    Set<Lease> idle = new LinkedHashSet<>(shape.idle);
    Invariant.check(idle.size() == shape.idle.size(), "a lease is idle once", shape);
    for (Lease lease : idle) {
      Invariant.check(
          lease.isIdle() && shape.leases.contains(lease), "an idle lease has no work", lease);
    }
  }
}
