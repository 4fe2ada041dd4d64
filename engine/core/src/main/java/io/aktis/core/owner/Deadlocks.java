package io.aktis.core.owner;

import io.aktis.core.task.TaskState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds circles of work that waits for itself. Edges go from a task to what it cannot go on
 * without: from a task that blocks, or that waits for arguments, to the tasks that make those
 * values; from a call that is not done to the call that runs at its ordered actor, to the first
 * call of its caller that was not sent, and to the creation of its actor. A circle closes when a
 * task blocks, or when another call becomes the first of its caller; it is looked for then, from
 * there. Work that merely waits for a CPU has no edges: it gets one.
 *
 * <p>A circle is broken at the youngest call that only waits for its turn, for that has done
 * nothing yet. Where there is none (tasks can get at each other's results through the state of an
 * actor) it is broken at the youngest task that blocks, which is interrupted.
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
    addHolders(task, out);
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

  /** Adds what holds a call back that could run otherwise. */
  private static void addHolders(Task call, List<Task> out) {
    Actor actor = call.actor();
    if (call.kind() != TaskKind.CALL || actor == null || call.machine().isDone()) {
      return;
    }
    if (!actor.machine().takesCalls()) {
      add(actor.creation, call, out);
    }
    if (actor.isOrdered()) {
      add(actor.inFlight.isEmpty() ? null : actor.inFlight.getFirst(), call, out);
      CallQueue queue = call.queue;
      boolean sent = call.machine().state() == TaskState.PUSHED;
      add(queue == null || sent ? null : queue.calls.peek(), call, out);
    }
  }

  private static void add(@Nullable Task holder, Task call, List<Task> out) {
    if (holder != null && holder != call && !holder.machine().isDone()) {
      out.add(holder);
    }
  }

  private static boolean isHeldBack(Task call) {
    List<Task> holders = new ArrayList<>(2);
    addHolders(call, holders);
    return !holders.isEmpty();
  }

  /** Returns the task of a circle that is to fail so that the others can go on. */
  static Task victim(List<Task> circle) {
    Task victim = circle.getFirst();
    boolean held = false;
    for (Task task : circle) {
      boolean heldToo = isHeldBack(task);
      boolean younger = task.id().sequence() > victim.id().sequence();
      if (heldToo && !held || heldToo == held && younger) {
        victim = task;
        held = heldToo;
      }
    }
    return victim;
  }

  static Outcome.Failure failure(Task victim, List<Task> circle) {
    return Outcome.Failure.of(
        FailureKind.DEADLOCK,
        "Work waits for itself in a circle: "
            + describe(circle)
            + ". The youngest call of it, "
            + victim.name()
            + ", is failed so that the others can go on. Give an actor maxConcurrency above 1,"
            + " or do not wait for calls inside of calls.");
  }

  /** Describes a circle: each task with what it waits for. */
  private static String describe(List<Task> circle) {
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
