package io.aktis.core.job;

/**
 * The limits of the jobs of a head.
 *
 * @param maxRunning how many run at a time; others wait for one of them to end
 * @param maxPending how many may wait; more are refused
 * @param maxFinished how many that have ended can be asked for; those that ended first are
 *     forgotten
 */
public record JobLimits(int maxRunning, int maxPending, int maxFinished) {
  /** What a head uses. */
  public static final JobLimits DEFAULT = new JobLimits(32, 100, 100);

  /** Checks the limits. */
  public JobLimits {
    if (maxRunning < 1 || maxPending < 1 || maxFinished < 1) {
      throw new IllegalArgumentException("limits of jobs must be at least 1");
    }
  }
}
