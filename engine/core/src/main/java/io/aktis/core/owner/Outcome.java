package io.aktis.core.owner;

import io.aktis.core.id.NodeId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What became of an object. */
public sealed interface Outcome {
  /**
   * The value is small, or shared as it is, and lives with its owner.
   *
   * @param value the value in the form the shell keeps it
   * @param contained the objects that references inside the value name
   */
  record Inline(Object value, List<OwnedObject> contained) implements Outcome {}

  /**
   * The value lies sealed in the store of a node.
   *
   * @param value how the shell finds it
   * @param node the node
   * @param sizeBytes its size
   * @param contained the objects that references inside the value name
   */
  record Stored(Object value, NodeId node, long sizeBytes, List<OwnedObject> contained)
      implements Outcome {}

  /**
   * There is no value.
   *
   * @param kind what happened
   * @param message what happened, in words
   * @param cause what the code threw, in the form the shell keeps it
   * @param attempts how often the code was started
   * @param story the last transitions of what failed
   * @param details further lines, such as the nodes that refused
   */
  record Failure(
      FailureKind kind,
      String message,
      @Nullable Object cause,
      int attempts,
      List<String> story,
      List<String> details)
      implements Outcome {
    /** Makes a failure that needs no more than its message. */
    public static Failure of(FailureKind kind, String message) {
      return new Failure(kind, message, null, 0, List.of(), List.of());
    }

    /** Returns this failure with another story. */
    Failure withStory(List<String> lines) {
      return new Failure(kind, message, cause, attempts, lines, details);
    }

    /** Returns this failure with the story of {@code task}. */
    public Failure about(Task task) {
      return new Failure(kind, message, cause, task.machine().starts(), task.story(), details);
    }
  }
}
