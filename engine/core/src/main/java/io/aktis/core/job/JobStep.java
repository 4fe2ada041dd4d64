package io.aktis.core.job;

/** What can happen to a job; where the job decides what follows, the outcome is a step. */
public enum JobStep {
  /** Its process runs. */
  STARTED,
  /** Its process could not be started. */
  START_FAILED,
  /** Somebody wants it to end, and there is, or may be, a process that has to end first. */
  STOP_ASKED,
  /** Its process has ended by itself, with exit code 0. */
  ENDED_WELL,
  /** Its process has ended by itself, with another exit code or by a signal. */
  ENDED_BADLY,
  /** It was asked to end, and nothing of it is there. */
  ENDED_AS_ASKED,
  /** The head that had it has ended, and its process with it. */
  LOST
}
