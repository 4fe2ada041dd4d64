package io.aktis.core.lease;

import io.aktis.core.id.LeaseId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The rules of the ledger for CPU alone, written down a second time as simply as possible: whole
 * CPUs, one group, pool -1 for the node and others for the bundles.
 */
final class CpuModel {
  static final int NODE = -1;

  final TreeMap<Integer, ModelPool> pools = new TreeMap<>();
  final LinkedHashMap<LeaseId, ModelLease> leases = new LinkedHashMap<>();

  static final class ModelPool {
    final int total;
    int free;
    boolean committed;
    long expiresAtMs;
    final ArrayDeque<LeaseId> queue = new ArrayDeque<>();

    ModelPool(int total) {
      this.total = total;
      this.free = total;
    }
  }

  static final class ModelLease {
    int pool;
    final int holds;
    boolean blocked;

    ModelLease(int pool, int holds) {
      this.pool = pool;
      this.holds = holds;
    }
  }

  CpuModel(int cpus) {
    pools.put(NODE, new ModelPool(cpus));
  }

  boolean grants(int pool, int toPlace, int toHold) {
    ModelPool from = pools.get(pool);
    return from != null
        && (pool == NODE || from.committed)
        && toPlace <= from.free
        && (toHold == 0 || from.queue.isEmpty());
  }

  void grant(LeaseId id, int pool, int toHold) {
    pools.get(pool).free -= toHold;
    leases.put(id, new ModelLease(pool, toHold));
  }

  List<LeaseId> release(LeaseId id) {
    ModelLease lease = leases.remove(id);
    ModelPool pool = pools.get(lease.pool);
    pool.queue.remove(id);
    pool.free += lease.blocked ? 0 : lease.holds;
    return resume(pool);
  }

  List<LeaseId> block(LeaseId id) {
    ModelLease lease = leases.get(id);
    ModelPool pool = pools.get(lease.pool);
    pool.queue.remove(id);
    pool.free += lease.blocked ? 0 : lease.holds;
    lease.blocked = true;
    return resume(pool);
  }

  boolean unblock(LeaseId id) {
    ModelLease lease = leases.get(id);
    ModelPool pool = pools.get(lease.pool);
    if (lease.blocked && !pool.queue.contains(id)) {
      pool.queue.add(id);
    }
    resume(pool);
    return !lease.blocked;
  }

  private List<LeaseId> resume(ModelPool pool) {
    List<LeaseId> resumed = new ArrayList<>();
    while (!pool.queue.isEmpty() && leases.get(pool.queue.peek()).holds <= pool.free) {
      LeaseId first = pool.queue.remove();
      leases.get(first).blocked = false;
      pool.free -= leases.get(first).holds;
      resumed.add(first);
    }
    return resumed;
  }

  boolean prepares(int index, int cpus) {
    return pools.containsKey(index) || grants(NODE, cpus, cpus);
  }

  void prepare(int index, int cpus, long expiresAtMs) {
    if (!pools.containsKey(index)) {
      pools.get(NODE).free -= cpus;
      ModelPool pool = new ModelPool(cpus);
      pool.expiresAtMs = expiresAtMs;
      pools.put(index, pool);
    }
  }

  /** Gives bundles up; returns who resumes on the node. */
  List<LeaseId> giveUp(List<Integer> indexes) {
    ModelPool node = pools.get(NODE);
    for (int index : indexes) {
      ModelPool pool = pools.remove(index);
      node.free += pool.free;
      node.queue.addAll(pool.queue);
      leases.values().stream().filter(each -> each.pool == index).forEach(each -> each.pool = NODE);
    }
    return indexes.isEmpty() ? List.of() : resume(node);
  }

  List<Integer> expired(long nowMs) {
    return pools.entrySet().stream()
        .filter(each -> each.getKey() != NODE)
        .filter(each -> !each.getValue().committed && each.getValue().expiresAtMs <= nowMs)
        .map(Map.Entry::getKey)
        .toList();
  }
}
