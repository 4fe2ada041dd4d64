package io.aktis.core.owner;

import java.util.ArrayList;
import java.util.List;

/** Says in words where a task is. */
final class Words {
  private static final int MAX_DEPTH = 6;
  private static final int MAX_VALUES = 3;

  private Words() {}

  /** Says why a task has no result yet. */
  static String why(Task task) {
    return switch (task.machine().state()) {
      case WAITING ->
          task.pauses
              ? "was ended because memory ran out, and is run again in a moment"
              : "waits for " + task.missing + " of its arguments";
      case QUEUED -> whyQueued(task);
      case PUSHED ->
          task.blockedOn.isEmpty()
              ? "runs, or is about to, attempt " + task.machine().attempt()
              : "runs and waits for " + task.blockedOn.size() + " values";
      case SUCCEEDED -> "has its result";
      case FAILED -> "has failed";
      case CANCELLED -> "was cancelled";
    };
  }

  /**
   * Says all that keeps a task from its result, a line each, from what it waits for itself to what
   * that waits for.
   */
  static List<String> explain(Task task) {
    List<String> lines = new ArrayList<>();
    explain(task, 0, lines);
    return lines;
  }

  private static void explain(Task task, int depth, List<String> lines) {
    String indent = "  ".repeat(depth);
    lines.add(indent + task.id() + " " + task.name() + " " + why(task));
    switch (task.machine().state()) {
      case QUEUED -> whyNoNode(task).forEach(reason -> lines.add(indent + "  " + reason));
      case PUSHED -> {
        Lease lease = task.lease;
        if (lease != null) {
          lines.add(indent + "  it is on " + lease.node());
        }
        explainFirst(task.blockedOn, depth, lines);
      }
      case WAITING -> explainFirst(List.of(task.arguments), depth, lines);
      case SUCCEEDED, FAILED, CANCELLED -> {}
    }
  }

  private static List<String> whyNoNode(Task task) {
    Shape shape = task.shape();
    return shape == null || task.kind() == TaskKind.CALL ? List.of() : shape.rejectedBy;
  }

  /** Explains the first few values that are not there, as deep as people read. */
  private static void explainFirst(List<OwnedObject> objects, int depth, List<String> lines) {
    int shown = 0;
    for (OwnedObject object : objects) {
      Task producer = object.producer();
      if (producer != null && !producer.machine().isDone() && depth < MAX_DEPTH) {
        if (++shown > MAX_VALUES) {
          lines.add("  ".repeat(depth + 1) + "and others");
          return;
        }
        explain(producer, depth + 1, lines);
      }
    }
  }

  private static String whyQueued(Task task) {
    Shape shape = task.shape();
    Actor actor = task.actor();
    if (task.kind() == TaskKind.CALL && actor != null) {
      return "waits for its turn at actor " + actor.name() + ", which is " + actor.machine();
    }
    if (shape == null) {
      return "waits";
    }
    return "waits for " + need(shape, "a lease is asked for");
  }

  /** Names what a shape needs and why it cannot have it, without saying the first twice. */
  static String need(Shape shape, String otherwise) {
    String need = shape.key().toString();
    if (shape.reason.isEmpty()) {
      return need + ": " + otherwise;
    }
    String demand = shape.key().demand() + ": ";
    String why =
        shape.reason.startsWith(demand) ? shape.reason.substring(demand.length()) : shape.reason;
    return need + ": " + why;
  }
}
