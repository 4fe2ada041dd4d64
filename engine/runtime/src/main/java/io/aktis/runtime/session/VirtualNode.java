package io.aktis.runtime.session;

import io.aktis.core.id.LeaseId;
import io.aktis.core.id.NodeId;
import io.aktis.core.lease.LeaseLedger;
import io.aktis.core.owner.Lease;
import io.aktis.store.ObjectStore;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One node of an embedded session: a ledger of resources and an object store of its own. The ledger
 * and the map of leases are confined to the kernel's loop; the rest may be used by any thread.
 */
final class VirtualNode {
  private final NodeId id;
  private final LeaseLedger ledger;
  private final ObjectStore store;
  private final SortedMap<String, String> labels;
  private final Map<LeaseId, Lease> leases = new LinkedHashMap<>();
  private volatile boolean alive = true;

  VirtualNode(NodeId id, LeaseLedger ledger, ObjectStore store, Map<String, String> labels) {
    this.id = id;
    this.ledger = ledger;
    this.store = store;
    this.labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
  }

  NodeId id() {
    return id;
  }

  LeaseLedger ledger() {
    return ledger;
  }

  ObjectStore store() {
    return store;
  }

  SortedMap<String, String> labels() {
    return labels;
  }

  /** Returns the leases that run work here, by id. */
  Map<LeaseId, Lease> leases() {
    return leases;
  }

  boolean isAlive() {
    return alive;
  }

  void die() {
    alive = false;
  }

  @Override
  public String toString() {
    return id.toString();
  }
}
