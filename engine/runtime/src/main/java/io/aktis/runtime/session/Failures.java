package io.aktis.runtime.session;

import io.aktis.ActorDiedException;
import io.aktis.ActorUnavailableException;
import io.aktis.AktisException;
import io.aktis.CallerInterruptedException;
import io.aktis.DeadlockException;
import io.aktis.InfeasibleException;
import io.aktis.NodeDiedException;
import io.aktis.NotSerializableException;
import io.aktis.ObjectLostException;
import io.aktis.ObjectStoreFullException;
import io.aktis.OutOfDiskException;
import io.aktis.OutOfMemoryException;
import io.aktis.PendingCallsLimitException;
import io.aktis.PlacementGroupRemovedException;
import io.aktis.RuntimeEnvException;
import io.aktis.SessionClosedException;
import io.aktis.TaskCancelledException;
import io.aktis.TaskFailedException;
import io.aktis.TimeoutException;
import io.aktis.WorkerDiedException;
import io.aktis.core.owner.FailureKind;
import io.aktis.core.owner.Outcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the exceptions of the interface from failures, and the other way round. */
final class Failures {
  private Failures() {}

  /** Makes a new exception for somebody who asks for the value. */
  static AktisException exception(Outcome.Failure failure, @Nullable Throwable cause) {
    String message = failure.message();
    List<String> story = failure.story();
    return switch (failure.kind()) {
      case TASK_FAILED ->
          new TaskFailedException(
              message,
              cause == null ? new IllegalStateException(message) : cause,
              failure.attempts(),
              story);
      case CANCELLED -> new TaskCancelledException(message, cause, story);
      case WORKER_DIED -> new WorkerDiedException(message, cause, story);
      case NODE_DIED -> new NodeDiedException(message, cause, story);
      case OUT_OF_MEMORY -> new OutOfMemoryException(message, cause, story);
      case ACTOR_DIED -> new ActorDiedException(message, cause, story);
      case ACTOR_UNAVAILABLE -> new ActorUnavailableException(message, cause, story);
      case PENDING_CALLS_LIMIT -> new PendingCallsLimitException(message, cause, story);
      case DEADLOCK -> new DeadlockException(message, cause, story);
      case OBJECT_LOST -> new ObjectLostException(message, cause, story);
      case STORE_FULL -> new ObjectStoreFullException(message, cause, story);
      case OUT_OF_DISK -> new OutOfDiskException(message, cause, story);
      case INFEASIBLE -> new InfeasibleException(message, failure.details(), story);
      case GROUP_REMOVED -> new PlacementGroupRemovedException(message, cause, story);
      case RUNTIME_ENV -> new RuntimeEnvException(message, cause, story);
      case NOT_SERIALIZABLE -> new NotSerializableException(message, pathOf(cause), cause);
      case SESSION_CLOSED -> new SessionClosedException(message, cause, story);
    };
  }

  private static String pathOf(@Nullable Throwable cause) {
    return cause instanceof NotSerializableException own ? own.fieldPath() : "";
  }

  /** Returns what kind of failure an exception of the interface tells of. */
  static FailureKind kindOf(AktisException exception) {
    return switch (exception) {
      case TaskFailedException _ -> FailureKind.TASK_FAILED;
      case TaskCancelledException _ -> FailureKind.CANCELLED;
      case WorkerDiedException _ -> FailureKind.WORKER_DIED;
      case NodeDiedException _ -> FailureKind.NODE_DIED;
      case OutOfMemoryException _ -> FailureKind.OUT_OF_MEMORY;
      case ActorDiedException _ -> FailureKind.ACTOR_DIED;
      case ActorUnavailableException _ -> FailureKind.ACTOR_UNAVAILABLE;
      case PendingCallsLimitException _ -> FailureKind.PENDING_CALLS_LIMIT;
      case DeadlockException _ -> FailureKind.DEADLOCK;
      case ObjectLostException _ -> FailureKind.OBJECT_LOST;
      case ObjectStoreFullException _ -> FailureKind.STORE_FULL;
      case OutOfDiskException _ -> FailureKind.OUT_OF_DISK;
      case InfeasibleException _ -> FailureKind.INFEASIBLE;
      case PlacementGroupRemovedException _ -> FailureKind.GROUP_REMOVED;
      case RuntimeEnvException _ -> FailureKind.RUNTIME_ENV;
      case NotSerializableException _ -> FailureKind.NOT_SERIALIZABLE;
      case SessionClosedException _ -> FailureKind.SESSION_CLOSED;
      case TimeoutException _ -> FailureKind.TASK_FAILED;
      case CallerInterruptedException _ -> FailureKind.TASK_FAILED;
      default -> FailureKind.TASK_FAILED;
    };
  }
}
