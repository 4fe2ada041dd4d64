package io.aktis.core.pool;

/**
 * The limits of a pool.
 *
 * @param maxStartFailures how often in a row a process may fail to start before the leases that
 *     wait for it fail
 * @param startLimitMs how long a process that runs may take until it is ready
 * @param leaveLimitMs how long a process may take to end after its connection has ended
 * @param idleLimitMs how long a process that is not the plain one of its job is kept without work
 * @param maxIdle how many such processes of one job are kept
 */
public record PoolLimits(
    int maxStartFailures, long startLimitMs, long leaveLimitMs, long idleLimitMs, int maxIdle) {
  /** What a node uses. */
  public static final PoolLimits DEFAULT = new PoolLimits(3, 60_000, 2_000, 60_000, 4);

  /** Checks the limits. */
  public PoolLimits {
    if (maxStartFailures < 1
        || startLimitMs < 1
        || leaveLimitMs < 1
        || idleLimitMs < 1
        || maxIdle < 1) {
      throw new IllegalArgumentException("limits of a pool must be at least 1");
    }
  }
}
