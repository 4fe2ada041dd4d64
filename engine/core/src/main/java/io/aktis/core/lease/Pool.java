package io.aktis.core.lease;

import io.aktis.core.id.BundleId;
import io.aktis.core.id.LeaseId;
import io.aktis.core.invariant.Invariant;
import io.aktis.core.resource.Demand;
import io.aktis.core.resource.NodeNumbers;
import io.aktis.core.resource.Resources;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Resources from which leases are taken: those of the node, or those of one bundle.
 *
 * <p>CPU is counted apart from the rest, so that the nearly only kind of request touches one long.
 */
final class Pool {
  final Resources total;
  final GpuPool gpus;

  /** The bundle of this pool; null for the node itself. */
  final @Nullable BundleId bundle;

  /** Blocked leases that wait to go on, in the order in which they could. */
  final ArrayDeque<Held> resuming = new ArrayDeque<>();

  /** The leases that are cached by their owners, the longest first. */
  final LinkedHashMap<LeaseId, Held> idle = new LinkedHashMap<>();

  private long freeCpu;

  /** What is free of everything else; never has CPU. */
  private Resources freeRest;

  Pool(@Nullable BundleId bundle, Resources total, GpuPool gpus) {
    this.bundle = bundle;
    this.total = total;
    this.gpus = gpus;
    this.freeCpu = total.cpuUnits();
    this.freeRest = total.withoutCpu();
  }

  Resources available() {
    return freeRest.withCpuUnits(freeCpu);
  }

  /** Returns why a lease of {@code demand} cannot be had, or null when it can. */
  @Nullable Refusal refusal(Demand demand) {
    Resources need = demand.toPlace();
    if (need.cpuUnits() <= freeCpu && need.isCpuOnly() && resuming.isEmpty()) {
      return null;
    }
    if (!need.fitsIn(total)) {
      return Refusal.INFEASIBLE;
    }
    if (!resuming.isEmpty() && demand.toHold().cpuUnits() > 0) {
      return Refusal.RESUMING;
    }
    if (need.cpuUnits() > freeCpu || !need.withoutCpu().fitsIn(freeRest)) {
      return Refusal.BUSY;
    }
    return gpus.canTake(need.gpuUnits()) ? null : Refusal.GPUS_SCATTERED;
  }

  private boolean canTake(Resources need) {
    return need.cpuUnits() <= freeCpu
        && (need.isCpuOnly()
            || need.withoutCpu().fitsIn(freeRest) && gpus.canTake(need.gpuUnits()));
  }

  /** Takes what {@link #refusal} did not refuse. */
  GpuSlices take(Resources resources) {
    takeCpu(resources.cpuUnits());
    if (resources.isCpuOnly()) {
      return GpuSlices.NONE;
    }
    freeRest = freeRest.minus(resources.withoutCpu());
    GpuSlices slices = gpus.take(resources.gpuUnits());
    Invariant.check(slices != null, "a GPU share that was seen is there", resources);
    return slices == null ? GpuSlices.NONE : slices;
  }

  void takeCpu(long units) {
    freeCpu -= units;
    Invariant.check(freeCpu >= 0, "a pool is never oversubscribed");
  }

  void giveCpu(long units) {
    freeCpu += units;
    Invariant.check(freeCpu <= total.cpuUnits(), "CPU is given back once");
  }

  void give(Resources resources, GpuSlices slices) {
    giveCpu(resources.cpuUnits());
    giveRest(resources, slices);
  }

  void giveRest(Resources resources, GpuSlices slices) {
    if (!resources.isCpuOnly()) {
      freeRest = freeRest.plus(resources.withoutCpu());
      Invariant.check(freeRest.fitsIn(total), "resources are given back once", resources);
      gpus.give(slices);
    }
  }

  /** Gives up {@code pool}, a bundle of this one: what is free in it comes back here. */
  void giveFreeOf(Pool pool) {
    giveCpu(pool.freeCpu);
    freeRest = freeRest.plus(pool.freeRest);
    gpus.giveFreeOf(pool.gpus);
    pool.freeCpu = 0;
    pool.freeRest = Resources.NONE;
  }

  /** Lets blocked leases go on, strictly in their order, as far as there is CPU. */
  List<LeaseId> resume() {
    List<LeaseId> resumed = List.of();
    Held first = resuming.peekFirst();
    while (first != null && first.cpuUnits() <= freeCpu) {
      resuming.removeFirst();
      takeCpu(first.cpuUnits());
      first.state = LeaseStatus.State.BUSY;
      resumed = resumed.isEmpty() ? new ArrayList<>() : resumed;
      resumed.add(first.id);
      first = resuming.peekFirst();
    }
    return resumed;
  }

  /** Returns the idle leases, the longest first, whose CPU lets resuming leases go on. */
  List<LeaseId> idleThatLetResume() {
    long lacking = -freeCpu;
    for (Held held : resuming) {
      lacking += held.cpuUnits();
    }
    List<LeaseId> ids = new ArrayList<>();
    for (Held held : idle.values()) {
      if (lacking > 0 && held.cpuUnits() > 0) {
        lacking -= held.cpuUnits();
        ids.add(held.id);
      }
    }
    return ids;
  }

  /** Returns the idle leases, the longest first, that together make room for {@code need}. */
  List<LeaseId> idleThatMakeRoomFor(Resources need) {
    if (idle.isEmpty()) {
      return List.of();
    }
    Pool trial = new Pool(bundle, total, gpus.copy());
    trial.freeCpu = freeCpu;
    trial.freeRest = freeRest;
    List<LeaseId> ids = new ArrayList<>();
    for (Held held : idle.values()) {
      if (helps(held, need, trial.available())) {
        trial.give(held.demand.toHold(), held.gpus);
        ids.add(held.id);
        if (trial.canTake(need)) {
          return ids;
        }
      }
    }
    return List.of();
  }

  /**
   * Tells whether {@code held} has something that is lacking, or a GPU where those are scattered.
   */
  private static boolean helps(Held held, Resources need, Resources available) {
    Resources lacking = need.lackingIn(available);
    Resources has = held.demand.toHold();
    return lacking.isZero() ? has.gpuUnits() > 0 : !lacking.lackingIn(has).equals(lacking);
  }

  NodeNumbers numbers(long version) {
    return new NodeNumbers(total, available(), gpus.room(), version);
  }
}
