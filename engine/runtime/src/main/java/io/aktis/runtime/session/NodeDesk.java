package io.aktis.runtime.session;

import io.aktis.core.id.LeaseId;
import io.aktis.core.id.NodeId;
import io.aktis.core.id.ObjectId;
import io.aktis.core.lease.Refusal;
import io.aktis.core.owner.Actor;
import io.aktis.core.owner.FailedStarts;
import io.aktis.core.owner.FailureKind;
import io.aktis.core.owner.Lease;
import io.aktis.core.owner.Outcome;
import io.aktis.core.owner.OwnedObject;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.core.owner.Shape;
import io.aktis.core.owner.Task;
import io.aktis.core.placement.PlacementEvent;
import io.aktis.core.task.TaskMachine;
import io.aktis.runtime.form.WireIds;
import io.aktis.runtime.form.WireResources;
import io.aktis.runtime.port.ClusterPort;
import io.aktis.runtime.port.WorkerListener;
import io.aktis.wire.message.BundleReport;
import io.aktis.wire.message.Committed;
import io.aktis.wire.message.Explanation;
import io.aktis.wire.message.Holder;
import io.aktis.wire.message.LeaseGranted;
import io.aktis.wire.message.LeaseRefused;
import io.aktis.wire.message.NodeToOwner;
import io.aktis.wire.message.ObjectUse;
import io.aktis.wire.message.ObjectsAnswer;
import io.aktis.wire.message.ObjectsQuestion;
import io.aktis.wire.message.OwnerHello;
import io.aktis.wire.message.OwnerToWorker;
import io.aktis.wire.message.Prepared;
import io.aktis.wire.message.WorkerLost;
import io.aktis.wire.message.WorkerToOwner;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Takes what the daemons of a cluster say, and says what follows when a process or a node is lost.
 * Confined to the owner's loop.
 */
final class NodeDesk {
  /** How many ids a worker gets at a time. */
  private static final long IDS_PER_RANGE = 1L << 24;

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /** Ids of workers start where those of the driver never come. */
  private static final long FIRST_RANGE = 1L << 39;

  private final OwnerKernel kernel;
  private final ClusterPort port;
  private final WorkerLog log = new WorkerLog();
  private final Explainer explainer;
  private final Map<String, RemoteWorker> workers = new LinkedHashMap<>();
  private long ranges;

  NodeDesk(OwnerKernel kernel, ClusterPort port) {
    this.kernel = kernel;
    this.port = port;
    this.explainer = new Explainer(kernel);
  }

  void received(RemoteNode node, NodeToOwner message) {
    switch (message.getMessageCase()) {
      case LEASE_GRANTED -> granted(node, message.getLeaseGranted());
      case LEASE_REFUSED -> refused(node, message.getLeaseRefused());
      case TRY_AGAIN -> tryAgain(node);
      case RECLAIM ->
          kernel.follow(
              new OwnerEvent.Reclaimed(
                  message.getReclaim().getIdsList().stream().map(WireIds::lease).toList()));
      case RESUMED -> {
        Object waiter = node.waiter(message.getResumed().getWaiter());
        if (waiter != null) {
          kernel.shell().resume(waiter);
        }
      }
      case WORKER_LOST -> workerLost(node, message.getWorkerLost());
      case LEASE_ENDED -> {
        Lease lease = node.leases().get(WireIds.lease(message.getLeaseEnded()));
        if (lease != null) {
          kernel.groups().endLease(node, lease);
        }
      }
      case PREPARED -> prepared(node, message.getPrepared());
      case COMMITTED -> committed(node, message.getCommitted());
      case NUMBERS -> {
        node.heard(message.getNumbers());
        kernel.resourcesFreed(false);
      }
      case BUNDLES -> {
        node.heard(bundles(message.getBundles()));
        kernel.resourcesFreed(false);
      }
      case LOG -> log.print(message.getLog());
      case REPORT -> node.reported(message.getReport());
      case DESCRIBE -> node.answer(described(node, message.getDescribe()));
      case WHY ->
          node.answer(
              Explanation.newBuilder()
                  .setNumber(message.getWhy().getNumber())
                  .addAllLines(explainer.why(message.getWhy().getId()))
                  .build());
      case COLLECT -> collectGarbage();
      case NAME -> kernel.otherJobs().named(node, message.getName());
      case MAIL -> kernel.otherJobs().mail(node, message.getMail());
      case NO_OWNER -> kernel.otherJobs().noOwner(node, message.getNoOwner());
      case HEAD_EPOCH -> kernel.otherJobs().leads(node, message.getHeadEpoch());
      case HELLO, MESSAGE_NOT_SET ->
          throw new IllegalArgumentException("an owner does not expect " + message);
    }
  }

  // ---- memory ---------------------------------------------------------------------------------

  /** Here and in the workers: any of them may hold references that no code can reach any more. */
  private void collectGarbage() {
    Pressure.collectLater();
    workers.values().forEach(worker -> worker.send(OwnerToWorker.newBuilder().setCollect(true)));
  }

  private ObjectsAnswer described(RemoteNode node, ObjectsQuestion question) {
    Set<ObjectId> wanted =
        question.getObjectsList().stream().map(WireIds::object).collect(Collectors.toSet());
    ObjectsAnswer.Builder answer = ObjectsAnswer.newBuilder().setNumber(question.getNumber());
    for (OwnedObject object : kernel.owner().storedOn(node.id())) {
      if (wanted.contains(object.id())) {
        answer.addUses(use(object));
      }
    }
    return answer.build();
  }

  private ObjectUse use(OwnedObject object) {
    Task producer = object.producer();
    ObjectUse.Builder use =
        ObjectUse.newBuilder()
            .setObject(WireIds.of(object.id()))
            .setMadeBy(producer == null ? "" : producer.name())
            .setHolds(object.holds());
    int elsewhere = 0;
    for (RemoteWorker worker : workers.values()) {
      int count = worker.references(object.id());
      elsewhere += count;
      if (count > 0) {
        use.addWorkerReferences(Holder.newBuilder().setName(worker.id()).setCount(count));
      }
    }
    return use.setProgramReferences(Math.max(0, object.handles() - elsewhere)).build();
  }

  // ---- leases ---------------------------------------------------------------------------------

  private void granted(RemoteNode node, LeaseGranted granted) {
    LeaseId lease = WireIds.lease(granted.getLease());
    node.heard(granted.getNumbers());
    Shape shape = node.answered(lease);
    if (shape == null) {
      node.refuse(lease);
      return;
    }
    kernel.chooser().failedStarts().made(shape.key().process(), node.id());
    node.serves(lease, worker(node, granted.getWorkerId(), granted.getWorkerAddress()));
    kernel.follow(
        new OwnerEvent.LeaseGranted(
            shape,
            lease,
            node.id(),
            granted.hasBundle() ? WireIds.bundle(granted.getBundle()) : null,
            granted.getGpuIdsList()));
  }

  private void refused(RemoteNode node, LeaseRefused refused) {
    LeaseId lease = WireIds.lease(refused.getLease());
    if (refused.hasNumbers()) {
      node.heard(refused.getNumbers());
    }
    Shape shape = node.answered(lease);
    if (shape == null) {
      return;
    }
    if (refused.getFailed()) {
      cannotStart(node, shape, lease, refused.getReason());
    } else {
      kernel.follow(new OwnerEvent.LeaseRefused(shape, lease, refused.getReason()));
    }
  }

  /**
   * A node cannot make the process that a lease was asked for: others are asked, and the work fails
   * when there are none.
   */
  void cannotStart(RemoteNode node, Shape shape, LeaseId lease, String reason) {
    ViewChooser chooser = kernel.chooser();
    FailedStarts starts = chooser.failedStarts();
    starts.failed(shape.key().process(), node.id(), reason, OwnerKernel.nowMs());
    boolean hasOthers = chooser.hasOthersFor(shape.key());
    if (!hasOthers) {
      String reasons = String.join("; ", starts.giveUp(shape.key().process()));
      kernel.follow(
          new OwnerEvent.ShapeFailed(shape, Outcome.Failure.of(FailureKind.RUNTIME_ENV, reasons)));
    }
    kernel.follow(new OwnerEvent.LeaseRefused(shape, lease, reason));
    if (hasOthers) {
      Log.LOG.warn("{}; other nodes are asked.", reason);
      tryAgain(node);
      kernel.timers().after(FailedStarts.AVOID_MS, () -> kernel.onLoop(() -> tryAgain(node)));
    }
  }

  private void tryAgain(RemoteNode node) {
    kernel.chooser().changed(node);
    kernel.follow(new OwnerEvent.TryAgain());
  }

  // ---- workers --------------------------------------------------------------------------------

  private RemoteWorker worker(RemoteNode node, String id, String address) {
    String key = key(node, id);
    RemoteWorker known = workers.get(key);
    if (known != null) {
      return known;
    }
    RemoteWorker worker = new RemoteWorker(kernel, id, node);
    OwnerDesk desk = new OwnerDesk(kernel, this, worker);
    workers.put(key, worker);
    worker.link(port.openWorker(id, address, new Listener(worker, desk)));
    worker.send(OwnerToWorker.newBuilder().setHello(hello()));
    return worker;
  }

  /** Nodes number their workers on their own. */
  private static String key(RemoteNode node, String workerId) {
    return node.id() + "/" + workerId;
  }

  private OwnerHello.Builder hello() {
    return OwnerHello.newBuilder()
        .setOwner(kernel.ownerNumber())
        .setSessionId(kernel.sessionId())
        .setNamespace(kernel.session().namespace())
        .setEnv(WireOptions.message(kernel.runtimeEnv()))
        .setIds(nextRange())
        .setMaxPendingTasks(kernel.maxPendingTasks());
  }

  io.aktis.wire.message.IdRange nextRange() {
    return io.aktis.wire.message.IdRange.newBuilder()
        .setFirst(FIRST_RANGE + IDS_PER_RANGE * ranges++)
        .setCount(IDS_PER_RANGE)
        .build();
  }

  /** An object is being made again: tells the workers that hold it. */
  void unsettled(io.aktis.core.owner.OwnedObject object) {
    workers.values().forEach(worker -> worker.unsettled(object));
  }

  /**
   * Waits until code in workers, which was interrupted, has ended: it may take its time before its
   * process is killed. Not on the loop.
   */
  void awaitIdle(long timeoutMs) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    while (!kernel.ask(this::isIdle)
        && deadline - System.nanoTime() > 0
        && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(this, LOOK_NANOS);
    }
  }

  private boolean isIdle() {
    return workers.values().stream().allMatch(RemoteWorker::isIdle);
  }

  private final class Listener implements WorkerListener {
    private final RemoteWorker worker;
    private final OwnerDesk desk;

    Listener(RemoteWorker worker, OwnerDesk desk) {
      this.worker = worker;
      this.desk = desk;
    }

    @Override
    public void received(List<WorkerToOwner> messages) {
      kernel.runOnLoop(() -> {
        if (!worker.isGone()) { // what it held is let go, and must not be taken up again
          desk.received(messages);
        }
      });
    }

    @Override
    public void ended(String reason) {
      kernel.runOnLoop(() -> worker.node().workerSilent(worker, reason));
    }
  }

  private void workerLost(RemoteNode node, WorkerLost lost) {
    if (lost.hasNumbers()) {
      node.heard(lost.getNumbers());
    }
    RemoteWorker worker = workers.remove(key(node, lost.getWorkerId()));
    FailureKind kind = lost.getOutOfMemory() ? FailureKind.OUT_OF_MEMORY : FailureKind.WORKER_DIED;
    Outcome.Failure failure =
        Outcome.Failure.of(
            kind,
            "Worker " + lost.getWorkerId() + " on " + node + " is gone: " + lost.getReason() + ".");
    if (worker != null && lost.getStartedIsKnown()) {
      worker.died(StartedRuns.of(lost.getStartedList()));
    }
    List<Lease> leases = new ArrayList<>();
    for (var id : lost.getLeasesList()) {
      Lease lease = node.leases().get(WireIds.lease(id));
      if (lease != null) {
        leases.add(lease);
      }
    }
    lose(node, worker, leases, failure);
    kernel.resourcesFreed(false);
  }

  /** Leases are lost with a process: tells the machine what may have started on them. */
  private void lose(
      RemoteNode node, @Nullable RemoteWorker worker, List<Lease> leases, Outcome.Failure failure) {
    List<Actor> actors = actorsOn(leases);
    TaskMachine.Loss loss = loss(worker, failure.kind());
    for (Lease lease : leases) {
      List<Task> started =
          lease.slot() instanceof RemoteWorker host ? host.forget(lease) : List.of();
      node.forget(lease);
      kernel.groups().released(lease.id());
      kernel.follow(new OwnerEvent.LeaseLost(lease, loss, started, failure));
    }
    for (Actor actor : actors) {
      List<Task> started =
          actor.runner() instanceof RemoteWorker host ? host.forget(actor) : List.of();
      kernel.follow(
          new OwnerEvent.ActorLost(
              actor, started, Outcome.Failure.of(FailureKind.ACTOR_DIED, failure.message())));
    }
    if (worker != null && !worker.isGone()) {
      worker.died();
    }
  }

  private static TaskMachine.Loss loss(@Nullable RemoteWorker worker, FailureKind kind) {
    if (worker != null && worker.isToDie()) {
      return TaskMachine.Loss.BYSTANDER;
    }
    return kind == FailureKind.OUT_OF_MEMORY
        ? TaskMachine.Loss.OUT_OF_MEMORY
        : TaskMachine.Loss.WHILE_RUNNING;
  }

  private List<Actor> actorsOn(List<Lease> leases) {
    List<Actor> found = new ArrayList<>();
    for (ActorEntry entry : kernel.directory().all()) {
      Lease lease = entry.actor().lease();
      if (lease != null && leases.contains(lease)) {
        found.add(entry.actor());
      }
    }
    return found;
  }

  // ---- nodes ----------------------------------------------------------------------------------

  /** A node is gone, and all that was there. */
  void nodeGone(RemoteNode node, String reason) {
    if (!node.isAlive()) {
      return;
    }
    node.die();
    kernel.chooser().changed(node);
    Outcome.Failure failure =
        Outcome.Failure.of(FailureKind.NODE_DIED, "Node " + node + " is gone: " + reason + ".");
    node.asked()
        .forEach((lease, shape) ->
            kernel.follow(new OwnerEvent.LeaseRefused(shape, lease, node + " is gone")));
    node.asked().clear();
    node.takeWaiters().forEach(kernel.shell()::resume);
    lose(node, null, List.copyOf(node.leases().values()), failure);
    for (RemoteWorker worker : List.copyOf(workers.values())) {
      if (worker.node() == node) {
        workers.remove(key(node, worker.id()));
        worker.died();
      }
    }
    kernel.follow(new OwnerEvent.NodeGone(node.id()));
    kernel.otherJobs().nodeGone(node);
    kernel.groups().nodeLost(node);
  }

  // ---- placement groups -------------------------------------------------------------------------

  private void prepared(RemoteNode node, Prepared prepared) {
    node.heard(prepared.getNumbers());
    long nowMs = OwnerKernel.nowMs();
    kernel
        .groups()
        .answer(
            prepared.getDone()
                ? new PlacementEvent.Prepared(
                    node.id(),
                    WireIds.group(prepared.getGroup()),
                    prepared.getIndexesList(),
                    prepared.getAttempt(),
                    WireResources.numbers(prepared.getNumbers()),
                    nowMs)
                : new PlacementEvent.Refused(
                    node.id(),
                    WireIds.group(prepared.getGroup()),
                    prepared.getAttempt(),
                    Refusal.valueOf(prepared.getRefusal()),
                    WireResources.numbers(prepared.getNumbers()),
                    nowMs));
  }

  private void committed(RemoteNode node, Committed committed) {
    kernel
        .groups()
        .answer(
            new PlacementEvent.Committed(
                node.id(),
                WireIds.group(committed.getGroup()),
                committed.getAttempt(),
                committed.getDone(),
                OwnerKernel.nowMs()));
  }

  private static List<io.aktis.core.lease.BundleStatus> bundles(BundleReport report) {
    return report.getBundlesList().stream()
        .map(each ->
            new io.aktis.core.lease.BundleStatus(
                WireIds.bundle(each.getId()),
                each.getAttempt(),
                each.getCommitted(),
                WireResources.resources(each.getTotal()),
                WireResources.resources(each.getAvailable())))
        .toList();
  }

  RemoteNode find(NodeId id) {
    if (kernel.node(id) instanceof RemoteNode node) {
      return node;
    }
    throw new IllegalArgumentException(id + " is not a node of the cluster");
  }
}
