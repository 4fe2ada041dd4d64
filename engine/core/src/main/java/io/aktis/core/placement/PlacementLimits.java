package io.aktis.core.placement;

/**
 * The times of a {@link PlacementMachine}.
 *
 * @param answerMs how long a node may take to answer before the attempt is given up
 * @param holdMs how long a node keeps a prepared bundle that is not committed
 * @param firstRetryMs how long a group waits after an attempt that failed; doubles each time
 * @param lastRetryMs the longest such wait
 * @param replanMs how long news of nodes are gathered before waiting groups are planned again
 * @param graceMs how long a group may be infeasible before its creator is told
 */
public record PlacementLimits(
    long answerMs, long holdMs, long firstRetryMs, long lastRetryMs, long replanMs, long graceMs) {

  /** What is used unless configured. */
  public static final PlacementLimits DEFAULT =
      new PlacementLimits(5_000, 30_000, 50, 2_000, 20, 10_000);

  /** Checks the relations. */
  public PlacementLimits {
    if (answerMs <= 0 || firstRetryMs <= 0 || replanMs <= 0 || graceMs < 0) {
      throw new IllegalArgumentException("the times of placement groups must be positive");
    }
    if (holdMs < 3 * answerMs) {
      throw new IllegalArgumentException(
          "holdMs is " + holdMs + "; allowed is 3 * answerMs or more, so that a commit is in time");
    }
    if (lastRetryMs < firstRetryMs) {
      throw new IllegalArgumentException("lastRetryMs must not be less than firstRetryMs");
    }
  }
}
