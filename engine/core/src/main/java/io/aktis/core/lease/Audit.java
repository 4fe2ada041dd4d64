package io.aktis.core.lease;

import io.aktis.core.invariant.Invariant;
import io.aktis.core.resource.Resources;
import java.util.ArrayList;
import java.util.List;

/** Checks that a ledger adds up: pool by pool, GPU by GPU, queue by queue. */
final class Audit {
  private final Pool node;
  private final List<Held> leases;
  private final List<BundleTable.Slot> slots;

  Audit(Pool node, List<Held> leases, List<BundleTable.Slot> slots) {
    this.node = node;
    this.leases = leases;
    this.slots = slots;
  }

  void run() {
    List<Pool> pools = new ArrayList<>();
    pools.add(node);
    slots.forEach(slot -> pools.add(slot.pool));
    for (Pool pool : pools) {
      checkSum(pool);
      checkGpus(pool);
      checkQueues(pool);
    }
    for (Held held : leases) {
      Invariant.check(pools.contains(held.pool), "a lease is in a pool of this node", held.id);
    }
  }

  private void checkSum(Pool pool) {
    Resources sum = pool.available();
    for (Held held : leases) {
      if (held.pool == pool) {
        Resources holds = held.demand.toHold();
        sum = sum.plus(held.holdsCpu() ? holds : holds.withoutCpu());
      }
    }
    if (pool == node) {
      for (BundleTable.Slot slot : slots) {
        sum = sum.plus(slot.pool.total);
      }
    }
    Invariant.check(sum.equals(pool.total), "free and held are the total", sum);
  }

  private void checkGpus(Pool pool) {
    for (int device = 0; device < pool.gpus.deviceCount(); device++) {
      long sum = pool.gpus.freeUnits(device);
      for (Held held : leases) {
        sum += held.pool == pool ? unitsOn(device, held.gpus) : 0;
      }
      for (BundleTable.Slot slot : slots) {
        sum += pool == node ? unitsOn(device, slot.slices) : 0;
      }
      Invariant.check(
          sum == pool.gpus.capacityUnits(device), "shares of a GPU are the whole", device);
    }
  }

  private static long unitsOn(int device, GpuSlices slices) {
    for (int i = 0; i < slices.count(); i++) {
      if (slices.device(i) == device) {
        return slices.unitsEach();
      }
    }
    return 0;
  }

  private void checkQueues(Pool pool) {
    int resuming = 0;
    int idle = 0;
    for (Held held : leases) {
      if (held.pool == pool) {
        resuming += held.state == LeaseStatus.State.RESUMING ? 1 : 0;
        idle += held.state == LeaseStatus.State.IDLE ? 1 : 0;
      }
    }
    Invariant.check(resuming == pool.resuming.size(), "the queue holds who resumes", resuming);
    Invariant.check(idle == pool.idle.size(), "the cache holds who is idle", idle);
    Held first = pool.resuming.peekFirst();
    Invariant.check(
        first == null || !first.demand.toHold().cpuPart().fitsIn(pool.available()),
        "nobody waits for CPU that is free",
        pool.available());
  }
}
