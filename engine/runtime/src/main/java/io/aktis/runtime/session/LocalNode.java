package io.aktis.runtime.session;

import io.aktis.NodeInfo;
import io.aktis.core.id.LeaseId;
import io.aktis.core.id.NodeId;
import io.aktis.core.id.ObjectId;
import io.aktis.core.lease.Freed;
import io.aktis.core.lease.GpuShare;
import io.aktis.core.lease.LeaseAnswer;
import io.aktis.core.lease.LeaseLedger;
import io.aktis.core.lease.PrepareAnswer;
import io.aktis.core.lease.Returned;
import io.aktis.core.lease.Unblocked;
import io.aktis.core.owner.Actor;
import io.aktis.core.owner.Lease;
import io.aktis.core.owner.OwnerEffect;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.core.owner.ShapeKey;
import io.aktis.core.owner.Task;
import io.aktis.core.owner.TaskKind;
import io.aktis.core.placement.PlacementEffect;
import io.aktis.core.placement.PlacementEvent;
import io.aktis.core.schedule.NodeView;
import io.aktis.store.StoreStats;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.CountDownLatch;

/**
 * A virtual node: its ledger and its store lie in this process, and its work runs on the crew. Each
 * request is a few calls and answered at once. Confined to the kernel's loop.
 */
final class LocalNode implements NodePort {
  private final OwnerKernel kernel;
  private final VirtualNode node;
  private final LeaseLedger ledger;
  private final Map<LeaseId, Object> resuming = new LinkedHashMap<>();

  LocalNode(OwnerKernel kernel, VirtualNode node) {
    this.kernel = kernel;
    this.node = node;
    this.ledger = node.ledger();
  }

  VirtualNode virtual() {
    return node;
  }

  @Override
  public NodeId id() {
    return node.id();
  }

  @Override
  public SortedMap<String, String> labels() {
    return node.labels();
  }

  @Override
  public boolean isAlive() {
    return node.isAlive();
  }

  @Override
  public NodeView view() {
    return new NodeView(
        node.id(),
        ledger.numbers(),
        node.labels(),
        node.isAlive(),
        ledger.hungry().size(),
        ledger.bundles());
  }

  @Override
  public void report(CountDownLatch done) {
    done.countDown(); // always fresh
  }

  @Override
  public NodeInfo info() {
    StoreStats stats = node.store().stats();
    return new NodeInfo(
        node.id().toString(),
        node.isAlive(),
        SettingsTable.shown(ledger.total()),
        SettingsTable.shown(ledger.availableWithIdle()),
        node.labels(),
        stats.capacityBytes(),
        stats.usedBytes());
  }

  @Override
  public Map<LeaseId, Lease> leases() {
    return node.leases();
  }

  // ---- leases ---------------------------------------------------------------------------------

  @Override
  public void ask(OwnerEffect.AskLease ask) {
    if (!node.isAlive()) {
      kernel.follow(
          new OwnerEvent.LeaseRefused(ask.shape(), ask.request().id(), node + " is gone"));
      return;
    }
    switch (ledger.request(ask.request(), OwnerKernel.nowMs())) {
      case LeaseAnswer.Granted granted -> {
        kernel.chooser().changed(this);
        kernel.follow(
            new OwnerEvent.LeaseGranted(
                ask.shape(),
                granted.lease(),
                node.id(),
                granted.bundle(),
                granted.gpus().stream().map(GpuShare::device).toList()));
      }
      case LeaseAnswer.Refused refused -> {
        kernel.chooser().refused(this);
        kernel.follow(
            new OwnerEvent.LeaseRefused(
                ask.shape(), refused.lease(), node + " says " + refused.reason()));
        reclaim(refused.idle());
      }
    }
  }

  @Override
  public void satisfied(ShapeKey shape) {
    ledger.satisfied(kernel.ownerNumber(), shape.demand(), shape.bundle());
  }

  private void reclaim(List<LeaseId> idle) {
    if (!idle.isEmpty()) {
      kernel.follow(new OwnerEvent.Reclaimed(idle));
    }
  }

  @Override
  public void markIdle(Lease lease) {
    kernel.chooser().idle();
    if (ledger.markIdle(lease.id())) {
      kernel.follow(new OwnerEvent.Reclaimed(List.of(lease.id())));
    }
  }

  @Override
  public void markBusy(Lease lease) {
    ledger.markBusy(lease.id());
  }

  @Override
  public void block(Lease lease) {
    freed(ledger.block(lease.id()));
  }

  @Override
  public void unblock(Lease lease, Object waiter) {
    Unblocked answer = ledger.unblock(lease.id());
    kernel.chooser().changed(this);
    switch (answer.outcome()) {
      case RESUMED, UNKNOWN -> kernel.shell().resume(waiter);
      case QUEUED -> {
        resuming.put(lease.id(), waiter);
        reclaim(answer.idle());
      }
    }
  }

  @Override
  public void release(Lease lease) {
    node.leases().remove(lease.id());
    kernel.groups().released(lease.id());
    if (node.isAlive()) {
      freed(ledger.release(lease.id()));
    }
  }

  /** Passes on what became possible because resources are free. */
  private void freed(Freed freed) {
    kernel.chooser().changed(this);
    freed.resumed().forEach(this::letResume);
    kernel.resourcesFreed(!freed.tryAgain().isEmpty());
  }

  /** Lets go on what waits to resume on a lease: it has its CPU, or the node is lost. */
  void letResume(LeaseId lease) {
    Object waiter = resuming.remove(lease);
    if (waiter != null) {
      kernel.shell().resume(waiter);
    }
  }

  // ---- work -----------------------------------------------------------------------------------

  @Override
  public void push(Task task, int attempt, Lease lease) {
    ActorHost host = null;
    if (task.kind() == TaskKind.CREATION) {
      host = kernel.actors().newHost(task);
    }
    Run run = new Run(kernel, task, attempt, lease.grant(), host);
    task.running(run);
    slotOf(lease).add(run);
  }

  private Slot slotOf(Lease lease) {
    if (lease.slot() instanceof Slot slot) {
      return slot;
    }
    Slot slot = new Slot(kernel);
    lease.slot(slot);
    node.leases().put(lease.id(), lease);
    return slot;
  }

  @Override
  public void pushCall(Actor actor, Task task, int attempt) {
    Lease lease = actor.lease();
    if (lease == null
        || !(actor.runner() instanceof ActorHost host)
        || !(task.payload() instanceof Call call)) {
      throw new IllegalStateException(actor + " takes no calls now");
    }
    Run run = new Run(kernel, task, attempt, lease.grant(), host);
    task.running(run);
    host.add(run, call.request().group());
  }

  /** It is the process of the program, in which no code can be ended from outside. */
  @Override
  public void killProcess(Lease lease) {}

  @Override
  public void recall(Lease lease) {
    List<Run> runs = lease.slot() instanceof Slot slot ? slot.takeUnstarted() : List.of();
    kernel.follow(new OwnerEvent.Returned(lease, runs.stream().map(Run::task).toList()));
  }

  @Override
  public void endActor(OwnerEffect.EndActor end) {
    if (end.actor().runner() instanceof ActorHost host) {
      host.end(end.lease().grant(), end.interrupt());
    }
  }

  @Override
  public void loseActor(Actor actor, Lease lease) {
    if (actor.runner() instanceof ActorHost host) {
      List<Task> started = host.withdraw().stream().map(Run::task).toList();
      host.end(lease.grant(), true);
      kernel.actors().lost(actor, started);
    }
  }

  @Override
  public void endWork(Lease lease) {
    if (lease.slot() instanceof Slot slot && !slot.abandon().isEmpty()) {
      slot.whenIdle(() -> kernel.onLoop(() -> release(lease)));
    } else {
      release(lease);
    }
  }

  @Override
  public void deleteCopy(ObjectId object) {
    node.store().delete(object);
  }

  // ---- placement groups -------------------------------------------------------------------------

  @Override
  public void prepare(PlacementEffect.SendPrepare prepare) {
    long nowMs = OwnerKernel.nowMs();
    if (!node.isAlive()) {
      kernel.groups().answer(new PlacementEvent.NodeLost(node.id(), nowMs));
      return;
    }
    PrepareAnswer answer =
        ledger.prepare(
            prepare.group(), prepare.attempt(), prepare.bundles(), nowMs + prepare.holdMs(), nowMs);
    kernel.chooser().changed(this);
    switch (answer) {
      case PrepareAnswer.Prepared prepared ->
          kernel
              .groups()
              .answer(
                  new PlacementEvent.Prepared(
                      node.id(),
                      prepared.group(),
                      prepare.bundles().stream().map(io.aktis.core.lease.Bundle::index).toList(),
                      prepared.attempt(),
                      ledger.numbers(),
                      nowMs));
      case PrepareAnswer.Refused refused -> {
        kernel
            .groups()
            .answer(
                new PlacementEvent.Refused(
                    node.id(),
                    refused.group(),
                    refused.attempt(),
                    refused.reason(),
                    refused.numbers(),
                    nowMs));
        reclaim(refused.idle());
      }
    }
  }

  @Override
  public void commit(PlacementEffect.SendCommit commit) {
    boolean done =
        node.isAlive() && ledger.commit(commit.group(), commit.indexes(), commit.attempt());
    kernel.chooser().changed(this);
    kernel
        .groups()
        .answer(
            new PlacementEvent.Committed(
                node.id(), commit.group(), commit.attempt(), done, OwnerKernel.nowMs()));
  }

  @Override
  public void cancel(PlacementEffect.SendCancel cancel) {
    returned(
        ledger.cancel(cancel.group(), cancel.indexes(), cancel.attempt(), OwnerKernel.nowMs()));
  }

  @Override
  public void remove(PlacementEffect.SendRemove remove) {
    returned(ledger.remove(remove.group(), OwnerKernel.nowMs()));
  }

  private void returned(Returned returned) {
    for (LeaseId id : returned.toEnd()) {
      Lease lease = node.leases().get(id);
      if (lease != null) {
        kernel.groups().endLease(this, lease);
      }
    }
    freed(returned.freed());
  }
}
