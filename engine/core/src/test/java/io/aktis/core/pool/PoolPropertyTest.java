package io.aktis.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.core.id.LeaseId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Long random lives of a pool, with late, repeated and senseless events. A world beside it knows
 * which processes are there and which leases hold resources; at the end nothing is left.
 */
class PoolPropertyTest {
  private static final int SEEDS = 300;
  private static final int STEPS = 300;
  private static final int JOBS = 3;

  @Test
  void pool_anyEvents_forgetsNoProcessAndNoLease() {
    int served = 0;
    int failed = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      try {
        Life life = new Life(seed);
        life.run();
        served += life.servedCount;
        failed += life.failedCount;
      } catch (Throwable e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
    assertThat(served).as("leases served").isGreaterThan(20 * SEEDS);
    assertThat(failed).as("leases failed").isGreaterThan(SEEDS / 10);
  }

  private static final class Life {
    private final Random random;
    private final WorkerPool pool = new WorkerPool(new PoolLimits(2, 50, 20, 100, 1));
    private final TreeMap<Long, PoolEffect.StartWorker> processes = new TreeMap<>();
    private final TreeSet<Long> ready = new TreeSet<>();
    private final TreeSet<Long> killed = new TreeSet<>();

    /** Leases that hold resources; true for those that their owner may use. */
    private final TreeMap<LeaseId, Boolean> held = new TreeMap<>();

    private final TreeSet<LeaseId> exclusive = new TreeSet<>();
    private final TreeMap<LeaseId, Long> servedBy = new TreeMap<>();
    private final TreeSet<Long> jobs = new TreeSet<>();
    private long nowMs;
    private long lastLease;
    private int servedCount;
    private int failedCount;

    Life(long seed) {
      random = new Random(seed);
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        nowMs += random.nextInt(4);
        disturb();
        pool.validate();
        assertThat(pool.workerCount()).isEqualTo(processes.size());
        assertThat(pool.leaseCount()).isEqualTo(held.size());
      }
      for (long job : List.copyOf(jobs)) {
        tell(new PoolEvent.JobOver(job));
      }
      assertThat(killed).as("all are being killed").containsAll(processes.keySet());
      for (long worker : List.copyOf(processes.keySet())) {
        end(worker);
      }
      assertThat(pool.workerCount() + pool.leaseCount()).isZero();
      assertThat(held).isEmpty();
      assertThat(jobs).isEmpty();
    }

    private void disturb() {
      long job = random.nextInt(JOBS);
      switch (random.nextInt(12)) {
        case 0 -> {
          if (jobs.add(job)) {
            tell(new PoolEvent.JobBegan(job));
          }
        }
        case 1, 2, 3 -> grant(job);
        case 4, 5 -> tell(new PoolEvent.LeaseReleased(anyLease(job)));
        case 6, 7 -> getReady();
        case 8 -> end(anyWorker());
        case 9 ->
            tell(
                random.nextBoolean()
                    ? new PoolEvent.WorkerLeft(anyWorker())
                    : new PoolEvent.WorkerRuns(anyWorker()));
        case 10 -> killOrTick(job);
        default -> {
          if (random.nextInt(6) == 0) {
            tell(new PoolEvent.JobOver(job));
          } else {
            List.copyOf(killed).forEach(this::end);
          }
        }
      }
    }

    private void killOrTick(long job) {
      if (random.nextBoolean()) {
        tell(new PoolEvent.KillAsked(anyLease(job)));
      } else {
        tell(new PoolEvent.Tick());
      }
    }

    private void grant(long job) {
      boolean own = random.nextInt(4) == 0;
      LeaseId lease = random.nextInt(8) == 0 ? anyLease(job) : new LeaseId(job, ++lastLease);
      WorkerKey key =
          random.nextInt(3) == 0
              ? new WorkerKey(List.of("-Da=b"), new TreeMap<>(), List.of(), null)
              : WorkerKey.PLAIN;
      if (held.putIfAbsent(lease, true) == null && own) {
        exclusive.add(lease);
      }
      tell(new PoolEvent.LeaseGranted(lease, key, own, List.of()));
    }

    private LeaseId anyLease(long job) {
      return new LeaseId(job, 1 + random.nextLong(lastLease + 1));
    }

    private long anyWorker() {
      List<Long> all = new ArrayList<>(processes.keySet());
      return all.isEmpty() ? 99_999 : all.get(random.nextInt(all.size()));
    }

    private void getReady() {
      long worker = anyWorker();
      if (processes.containsKey(worker) && !killed.contains(worker)) {
        ready.add(worker);
      }
      tell(new PoolEvent.WorkerReady(worker, "at " + worker));
    }

    private void end(long worker) {
      processes.remove(worker);
      boolean wasKilled = killed.remove(worker);
      tell(new PoolEvent.WorkerGone(worker, "chance", false, !wasKilled));
    }

    private void tell(PoolEvent event) {
      List<PoolEffect> effects = new ArrayList<>();
      pool.on(event, nowMs, effects::add);
      effects.forEach(this::check);
    }

    private void check(PoolEffect effect) {
      switch (effect) {
        case PoolEffect.StartWorker start -> {
          assertThat(processes.put(start.worker(), start)).isNull();
          assertThat(jobs).contains(start.owner());
        }
        case PoolEffect.KillWorker kill -> {
          assertThat(processes).containsKey(kill.worker());
          assertThat(killed.add(kill.worker())).as("killed once").isTrue();
        }
        case PoolEffect.TellServed served -> served(served);
        case PoolEffect.TellFailed failed -> {
          assertThat(servedBy).doesNotContainKey(failed.lease());
          failedCount++;
        }
        case PoolEffect.TellLost lost -> {
          assertThat(lost.leases()).allMatch(held::containsKey);
          if (lost.leases().isEmpty()) {
            assertThat(ready).as("the owner may know it").contains(lost.worker());
          }
        }
        case PoolEffect.ReleaseLease release -> released(release.lease());
        case PoolEffect.TellJobGone gone -> {
          assertThat(jobs.remove(gone.owner())).isTrue();
          assertThat(held.keySet()).noneMatch(lease -> lease.owner() == gone.owner());
          assertThat(processes.values()).noneMatch(each -> each.owner() == gone.owner());
        }
      }
    }

    private void served(PoolEffect.TellServed served) {
      assertThat(held).containsKey(served.lease());
      assertThat(ready).contains(served.worker());
      assertThat(killed).doesNotContain(served.worker());
      assertThat(served.address()).isEqualTo("at " + served.worker());
      PoolEffect.StartWorker process = processes.get(served.worker());
      assertThat(process.owner()).isEqualTo(served.lease().owner());
      assertThat(process.exclusive()).isEqualTo(exclusive.contains(served.lease()));
      Long before = servedBy.put(served.lease(), served.worker());
      assertThat(before).isIn(null, served.worker());
      servedCount++;
    }

    private void released(LeaseId lease) {
      assertThat(held.remove(lease)).as("released once").isNotNull();
      Long worker = servedBy.remove(lease);
      if (worker != null && exclusive.contains(lease)) {
        assertThat(processes).as("free when its process is gone").doesNotContainKey(worker);
      }
      if (worker != null && !exclusive.contains(lease)) {
        assertThat(killed).as("nothing of it is being killed").doesNotContain(worker);
      }
      exclusive.remove(lease);
    }
  }
}
