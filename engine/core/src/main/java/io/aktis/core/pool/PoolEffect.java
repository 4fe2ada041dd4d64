package io.aktis.core.pool;

import io.aktis.core.id.LeaseId;
import java.util.List;

/** What a {@link WorkerPool} wants done. */
public sealed interface PoolEffect {
  /**
   * Start a process, when what it needs is here; to be answered by {@link PoolEvent.WorkerRuns} and
   * {@link PoolEvent.WorkerReady}, or by {@link PoolEvent.WorkerGone}.
   *
   * @param worker its number, never used again
   * @param owner its job
   * @param key what it is made with
   * @param exclusive whether it serves one lease alone
   * @param gpuIds the devices that it may see
   */
  record StartWorker(long worker, long owner, WorkerKey key, boolean exclusive, List<String> gpuIds)
      implements PoolEffect {}

  /** Kill a process and all that it has started; answered by {@link PoolEvent.WorkerGone}. */
  record KillWorker(long worker) implements PoolEffect {}

  /** Tell the owner that its lease is served. */
  record TellServed(LeaseId lease, long worker, String address) implements PoolEffect {}

  /** Tell the owner that its lease cannot be served, since no process can be made. */
  record TellFailed(LeaseId lease, String reason) implements PoolEffect {}

  /**
   * Tell the owner that a process is gone that has served it, and the leases with it that it
   * served; none when all of them had been given back.
   */
  record TellLost(long owner, long worker, List<LeaseId> leases, String reason, boolean outOfMemory)
      implements PoolEffect {}

  /** Give what the lease holds back to the ledger: nothing of its work can be running. */
  record ReleaseLease(LeaseId lease) implements PoolEffect {}

  /** Tell that nothing of the job is left. */
  record TellJobGone(long owner) implements PoolEffect {}
}
