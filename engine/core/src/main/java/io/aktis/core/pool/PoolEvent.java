package io.aktis.core.pool;

import io.aktis.core.id.LeaseId;
import java.util.List;

/** What can happen to the workers of a node. */
public sealed interface PoolEvent {
  /** A job has come: a first worker may start before anybody asks for it. */
  record JobBegan(long owner) implements PoolEvent {}

  /**
   * The ledger has granted a lease.
   *
   * @param lease the lease
   * @param key what its process is made with
   * @param exclusive whether it needs a process of its own, which ends with it
   * @param gpuIds the devices that it may use; only of exclusive ones
   */
  record LeaseGranted(LeaseId lease, WorkerKey key, boolean exclusive, List<String> gpuIds)
      implements PoolEvent {
    /** Checks that GPUs are not shared. */
    public LeaseGranted {
      gpuIds = List.copyOf(gpuIds);
      if (!exclusive && !gpuIds.isEmpty()) {
        throw new IllegalArgumentException("work on GPUs needs a process of its own");
      }
    }
  }

  /** The owner of a lease gives it back. */
  record LeaseReleased(LeaseId lease) implements PoolEvent {}

  /** The owner of a lease wants the process killed that serves it. */
  record KillAsked(LeaseId lease) implements PoolEvent {}

  /** What a process needs is here, and it runs; the time until it has to be ready begins. */
  record WorkerRuns(long worker) implements PoolEvent {}

  /** A process serves, at this address. */
  record WorkerReady(long worker, String address) implements PoolEvent {}

  /** The connection of a process has ended; the process may still be there. */
  record WorkerLeft(long worker) implements PoolEvent {}

  /**
   * A process has ended, or could not be started.
   *
   * @param worker which
   * @param reason why, in words
   * @param outOfMemory whether its heap was full
   * @param byItself whether it was not killed, so that {@code reason} is the whole truth even when
   *     somebody wanted it killed
   */
  record WorkerGone(long worker, String reason, boolean outOfMemory, boolean byItself)
      implements PoolEvent {}

  /** A job is over: nothing of it counts any more. */
  record JobOver(long owner) implements PoolEvent {}

  /** Time has passed; to be told every second or so. */
  record Tick() implements PoolEvent {}
}
