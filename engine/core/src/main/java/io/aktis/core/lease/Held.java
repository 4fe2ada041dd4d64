package io.aktis.core.lease;

import io.aktis.core.id.LeaseId;
import io.aktis.core.resource.Demand;

/** One lease in the ledger. */
final class Held {
  final LeaseId id;
  final Demand demand;
  final GpuSlices gpus;

  /** What its resources come from and go back to; changes when its bundle is given up. */
  Pool pool;

  LeaseStatus.State state = LeaseStatus.State.BUSY;

  /** Its bundle is gone. */
  boolean ending;

  Held(LeaseId id, Demand demand, Pool pool, GpuSlices gpus) {
    this.id = id;
    this.demand = demand;
    this.pool = pool;
    this.gpus = gpus;
  }

  boolean holdsCpu() {
    return state == LeaseStatus.State.BUSY || state == LeaseStatus.State.IDLE;
  }

  long cpuUnits() {
    return demand.toHold().cpuUnits();
  }
}
