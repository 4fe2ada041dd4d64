package io.aktis.core.owner;

/** Says in words where a task is. */
final class Words {
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
