package io.aktis.core.job;

import java.util.List;

/** What can happen to the jobs of a head. */
public sealed interface JobEvent {
  /**
   * The head takes over what an earlier one has written down; to be told before anything else. Jobs
   * that were not over have ended with that head.
   *
   * @param lastNumber the number of the last job that was taken, also if it is forgotten
   * @param jobs those that were not forgotten, in any order
   * @param reason what to tell of those that were not over
   */
  record Resumed(long lastNumber, List<JobStatus> jobs, String reason) implements JobEvent {
    /** Copies what is given. */
    public Resumed {
      jobs = List.copyOf(jobs);
    }
  }

  /**
   * A program was submitted; to be told only when {@link JobMachine#refusal} is empty.
   *
   * @param job its id, larger than any before it
   */
  record Submitted(JobId job) implements JobEvent {}

  /**
   * The process of a job runs.
   *
   * @param pid the number that the operating system gave it
   */
  record Started(JobId job, long pid) implements JobEvent {}

  /**
   * The process of a job could not be started.
   *
   * @param reason why, in words
   */
  record StartFailed(JobId job, String reason) implements JobEvent {}

  /**
   * The process of a job is gone, with all that it had started.
   *
   * @param exitCode as a shell tells it: 128 and the number of the signal that killed it
   */
  record Ended(JobId job, int exitCode) implements JobEvent {}

  /**
   * Somebody wants a job to end. Of two who do, the more impatient one counts.
   *
   * @param graceMs how long it may take to end by itself after it was told; with 0 it is killed
   */
  record StopAsked(JobId job, long graceMs) implements JobEvent {}

  /**
   * The head stops: no job is taken or started any more, and those that are there have to end.
   *
   * @param graceMs as of {@link StopAsked}
   */
  record Closing(long graceMs) implements JobEvent {}

  /** Time has passed; to be told every half second or so. */
  record Tick() implements JobEvent {}
}
