package io.aktis.core.job;

/** What a {@link JobMachine} wants done. */
public sealed interface JobEffect {
  /** Start the process of a job; to be answered by {@code Started} or {@code StartFailed}. */
  record Launch(JobId job) implements JobEffect {}

  /** Tell the process of a job to end, as SIGTERM does. */
  record Terminate(JobId job) implements JobEffect {}

  /** Kill the process of a job and all that it has started. */
  record Kill(JobId job) implements JobEffect {}

  /** Write down how a job is now, so that a later head knows it. */
  record Save(JobId job) implements JobEffect {}

  /** Tell whoever waits for a job that it is over. */
  record TellOver(JobId job) implements JobEffect {}

  /** Delete what is left of a job that has ended: nobody can ask for it any more. */
  record Forget(JobId job) implements JobEffect {}
}
