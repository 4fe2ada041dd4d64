package io.aktis.core.pool;

import io.aktis.core.id.LeaseId;
import io.aktis.core.invariant.BrokenInvariantError;
import io.aktis.core.invariant.Invariant;
import io.aktis.core.pool.PoolEffect.KillWorker;
import io.aktis.core.pool.PoolEffect.ReleaseLease;
import io.aktis.core.pool.PoolEffect.StartWorker;
import io.aktis.core.pool.PoolEffect.TellFailed;
import io.aktis.core.pool.PoolEffect.TellJobGone;
import io.aktis.core.pool.PoolEffect.TellLost;
import io.aktis.core.pool.PoolEffect.TellServed;
import io.aktis.core.pool.Slot.LeaseState;
import io.aktis.core.pool.Slot.State;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The worker processes of one node: which of them serves a lease. Lives beside the {@link
 * io.aktis.core.lease.LeaseLedger} of its node and is confined to one caller at a time.
 *
 * <p>The leases of one job share one process, for each {@link WorkerKey} that they ask for. Work
 * that is isolated, or has GPUs, gets a process of its own, which is killed when the lease is given
 * back. The plain process of a job is kept for as long as the job lives; of others, a few are kept
 * for a while when they have no work.
 *
 * <p>The ledger has taken the resources of a lease before the pool hears of it, and gets them back
 * by {@link ReleaseLease}, when nothing of its work can be running any more: at once where the
 * process goes on with others, and after the end of the process where it ends with the lease, dies
 * or is killed. A GPU is free when the process is gone and not before.
 *
 * <p>A slot has at most one process at a time. Leases that come while one is starting or ending
 * wait for it or for the next. A process that ends before it is ready is started again while leases
 * wait, a few times; then they fail with the last reason. How long it takes until what a process
 * needs is here (code, a working directory) is not limited here: whoever brings that does.
 *
 * <p>When a job is over all its processes are killed, and only then is anything of it released.
 * Events about leases, processes and jobs that are gone do nothing.
 */
public final class WorkerPool {
  private final PoolLimits limits;
  private final LinkedHashMap<Long, Job> jobs = new LinkedHashMap<>();
  private final LinkedHashMap<LeaseId, Slot> leases = new LinkedHashMap<>();
  private final LinkedHashMap<Long, Slot> workers = new LinkedHashMap<>();
  private long lastWorker;

  /** Makes a pool without workers. */
  public WorkerPool(PoolLimits limits) {
    this.limits = limits;
  }

  private static final class Job {
    final LinkedHashMap<WorkerKey, Slot> shared = new LinkedHashMap<>();
    final LinkedHashMap<LeaseId, Slot> single = new LinkedHashMap<>();
    boolean over;

    List<Slot> slots() {
      List<Slot> all = new ArrayList<>(shared.values());
      all.addAll(single.values());
      return all;
    }
  }

  /** The time of an event and where its effects go. */
  private record Turn(long nowMs, Consumer<? super PoolEffect> effects) {
    void emit(PoolEffect effect) {
      effects.accept(effect);
    }
  }

  /** Takes in what happened; {@code effects} are to be carried out in their order. */
  public void on(PoolEvent event, long nowMs, Consumer<? super PoolEffect> effects) {
    Turn turn = new Turn(nowMs, effects);
    switch (event) {
      case PoolEvent.JobBegan began -> jobBegan(began.owner(), turn);
      case PoolEvent.LeaseGranted granted -> leaseGranted(granted, turn);
      case PoolEvent.LeaseReleased released -> leaseReleased(released.lease(), turn);
      case PoolEvent.KillAsked asked -> killAsked(asked.lease(), turn);
      case PoolEvent.WorkerRuns runs -> workerRuns(runs.worker(), turn);
      case PoolEvent.WorkerReady ready -> workerReady(ready, turn);
      case PoolEvent.WorkerLeft left -> workerLeft(left.worker(), turn);
      case PoolEvent.WorkerGone gone -> workerGone(gone, turn);
      case PoolEvent.JobOver over -> jobOver(over.owner(), turn);
      case PoolEvent.Tick tick -> tick(turn);
    }
  }

  private void jobBegan(long owner, Turn turn) {
    if (!jobs.containsKey(owner)) {
      Job job = new Job();
      jobs.put(owner, job);
      start(sharedSlot(owner, job, WorkerKey.PLAIN), turn);
    }
  }

  private static Slot sharedSlot(long owner, Job job, WorkerKey key) {
    return job.shared.computeIfAbsent(key, ignored -> new Slot(owner, key, List.of(), null));
  }

  private void start(Slot slot, Turn turn) {
    slot.worker = ++lastWorker;
    slot.state = State.STARTING;
    slot.address = "";
    slot.runs = false;
    slot.served = false;
    slot.overdue = false;
    slot.sinceMs = turn.nowMs;
    slot.why = null;
    workers.put(slot.worker, slot);
    turn.emit(new StartWorker(slot.worker, slot.owner, slot.key, slot.only != null, slot.gpuIds));
  }

  // ---- leases ---------------------------------------------------------------------------------

  private void leaseGranted(PoolEvent.LeaseGranted granted, Turn turn) {
    LeaseId lease = granted.lease();
    Slot known = leases.get(lease);
    if (known != null) {
      if (known.state == State.READY && known.leases.get(lease) == LeaseState.SERVED) {
        turn.emit(new TellServed(lease, known.worker, known.address));
      }
      return;
    }
    Job job = jobs.get(lease.owner());
    if (job == null || job.over) {
      turn.emit(new ReleaseLease(lease));
      return;
    }
    Slot slot =
        granted.exclusive()
            ? new Slot(lease.owner(), granted.key(), granted.gpuIds(), lease)
            : sharedSlot(lease.owner(), job, granted.key());
    if (granted.exclusive()) {
      job.single.put(lease, slot);
    }
    leases.put(lease, slot);
    slot.leases.put(lease, LeaseState.WAITING);
    if (slot.worker == 0) {
      start(slot, turn);
    } else if (slot.state == State.READY) {
      serve(slot, lease, turn);
    }
  }

  private static void serve(Slot slot, LeaseId lease, Turn turn) {
    slot.leases.put(lease, LeaseState.SERVED);
    turn.emit(new TellServed(lease, slot.worker, slot.address));
  }

  private void leaseReleased(LeaseId lease, Turn turn) {
    Slot slot = leases.get(lease);
    if (slot == null) {
      return;
    }
    boolean neverUsed = slot.leases.get(lease) == LeaseState.WAITING;
    if (slot.only == null && (neverUsed || !slot.isEnding())) {
      release(slot, lease, turn);
      keepSomeIdle(slot, turn);
      return;
    }
    slot.leases.put(lease, LeaseState.RETURNED);
    if (slot.only != null) {
      kill(slot, "its lease was given back", turn);
    }
  }

  /** Work in many environments, one after the other, must not leave a process for each. */
  private void keepSomeIdle(Slot slot, Turn turn) {
    slot.idleSinceMs = turn.nowMs;
    Job job = jobs.get(slot.owner);
    if (job == null || !slot.isIdle()) {
      return;
    }
    Slot oldest = slot;
    int idle = 0;
    for (Slot other : job.shared.values()) {
      if (other.isIdle()) {
        idle++;
        oldest = other.idleSinceMs < oldest.idleSinceMs ? other : oldest;
      }
    }
    if (idle > limits.maxIdle()) {
      kill(oldest, "it had no work", turn);
    }
  }

  private void release(Slot slot, LeaseId lease, Turn turn) {
    slot.leases.remove(lease);
    leases.remove(lease);
    turn.emit(new ReleaseLease(lease));
  }

  private void killAsked(LeaseId lease, Turn turn) {
    Slot slot = leases.get(lease);
    if (slot == null) {
      return;
    }
    LeaseState state = slot.leases.get(lease);
    if (state == LeaseState.SERVED) {
      kill(slot, "it was killed because its owner asked for that", turn);
    } else if (state == LeaseState.WAITING) {
      turn.emit(
          new TellLost(slot.owner, slot.worker, List.of(lease), "it was not there yet", false));
      leaseReleased(lease, turn);
    }
  }

  // ---- workers --------------------------------------------------------------------------------

  private static void kill(Slot slot, String why, Turn turn) {
    if (slot.state != State.DYING) {
      slot.state = State.DYING;
      slot.why = why;
      turn.emit(new KillWorker(slot.worker));
    }
  }

  private void workerRuns(long worker, Turn turn) {
    Slot slot = workers.get(worker);
    if (slot != null && slot.state == State.STARTING) {
      slot.runs = true;
      slot.sinceMs = turn.nowMs;
    }
  }

  private void workerReady(PoolEvent.WorkerReady ready, Turn turn) {
    Slot slot = workers.get(ready.worker());
    if (slot == null || slot.state != State.STARTING) {
      return;
    }
    slot.state = State.READY;
    slot.served = true;
    slot.idleSinceMs = turn.nowMs;
    slot.failures = 0;
    slot.address = ready.address();
    slot.leasesThatAre(LeaseState.WAITING).forEach(lease -> serve(slot, lease, turn));
  }

  private void workerLeft(long worker, Turn turn) {
    Slot slot = workers.get(worker);
    if (slot != null && !slot.isEnding()) {
      slot.state = State.LEAVING;
      slot.sinceMs = turn.nowMs;
    }
  }

  private void workerGone(PoolEvent.WorkerGone gone, Turn turn) {
    Slot slot = workers.remove(gone.worker());
    if (slot == null) {
      return;
    }
    List<LeaseId> lost = slot.leasesThatAre(LeaseState.SERVED);
    if (slot.served && !isOver(slot)) {
      String reason = slot.why == null || gone.byItself() ? gone.reason() : slot.why;
      turn.emit(new TellLost(slot.owner, gone.worker(), lost, reason, gone.outOfMemory()));
    }
    lost.forEach(lease -> release(slot, lease, turn));
    slot.leasesThatAre(LeaseState.RETURNED).forEach(lease -> release(slot, lease, turn));
    String reason = slot.overdue ? slot.why + "; " + gone.reason() : gone.reason();
    next(slot, reason, turn);
  }

  private boolean isOver(Slot slot) {
    Job job = jobs.get(slot.owner);
    return job == null || job.over;
  }

  /** Starts the next process of a slot whose process is gone, or gives the slot up. */
  private void next(Slot slot, String reason, Turn turn) {
    Job job = jobs.get(slot.owner);
    if (job == null) {
      throw new BrokenInvariantError("the job of " + slot + " is known");
    }
    boolean failed = !slot.served && (slot.why == null || slot.overdue);
    slot.failures += failed ? 1 : 0;
    if (slot.hasWaiting() && slot.failures < limits.maxStartFailures()) {
      start(slot, turn);
      return;
    }
    for (LeaseId lease : slot.leasesThatAre(LeaseState.WAITING)) {
      turn.emit(new TellFailed(lease, reason));
      release(slot, lease, turn);
    }
    if (slot.only == null) {
      job.shared.remove(slot.key);
    } else {
      job.single.remove(slot.only);
    }
    forgetIfGone(slot.owner, job, turn);
  }

  private void tick(Turn turn) {
    for (Slot slot : workers.values()) {
      long passedMs = turn.nowMs - slot.sinceMs;
      if (slot.state == State.STARTING && slot.runs && passedMs >= limits.startLimitMs()) {
        slot.overdue = true;
        kill(slot, "it was not ready after " + limits.startLimitMs() / 1_000.0 + " s", turn);
      } else if (slot.state == State.LEAVING && passedMs >= limits.leaveLimitMs()) {
        kill(slot, "its connection to its node ended, and it was killed", turn);
      } else if (slot.isIdle() && turn.nowMs - slot.idleSinceMs >= limits.idleLimitMs()) {
        kill(slot, "it had no work", turn);
      }
    }
  }

  // ---- jobs -----------------------------------------------------------------------------------

  private void jobOver(long owner, Turn turn) {
    Job job = jobs.get(owner);
    if (job == null || job.over) {
      return;
    }
    job.over = true;
    for (Slot slot : job.slots()) {
      slot.leases.replaceAll((lease, state) -> LeaseState.RETURNED);
      kill(slot, "its job is over", turn);
    }
    forgetIfGone(owner, job, turn);
  }

  private void forgetIfGone(long owner, Job job, Turn turn) {
    if (job.over && job.shared.isEmpty() && job.single.isEmpty()) {
      jobs.remove(owner);
      turn.emit(new TellJobGone(owner));
    }
  }

  // ---- figures --------------------------------------------------------------------------------

  /** Returns how many processes there are, with those that start or end. */
  public int workerCount() {
    return workers.size();
  }

  /** Returns how many leases wait for a process, are served, or wait for the end of one. */
  public int leaseCount() {
    return leases.size();
  }

  /** Tells whether the job is here, or was and something of it still is. */
  public boolean knows(long owner) {
    return jobs.containsKey(owner);
  }

  /** Returns the job of a process, or null when there is no such process. */
  public @Nullable Long ownerOf(long worker) {
    Slot slot = workers.get(worker);
    return slot == null ? null : slot.owner;
  }

  /** Checks every rule of the pool; for tests and diagnosis. */
  public void validate() {
    int slots = 0;
    int held = 0;
    for (Job job : jobs.values()) {
      for (Slot slot : job.slots()) {
        slots++;
        held += slot.leases.size();
        Invariant.check(workers.get(slot.worker) == slot, "each slot has a process", slot);
        checkLeases(slot);
      }
      Invariant.check(!job.over || !job.slots().isEmpty(), "a job that is over has work left");
    }
    Invariant.check(slots == workers.size(), "no process is forgotten", workers.values());
    Invariant.check(held == leases.size(), "no lease is forgotten", leases.keySet());
  }

  private void checkLeases(Slot slot) {
    slot.leases.forEach((lease, state) -> {
      Invariant.check(leases.get(lease) == slot, "a lease has one slot", lease);
      boolean fits =
          switch (state) {
            case WAITING -> slot.state != State.READY;
            case SERVED -> slot.served;
            case RETURNED -> slot.isEnding();
          };
      Invariant.check(fits, "a lease is where its process is", slot);
    });
    boolean own = slot.only == null || List.of(slot.only).equals(List.copyOf(slot.leases.keySet()));
    Invariant.check(own, "a process of its own serves one lease", slot);
  }
}
