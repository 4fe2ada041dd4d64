package io.aktis.core.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.core.id.BundleId;
import io.aktis.core.id.GroupId;
import io.aktis.core.id.LeaseId;
import io.aktis.core.resource.Demand;
import io.aktis.core.resource.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Long random lives of a ledger: against a model for CPU, and against its own audit for all. */
class LedgerPropertyTest {
  private static final int SEEDS = 300;
  private static final int STEPS = 300;
  private static final GroupId GROUP = new GroupId(1, 1);

  @Test
  void ledger_anyCallsOnCpus_doesWhatTheModelDoes() {
    for (long seed = 0; seed < SEEDS; seed++) {
      new CpuRun(seed).run();
    }
  }

  /** One life with CPUs alone; every answer is compared. */
  private static final class CpuRun {
    private final String seed;
    private final Random random;
    private final LeaseLedger ledger = new LeaseLedger(Resources.cpus(5), List.of());
    private final CpuModel model = new CpuModel(5);
    private long lastId;
    private int attempt = 1;
    private long nowMs;

    CpuRun(long seed) {
      this.seed = "seed " + seed;
      this.random = new Random(seed);
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        nowMs++;
        switch (random.nextInt(12)) {
          case 0, 1, 2 -> request();
          case 3 -> release();
          case 4, 5 -> block();
          case 6, 7 -> unblock();
          case 8 -> prepare();
          case 9 -> commit();
          case 10 -> idleOrBusy();
          default -> giveUp();
        }
        ledger.validate();
        assertThat(ledger.available().cpus())
            .as(seed)
            .isEqualTo(model.pools.get(CpuModel.NODE).free);
      }
      finish();
    }

    private void request() {
      int pool = random.nextInt(4) - 1;
      int toPlace = random.nextInt(4);
      int toHold = random.nextInt(3) == 0 ? 0 : toPlace;
      Demand demand = new Demand(Resources.cpus(toPlace), Resources.cpus(toHold));
      LeaseId id = new LeaseId(random.nextInt(5), ++lastId);
      BundleId bundle = pool == CpuModel.NODE ? null : new BundleId(GROUP, pool);

      LeaseAnswer answer = ledger.request(new LeaseRequest(id, demand, bundle), nowMs);

      boolean expected = model.grants(pool, toPlace, toHold);
      assertThat(answer instanceof LeaseAnswer.Granted).as(seed).isEqualTo(expected);
      if (expected) {
        model.grant(id, pool, toHold);
      }
    }

    private @Nullable LeaseId anyLease() {
      List<LeaseId> ids = new ArrayList<>(model.leases.keySet());
      return ids.isEmpty() ? null : ids.get(random.nextInt(ids.size()));
    }

    private void release() {
      LeaseId id = anyLease();
      if (id != null) {
        check(ledger.release(id), model.release(id));
      }
    }

    private void check(Freed freed, List<LeaseId> resumed) {
      assertThat(freed.resumed()).as(seed).isEqualTo(resumed);
      for (Hungry hungry : freed.tryAgain()) {
        int pool = hungry.bundle() == null ? CpuModel.NODE : hungry.bundle().index();
        int toPlace = (int) hungry.demand().toPlace().cpus();
        int toHold = (int) hungry.demand().toHold().cpus();
        boolean gone = !model.pools.containsKey(pool);
        assertThat(gone || model.grants(pool, toPlace, toHold)).as(seed).isTrue();
      }
    }

    private void block() {
      LeaseId id = anyLease();
      if (id != null) {
        check(ledger.block(id), model.block(id));
      }
    }

    private void unblock() {
      LeaseId id = anyLease();
      if (id != null) {
        boolean resumed = ledger.unblock(id).outcome() == Unblocked.Outcome.RESUMED;
        assertThat(resumed).as(seed).isEqualTo(model.unblock(id));
      }
    }

    private void idleOrBusy() {
      LeaseId id = anyLease();
      if (id != null && random.nextBoolean()) {
        ledger.markIdle(id);
      } else if (id != null) {
        ledger.markBusy(id);
      }
    }

    private void prepare() {
      int index = random.nextInt(3);
      Bundle bundle = new Bundle(index, Resources.cpus(1 + random.nextInt(2)));
      long expiresAtMs = nowMs + 5;
      boolean expected = model.prepares(index, (int) bundle.resources().cpus());
      int sameOrNew = model.pools.containsKey(index) ? attemptOf(index) : ++attempt;

      PrepareAnswer answer = ledger.prepare(GROUP, sameOrNew, List.of(bundle), expiresAtMs, nowMs);

      assertThat(answer instanceof PrepareAnswer.Prepared).as(seed).isEqualTo(expected);
      if (expected) {
        model.prepare(index, (int) bundle.resources().cpus(), expiresAtMs);
      }
    }

    private int attemptOf(int index) {
      return ledger.bundles().stream()
          .filter(each -> each.id().index() == index)
          .findFirst()
          .orElseThrow()
          .attempt();
    }

    private void commit() {
      int index = random.nextInt(3);
      CpuModel.ModelPool pool = model.pools.get(index);
      boolean done =
          ledger.commit(GROUP, List.of(index), pool == null ? attempt : attemptOf(index));
      assertThat(done).as(seed).isEqualTo(pool != null);
      if (pool != null) {
        pool.committed = true;
      }
    }

    private void giveUp() {
      List<Integer> indexes;
      Returned returned;
      if (random.nextBoolean()) {
        indexes = model.expired(nowMs);
        returned = ledger.expire(nowMs);
      } else {
        int index = random.nextInt(3);
        indexes = model.pools.containsKey(index) ? List.of(index) : List.of();
        returned = ledger.cancel(GROUP, List.of(index), attempt, nowMs);
      }
      check(returned.freed(), model.giveUp(indexes));
    }

    /** When no new work comes, everybody who waits goes on, and in the end all is free. */
    private void finish() {
      check(ledger.remove(GROUP, nowMs).freed(), model.giveUp(List.copyOf(bundlesOfModel())));
      List.copyOf(model.leases.keySet()).forEach(this::unblockQuietly);
      while (!model.leases.isEmpty()) {
        LeaseId running =
            model.leases.entrySet().stream()
                .filter(each -> !each.getValue().blocked)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> new AssertionError("all wait for each other, " + seed));
        check(ledger.release(running), model.release(running));
        ledger.validate();
      }
      assertThat(ledger.available()).as(seed).isEqualTo(ledger.total());
      assertThat(ledger.bundles()).as(seed).isEmpty();
      assertThat(ledger.leases()).as(seed).isEmpty();
    }

    private List<Integer> bundlesOfModel() {
      return model.pools.keySet().stream().filter(each -> each != CpuModel.NODE).toList();
    }

    private void unblockQuietly(LeaseId id) {
      ledger.unblock(id);
      model.unblock(id);
    }
  }

  @Test
  void ledger_anyCallsOnAllKinds_alwaysAddsUpAndLeaksNothing() {
    for (long seed = 0; seed < SEEDS; seed++) {
      new FullRun(seed).run();
    }
  }

  /** One life with all kinds of resources, several groups, and repeated and late messages. */
  private static final class FullRun {
    private final Random random;
    private final String seed;
    private final LeaseLedger ledger =
        new LeaseLedger(Resources.of(4, 3, 1000, Map.of("a", 2.0)), List.of("g0", "g1", "g2"));

    FullRun(long seed) {
      this.random = new Random(seed);
      this.seed = "seed " + seed;
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        step(step);
        try {
          ledger.validate();
        } catch (Error e) {
          throw new AssertionError(seed + ", step " + step, e);
        }
      }
      for (int group = 0; group < 3; group++) {
        ledger.remove(new GroupId(1, group), STEPS);
      }
      for (LeaseStatus lease : ledger.leases()) {
        ledger.release(lease.id());
      }
      ledger.validate();
      assertThat(ledger.available()).as(seed).isEqualTo(ledger.total());
      assertThat(ledger.numbers().gpuRoom().wholeDevices()).as(seed).isEqualTo(3);
      ledger.expire(STEPS + 2 * BundleTable.REMEMBER_MS);
      assertThat(ledger.bundles()).as(seed).isEmpty();
    }

    private void step(int nowMs) {
      LeaseId lease = new LeaseId(1 + random.nextInt(3), random.nextInt(12));
      GroupId group = new GroupId(1, random.nextInt(3));
      int attempt = 1 + random.nextInt(1 + nowMs / 20);
      List<Integer> indexes = random.nextBoolean() ? List.of(0) : List.of(0, 1);
      switch (random.nextInt(20)) {
        case 0, 1, 2, 3, 4 ->
            ledger.request(new LeaseRequest(lease, demand(), where(group)), nowMs);
        case 5, 6 -> ledger.release(lease);
        case 7, 8 -> ledger.block(lease);
        case 9, 10 -> ledger.unblock(lease);
        case 11 -> ledger.markIdle(lease);
        case 12 -> ledger.markBusy(lease);
        case 13, 14 -> ledger.prepare(group, attempt, bundles(), nowMs + 10, nowMs);
        case 15, 16 -> ledger.commit(group, indexes, attempt);
        case 17 -> ledger.cancel(group, indexes, attempt, nowMs);
        case 18 -> ledger.expire(nowMs);
        default -> {
          if (random.nextInt(10) == 0) {
            ledger.remove(group, nowMs);
            ledger.forget(lease.owner());
          }
        }
      }
    }

    private @Nullable BundleId where(GroupId group) {
      return switch (random.nextInt(3)) {
        case 0 -> BundleId.any(group);
        case 1 -> new BundleId(group, random.nextInt(2));
        default -> null;
      };
    }

    private Demand demand() {
      Resources some = resources();
      return random.nextBoolean() ? Demand.of(some) : new Demand(some, some.withoutCpu());
    }

    private Resources resources() {
      double[] gpus = {0, 0, 0.25, 0.5, 0.7, 1, 2};
      Resources some = Resources.cpus(random.nextInt(5) / 2.0);
      some = some.withGpus(gpus[random.nextInt(gpus.length)]);
      some = random.nextInt(3) == 0 ? some.withMemory(random.nextInt(600)) : some;
      return random.nextInt(3) == 0 ? some.with("a", random.nextInt(3)) : some;
    }

    private List<Bundle> bundles() {
      List<Bundle> some = new ArrayList<>();
      for (int index = 0; index < 1 + random.nextInt(2); index++) {
        some.add(new Bundle(index, resources().plus(Resources.cpus(0.5))));
      }
      return some;
    }
  }
}
