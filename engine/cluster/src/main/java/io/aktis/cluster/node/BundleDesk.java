package io.aktis.cluster.node;

import io.aktis.core.id.GroupId;
import io.aktis.core.lease.BundleStatus;
import io.aktis.core.lease.LeaseLedger;
import io.aktis.core.lease.PrepareAnswer;
import io.aktis.runtime.form.WireIds;
import io.aktis.wire.message.BundleReport;
import io.aktis.wire.message.CancelBundles;
import io.aktis.wire.message.Commit;
import io.aktis.wire.message.Committed;
import io.aktis.wire.message.Id;
import io.aktis.wire.message.NodeToOwner;
import io.aktis.wire.message.OwnerToNode;
import io.aktis.wire.message.Prepare;
import io.aktis.wire.message.Prepared;
import java.util.ArrayList;
import java.util.List;

/** The bundles of placement groups on a node, for the {@link LeaseDesk}. Belongs to the loop. */
final class BundleDesk {
  private final LeaseLedger ledger;
  private final LeaseDesk leases;
  private final NodeLoop loop;

  BundleDesk(LeaseLedger ledger, LeaseDesk leases, NodeLoop loop) {
    this.ledger = ledger;
    this.leases = leases;
    this.loop = loop;
  }

  /** Handles a message about bundles; others are none of its business. */
  void handle(OwnerSession session, long owner, OwnerToNode message) {
    session.usesGroups = true;
    if (message.hasUseGroup()) {
      session.usedGroups.add(WireIds.group(message.getUseGroup()));
    } else if (message.hasPrepare()) {
      prepare(session, group(owner, message.getPrepare().getGroup()), message.getPrepare());
    } else if (message.hasCommit()) {
      commit(session, group(owner, message.getCommit().getGroup()), message.getCommit());
    } else if (message.hasCancelBundles()) {
      CancelBundles cancel = message.getCancelBundles();
      GroupId group = group(owner, cancel.getGroup());
      leases.returned(
          ledger.cancel(group, cancel.getIndexesList(), cancel.getAttempt(), loop.nowMs()));
    } else {
      leases.returned(ledger.remove(group(owner, message.getRemoveGroup()), loop.nowMs()));
    }
  }

  private static GroupId group(long owner, Id id) {
    LeaseDesk.own(owner, id);
    return WireIds.group(id);
  }

  private void prepare(OwnerSession session, GroupId group, Prepare prepare) {
    long nowMs = loop.nowMs();
    PrepareAnswer answer =
        ledger.prepare(
            group,
            prepare.getAttempt(),
            WireForms.bundles(prepare.getBundlesList()),
            nowMs + Math.max(0, prepare.getHoldMs()),
            nowMs);
    Prepared.Builder message =
        Prepared.newBuilder()
            .setGroup(prepare.getGroup())
            .setAttempt(prepare.getAttempt())
            .setNumbers(leases.numbers());
    prepare.getBundlesList().forEach(bundle -> message.addIndexes(bundle.getIndex()));
    switch (answer) {
      case PrepareAnswer.Prepared prepared -> message.setDone(true);
      case PrepareAnswer.Refused refused -> message.setRefusal(refused.reason().name());
    }
    session.send(NodeToOwner.newBuilder().setPrepared(message));
    if (answer instanceof PrepareAnswer.Refused refused) {
      leases.reclaim(refused.idle());
    }
  }

  private void commit(OwnerSession session, GroupId group, Commit commit) {
    boolean done = ledger.commit(group, commit.getIndexesList(), commit.getAttempt());
    leases.tellBundles(); // so that its owner knows where work can go when it hears of it
    session.send(
        NodeToOwner.newBuilder()
            .setCommitted(
                Committed.newBuilder()
                    .setGroup(commit.getGroup())
                    .setAttempt(commit.getAttempt())
                    .setDone(done)));
  }

  /** Returns the groups of an owner that have bundles here. */
  List<GroupId> groupsOf(long owner) {
    List<GroupId> groups = new ArrayList<>();
    for (BundleStatus status : ledger.bundles()) {
      GroupId group = status.id().group();
      if (group.owner() == owner && !groups.contains(group)) {
        groups.add(group);
      }
    }
    return groups;
  }

  /** Returns the bundles that an owner has here or uses. */
  BundleReport report(OwnerSession session, long owner) {
    BundleReport.Builder report = BundleReport.newBuilder();
    for (BundleStatus status : ledger.bundles()) {
      GroupId group = status.id().group();
      if (group.owner() == owner || session.usedGroups.contains(group)) {
        report.addBundles(WireForms.status(status));
      }
    }
    return report.build();
  }
}
