package io.aktis.core.owner;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds circles of work that waits for itself. Edges go from a task to what it cannot go on
 * without: from a task that blocks, or that waits for arguments, to the tasks that make those
 * values; from a call that is queued at an ordered actor to the call that runs there. A circle can
 * only close when a task blocks, so it is looked for then, from that task. Work that merely waits
 * for a CPU has no edges: it gets one.
 */
final class Deadlocks {
  private Deadlocks() {}

  /** Returns the tasks of a circle through {@code start}, in its order; empty if there is none. */
  static List<Task> circle(Task start) {
    Map<Task, Task> reachedFrom = new LinkedHashMap<>();
    ArrayDeque<Task> open = new ArrayDeque<>();
    open.add(start);
    while (!open.isEmpty()) {
      Task task = open.removeLast();
      for (Task next : edges(task)) {
        if (next == start) {
          return path(start, task, reachedFrom);
        }
        if (reachedFrom.putIfAbsent(next, task) == null) {
          open.add(next);
        }
      }
    }
    return List.of();
  }

  private static List<Task> path(Task start, Task last, Map<Task, Task> reachedFrom) {
    List<Task> chain = new ArrayList<>();
    for (Task task = last; task != null && task != start; task = reachedFrom.get(task)) {
      chain.addFirst(task);
    }
    chain.addFirst(start);
    return chain;
  }

  private static List<Task> edges(Task task) {
    List<Task> out = new ArrayList<>(2);
    addProducers(task.blockedOn, out);
    if (task.missing > 0) {
      addProducers(List.of(task.arguments), out);
    }
    Task ahead = runningAhead(task);
    if (ahead != null) {
      out.add(ahead);
    }
    return out;
  }

  private static void addProducers(List<OwnedObject> objects, List<Task> out) {
    for (OwnedObject object : objects) {
      Task producer = object.producer();
      if (object.state == OwnedObject.State.PENDING && producer != null) {
        out.add(producer);
      }
    }
  }

  /** Returns the call that an ordered actor runs while {@code call} is queued there. */
  private static @Nullable Task runningAhead(Task call) {
    Actor actor = call.actor();
    if (call.kind() != TaskKind.CALL || actor == null || !actor.isOrdered()) {
      return null;
    }
    if (call.machine().isDone() || actor.inFlight.isEmpty()) {
      return null;
    }
    Task first = actor.inFlight.getFirst();
    return first == call ? null : first;
  }

  /** Returns the call of a circle that was made last and has not started. */
  static @Nullable Task youngest(List<Task> circle) {
    Task youngest = null;
    for (Task task : circle) {
      if (runningAhead(task) != null
          && (youngest == null || task.id().sequence() > youngest.id().sequence())) {
        youngest = task;
      }
    }
    return youngest;
  }

  /** Describes a circle: each task with what it waits for. */
  static String describe(List<Task> circle) {
    StringBuilder out = new StringBuilder();
    for (Task task : circle) {
      out.append(task.name());
      Actor actor = task.actor();
      if (actor != null) {
        out.append(" on actor ").append(actor.name());
      }
      out.append(" → ");
    }
    return out.append(circle.getFirst().name()).toString();
  }
}
