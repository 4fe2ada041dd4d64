package io.aktis.core.job;

import static io.aktis.core.job.JobStep.ENDED_AS_ASKED;
import static io.aktis.core.job.JobStep.ENDED_BADLY;
import static io.aktis.core.job.JobStep.ENDED_WELL;
import static io.aktis.core.job.JobStep.LOST;
import static io.aktis.core.job.JobStep.STARTED;
import static io.aktis.core.job.JobStep.START_FAILED;
import static io.aktis.core.job.JobStep.STOP_ASKED;

import io.aktis.core.machine.TransitionTable;

/** Where a submitted program is in its life. */
public enum JobState {
  /** It waits for others to end, or its process is about to start. */
  PENDING,
  /** Its process runs, perhaps after it was asked to end. */
  RUNNING,
  /** It has ended with exit code 0. */
  SUCCEEDED,
  /** It has ended with another exit code, by a signal or with its head, or could not be started. */
  FAILED,
  /** It has ended because somebody wanted that, whatever its exit code was. */
  STOPPED;

  /** The moves between the states. */
  public static final TransitionTable<JobState, JobStep> TABLE =
      TransitionTable.of(JobState.class, JobStep.class)
          .startsIn(PENDING)
          .on(PENDING, STARTED, RUNNING)
          .on(PENDING, START_FAILED, FAILED)
          .stays(PENDING, STOP_ASKED)
          .on(PENDING, ENDED_AS_ASKED, STOPPED)
          .on(PENDING, LOST, FAILED)
          .stays(RUNNING, STOP_ASKED)
          .on(RUNNING, ENDED_WELL, SUCCEEDED)
          .on(RUNNING, ENDED_BADLY, FAILED)
          .on(RUNNING, ENDED_AS_ASKED, STOPPED)
          .on(RUNNING, LOST, FAILED)
          .ignores(SUCCEEDED, STOP_ASKED)
          .ignores(FAILED, STOP_ASKED)
          .ignores(STOPPED, STOP_ASKED)
          .endsIn(SUCCEEDED)
          .endsIn(FAILED)
          .endsIn(STOPPED)
          .build();

  /** Tells whether nothing of the job is there any more. */
  public boolean isOver() {
    return TABLE.isEnd(this);
  }
}
