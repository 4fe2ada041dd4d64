package io.aktis.conformance.messages;

import io.aktis.core.id.GroupId;
import io.aktis.core.id.LeaseId;
import io.aktis.core.id.NodeId;
import io.aktis.core.lease.Bundle;
import io.aktis.core.lease.Freed;
import io.aktis.core.lease.GpuShare;
import io.aktis.core.lease.LeaseAnswer;
import io.aktis.core.lease.LeaseLedger;
import io.aktis.core.lease.LeaseRequest;
import io.aktis.core.lease.PrepareAnswer;
import io.aktis.core.lease.Returned;
import io.aktis.core.lease.Unblocked;
import io.aktis.runtime.form.WireIds;
import io.aktis.runtime.form.WireResources;
import io.aktis.store.ObjectStore;
import io.aktis.wire.message.AskLease;
import io.aktis.wire.message.BundleReport;
import io.aktis.wire.message.BundleStatus;
import io.aktis.wire.message.Commit;
import io.aktis.wire.message.Committed;
import io.aktis.wire.message.Ids;
import io.aktis.wire.message.LeaseGranted;
import io.aktis.wire.message.LeaseRefused;
import io.aktis.wire.message.NameAbsent;
import io.aktis.wire.message.NameReply;
import io.aktis.wire.message.NameRequest;
import io.aktis.wire.message.NodeReport;
import io.aktis.wire.message.NodeToOwner;
import io.aktis.wire.message.OwnerToNode;
import io.aktis.wire.message.Prepare;
import io.aktis.wire.message.Prepared;
import io.aktis.wire.message.Resumed;
import io.aktis.wire.message.TryAgain;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a node daemon does with the messages of its one owner: a ledger and a store. Confined to the
 * thread that brings messages in, but for what says otherwise.
 */
final class MessagesNode {
  private final NodeId id;
  private final LeaseLedger ledger;
  private final ObjectStore store;
  private final Map<String, String> labels;
  private final Consumer<NodeToOwner> toOwner;
  private final Map<LeaseId, Long> resuming = new HashMap<>();

  MessagesNode(
      NodeId id,
      LeaseLedger ledger,
      ObjectStore store,
      Map<String, String> labels,
      Consumer<NodeToOwner> toOwner) {
    this.id = id;
    this.ledger = ledger;
    this.store = store;
    this.labels = labels;
    this.toOwner = toOwner;
  }

  /** Returns the id. Any thread. */
  NodeId id() {
    return id;
  }

  /** Returns the store. Any thread. */
  ObjectStore store() {
    return store;
  }

  /** Returns the labels. Any thread. */
  Map<String, String> labels() {
    return labels;
  }

  LeaseLedger ledger() {
    return ledger;
  }

  private static long nowMs() {
    return System.nanoTime() / 1_000_000;
  }

  private void tell(NodeToOwner.Builder message) {
    toOwner.accept(message.build());
  }

  void received(OwnerToNode message) {
    switch (message.getMessageCase()) {
      case ASK_LEASE -> askLease(message.getAskLease());
      case SATISFIED ->
          ledger.satisfied(
              id.owner(),
              WireResources.demand(message.getSatisfied().getDemand()),
              message.getSatisfied().hasBundle()
                  ? WireIds.bundle(message.getSatisfied().getBundle())
                  : null);
      case GIVE_BACK -> freed(ledger.release(WireIds.lease(message.getGiveBack())));
      case MARK_IDLE -> {
        LeaseId lease = WireIds.lease(message.getMarkIdle());
        if (ledger.markIdle(lease)) {
          reclaim(List.of(lease));
        }
      }
      case MARK_BUSY -> ledger.markBusy(WireIds.lease(message.getMarkBusy()));
      case BLOCK -> freed(ledger.block(WireIds.lease(message.getBlock())));
      case UNBLOCK ->
          unblock(WireIds.lease(message.getUnblock().getLease()), message.getUnblock().getWaiter());
      case DELETE_OBJECT -> store.delete(WireIds.object(message.getDeleteObject()));
      case PREPARE -> prepare(message.getPrepare());
      case COMMIT -> commit(message.getCommit());
      case CANCEL_BUNDLES ->
          returned(
              ledger.cancel(
                  WireIds.group(message.getCancelBundles().getGroup()),
                  message.getCancelBundles().getIndexesList(),
                  message.getCancelBundles().getAttempt(),
                  nowMs()));
      case REMOVE_GROUP ->
          returned(ledger.remove(WireIds.group(message.getRemoveGroup()), nowMs()));
      case REPORT ->
          tell(
              NodeToOwner.newBuilder()
                  .setReport(
                      NodeReport.newBuilder()
                          .setNumber(message.getReport())
                          .setNumbers(
                              WireResources.of(ledger.numbers()).toBuilder()
                                  .setAvailable(WireResources.of(ledger.availableWithIdle())))
                          .setStoreUsedBytes(store.stats().usedBytes())));
      case NAME -> named(message.getName());
      case MAIL ->
          tell(NodeToOwner.newBuilder().setNoOwner(message.getMail().getOwner())); // it is alone
      case KILL_WORKER_OF -> {
        // Its workers are threads, which nobody can kill.
      }
      case DESCRIBED, EXPLAINED, HOLD_CODE, USE_GROUP, HELLO, MESSAGE_NOT_SET ->
          throw new IllegalArgumentException("not expected here: " + message);
    }
    tell(NodeToOwner.newBuilder().setNumbers(WireResources.of(ledger.numbers())));
  }

  private void commit(Commit commit) {
    GroupId group = WireIds.group(commit.getGroup());
    int attempt = commit.getAttempt();
    boolean done = ledger.commit(group, commit.getIndexesList(), attempt);
    reportBundles();
    tell(
        NodeToOwner.newBuilder()
            .setCommitted(
                Committed.newBuilder()
                    .setGroup(commit.getGroup())
                    .setAttempt(attempt)
                    .setDone(done)));
  }

  /** With one owner, every name is free that it does not use itself. */
  private void named(NameRequest request) {
    NameReply.Builder reply = NameReply.newBuilder().setNumber(request.getNumber());
    boolean isFound = request.hasFind();
    tell(
        NodeToOwner.newBuilder()
            .setName(
                isFound ? reply.setAbsent(NameAbsent.getDefaultInstance()) : reply.setDone(true)));
  }

  private void askLease(AskLease ask) {
    LeaseRequest request =
        new LeaseRequest(
            WireIds.lease(ask.getLease()),
            WireResources.demand(ask.getDemand()),
            ask.hasBundle() ? WireIds.bundle(ask.getBundle()) : null);
    switch (ledger.request(request, nowMs())) {
      case LeaseAnswer.Granted granted -> {
        LeaseGranted.Builder message =
            LeaseGranted.newBuilder()
                .setLease(ask.getLease())
                .addAllGpuIds(granted.gpus().stream().map(GpuShare::device).toList())
                .setWorkerId(id.toString())
                .setWorkerAddress(id.toString())
                .setNumbers(WireResources.of(ledger.numbers()));
        if (granted.bundle() != null) {
          message.setBundle(WireIds.of(granted.bundle()));
          reportBundles();
        }
        tell(NodeToOwner.newBuilder().setLeaseGranted(message));
      }
      case LeaseAnswer.Refused refused -> {
        tell(
            NodeToOwner.newBuilder()
                .setLeaseRefused(
                    LeaseRefused.newBuilder()
                        .setLease(ask.getLease())
                        .setReason(id + " says " + refused.reason())
                        .setNumbers(WireResources.of(refused.numbers()))));
        reclaim(refused.idle());
      }
    }
  }

  private void reclaim(List<LeaseId> idle) {
    if (!idle.isEmpty()) {
      tell(
          NodeToOwner.newBuilder()
              .setReclaim(Ids.newBuilder().addAllIds(idle.stream().map(WireIds::of).toList())));
    }
  }

  private void unblock(LeaseId lease, long waiter) {
    Unblocked answer = ledger.unblock(lease);
    if (answer.outcome() == Unblocked.Outcome.QUEUED) {
      resuming.put(lease, waiter);
      reclaim(answer.idle());
    } else {
      resume(waiter);
    }
  }

  private void resume(@Nullable Long waiter) {
    if (waiter != null) {
      tell(NodeToOwner.newBuilder().setResumed(Resumed.newBuilder().setWaiter(waiter)));
    }
  }

  private void freed(Freed freed) {
    freed.resumed().forEach(lease -> resume(resuming.remove(lease)));
    reportBundles();
    tell(NodeToOwner.newBuilder().setNumbers(WireResources.of(ledger.numbers())));
    if (!freed.tryAgain().isEmpty()) {
      tell(NodeToOwner.newBuilder().setTryAgain(TryAgain.getDefaultInstance()));
    }
  }

  private void prepare(Prepare prepare) {
    List<Bundle> bundles = new ArrayList<>();
    for (var each : prepare.getBundlesList()) {
      bundles.add(new Bundle(each.getIndex(), WireResources.resources(each.getResources())));
    }
    PrepareAnswer answer =
        ledger.prepare(
            WireIds.group(prepare.getGroup()),
            prepare.getAttempt(),
            bundles,
            nowMs() + prepare.getHoldMs(),
            nowMs());
    Prepared.Builder message =
        Prepared.newBuilder()
            .setGroup(prepare.getGroup())
            .setAttempt(prepare.getAttempt())
            .addAllIndexes(bundles.stream().map(Bundle::index).toList())
            .setNumbers(WireResources.of(ledger.numbers()));
    switch (answer) {
      case PrepareAnswer.Prepared _ -> message.setDone(true);
      case PrepareAnswer.Refused refused -> {
        message.setRefusal(refused.reason().name());
        reclaim(refused.idle());
      }
    }
    reportBundles();
    tell(NodeToOwner.newBuilder().setPrepared(message));
  }

  private void returned(Returned returned) {
    for (LeaseId lease : returned.toEnd()) {
      tell(NodeToOwner.newBuilder().setLeaseEnded(WireIds.of(lease)));
    }
    freed(returned.freed());
  }

  private void reportBundles() {
    BundleReport.Builder report = BundleReport.newBuilder();
    for (var bundle : ledger.bundles()) {
      report.addBundles(
          BundleStatus.newBuilder()
              .setId(WireIds.of(bundle.id()))
              .setAttempt(bundle.attempt())
              .setCommitted(bundle.committed())
              .setTotal(WireResources.of(bundle.total()))
              .setAvailable(WireResources.of(bundle.available())));
    }
    tell(NodeToOwner.newBuilder().setBundles(report));
  }
}
