package io.aktis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Every failure that the engine reports. Unchecked. It says whether trying again can help, and
 * brings the story: the last transitions of the task, actor or object it is about.
 *
 * <p>Each call that fails throws an exception of its own, so a stack trace shows who waited.
 */
public sealed class AktisException extends RuntimeException
    permits ActorDiedException,
        ActorUnavailableException,
        CallerInterruptedException,
        DeadlockException,
        InfeasibleException,
        NodeDiedException,
        NotSerializableException,
        ObjectLostException,
        ObjectStoreFullException,
        OutOfDiskException,
        OutOfMemoryException,
        PendingCallsLimitException,
        PlacementGroupRemovedException,
        RuntimeEnvException,
        SessionClosedException,
        TaskCancelledException,
        TaskFailedException,
        TimeoutException,
        WorkerDiedException {
  private static final long serialVersionUID = 1L;

  private final String[] story;

  AktisException(String message, @Nullable Throwable cause, List<String> story) {
    super(message, cause);
    this.story = story.toArray(String[]::new);
  }

  /** Returns whether the same call can succeed when it is made again later. */
  public boolean isRetryable() {
    return false;
  }

  /** Returns the last transitions of what this failure is about, oldest first; may be empty. */
  public List<String> story() {
    return List.of(story);
  }
}
