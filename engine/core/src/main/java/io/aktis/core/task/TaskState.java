package io.aktis.core.task;

/** Where a task is, as its owner sees it. */
public enum TaskState {
  /** Some argument does not exist yet. */
  WAITING,
  /** All arguments exist; it waits for a lease, or for its actor. */
  QUEUED,
  /** It was sent to a worker and runs there, or is about to. */
  PUSHED,
  /** It has its results. */
  SUCCEEDED,
  /** It failed for good. */
  FAILED,
  /** It was cancelled. */
  CANCELLED
}
