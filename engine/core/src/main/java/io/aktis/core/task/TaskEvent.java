package io.aktis.core.task;

/** What can happen to a task; where a budget decides, the outcome is a kind of its own. */
public enum TaskEvent {
  /** The last missing argument exists. */
  ARGUMENTS_READY,
  /** All copies of an argument are gone; it is made again first. */
  ARGUMENTS_LOST,
  /** It is sent to a worker: a new attempt begins. */
  PUSHED,
  /** The worker gave it back, not started. */
  RETURNED,
  /** The code returned. */
  SUCCEEDED,
  /** The attempt failed or was lost, and a budget allows another. */
  RETRIED,
  /** An argument, the last attempt, or the engine's word that it can never run, failed it. */
  FAILED,
  /** It was cancelled and does not run, or its run has ended or was given up. */
  CANCELLED,
  /** All copies of a result are gone, and the budget allows to make it again. */
  OUTPUT_LOST
}
