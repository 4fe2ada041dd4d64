package io.aktis.core.pool;

import io.aktis.core.id.LeaseId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The place of one process at a time, and the leases that it serves or will serve. */
final class Slot {
  final long owner;
  final WorkerKey key;
  final List<String> gpuIds;

  /** The only lease that it may serve; null when leases share it. */
  final @Nullable LeaseId only;

  final LinkedHashMap<LeaseId, LeaseState> leases = new LinkedHashMap<>();

  /** The present process; 0 before the first. */
  long worker;

  State state = State.STARTING;
  String address = "";

  /** Whether the present process runs; before that, what it needs is on its way. */
  boolean runs;

  /** Whether the present process has been ready. */
  boolean served;

  /** Whether the present process is killed because it did not get ready in time. */
  boolean overdue;

  /** When the last of its leases was given back. */
  long idleSinceMs;

  /** When it began to run, or when its connection ended. */
  long sinceMs;

  /** Why it is killed; null while it is not. */
  @Nullable String why;

  /** Processes in a row that ended before they were ready. */
  int failures;

  /** What the process does. */
  enum State {
    /** It is asked for, and has not said that it serves. */
    STARTING,
    /** It serves. */
    READY,
    /** Its connection has ended, and it should end by itself. */
    LEAVING,
    /** It is being killed. */
    DYING
  }

  /** What a lease is waiting for. */
  enum LeaseState {
    /** A process that serves it. */
    WAITING,
    /** Nothing: its owner uses it. */
    SERVED,
    /** The end of the process: its owner needs it no more. */
    RETURNED
  }

  Slot(long owner, WorkerKey key, List<String> gpuIds, @Nullable LeaseId only) {
    this.owner = owner;
    this.key = key;
    this.gpuIds = gpuIds;
    this.only = only;
  }

  List<LeaseId> leasesThatAre(LeaseState wanted) {
    List<LeaseId> found = new ArrayList<>();
    leases.forEach((lease, is) -> {
      if (is == wanted) {
        found.add(lease);
      }
    });
    return found;
  }

  boolean hasWaiting() {
    return leases.containsValue(LeaseState.WAITING);
  }

  /** Whether it is kept in case that more work comes, and need not be. */
  boolean isIdle() {
    return state == State.READY && leases.isEmpty() && !key.equals(WorkerKey.PLAIN);
  }

  boolean isEnding() {
    return state == State.LEAVING || state == State.DYING;
  }

  @Override
  public String toString() {
    return "worker " + worker + " (" + state + ", " + leases + ")";
  }
}
