package io.aktis.cluster.node;

import io.aktis.cluster.rpc.Credentials;
import io.aktis.core.id.GroupId;
import io.aktis.core.id.LeaseId;
import io.aktis.core.lease.Freed;
import io.aktis.core.lease.Hungry;
import io.aktis.core.lease.LeaseAnswer;
import io.aktis.core.lease.LeaseLedger;
import io.aktis.core.lease.LeaseRequest;
import io.aktis.core.lease.Returned;
import io.aktis.core.lease.Unblocked;
import io.aktis.core.pool.PoolEffect;
import io.aktis.core.pool.PoolEvent;
import io.aktis.core.pool.PoolLimits;
import io.aktis.core.pool.WorkerPool;
import io.aktis.runtime.form.WireIds;
import io.aktis.runtime.form.WireResources;
import io.aktis.wire.message.AskLease;
import io.aktis.wire.message.Id;
import io.aktis.wire.message.Ids;
import io.aktis.wire.message.JobHello;
import io.aktis.wire.message.LeaseGranted;
import io.aktis.wire.message.LeaseRefused;
import io.aktis.wire.message.NodeHello;
import io.aktis.wire.message.NodeReport;
import io.aktis.wire.message.NodeToOwner;
import io.aktis.wire.message.OwnerToNode;
import io.aktis.wire.message.Resumed;
import io.aktis.wire.message.TryAgain;
import io.aktis.wire.message.Unblock;
import io.aktis.wire.message.WorkerLost;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The leases of a node: takes in what owners and workers say, asks the ledger and the pool, and
 * carries out what they decide. Belongs to the loop.
 *
 * <p>An owner is its stream. When that ends all its processes are killed, and its leases, bundles
 * and objects are let go after the last of them: nothing of an owner that is gone competes with
 * those that are there.
 */
final class LeaseDesk {
  /** So often owners are told at most how the node is. */
  static final long NUMBERS_MS = 50;

  /** So long owners have to tell their names to a head that is not the first of its cluster. */
  private static final long NAMES_SETTLE_MS = 5_000;

  private final NodeConfig config;
  private final NodeParts parts;
  private final NodeLoop loop;
  private final Workers workers;
  private final LeaseLedger ledger;
  private final BundleDesk bundles;
  private final WorkerPool pool = new WorkerPool(PoolLimits.DEFAULT);
  private final Map<Long, OwnerSession> owners = new LinkedHashMap<>();
  private final NameDesk names;

  /** What the ledger has granted and no worker serves yet. */
  private final Map<LeaseId, LeaseAnswer.Granted> granted = new LinkedHashMap<>();

  /** Who waits in the queue of the ledger for CPU: the numbers that owners gave. */
  private final Map<LeaseId, List<Long>> resuming = new LinkedHashMap<>();

  /** Which head of the cluster this node is; 0: it is none. */
  private final LongSupplier headEpoch;

  private long toldVersion;
  private boolean numbersAreDue;
  private @Nullable Runnable whenEmpty;
  private boolean stopping;

  /**
   * Makes one without owners.
   *
   * @param headEpoch which head of the cluster this node is; 0: it is none
   */
  LeaseDesk(
      NodeConfig config, NodeParts parts, NodeLoop loop, Workers workers, LongSupplier headEpoch) {
    this.headEpoch = headEpoch;
    this.config = config;
    this.parts = parts;
    this.loop = loop;
    this.workers = workers;
    this.ledger = new LeaseLedger(config.total(), config.gpuIds());
    this.bundles = new BundleDesk(ledger, this, loop);
    this.names = new NameDesk(loop, owners);
  }

  /** This node serves as the head of an epoch from now on; of 0, not any more. */
  void serves(long epoch) {
    if (epoch == 0) {
      names.resign();
      return;
    }
    names.lead(epoch == 1 ? 0 : NAMES_SETTLE_MS);
    NodeToOwner message = NodeToOwner.newBuilder().setHeadEpoch(epoch).build();
    owners.values().forEach(session -> session.send(message));
  }

  LeaseLedger ledger() {
    return ledger;
  }

  boolean isStopping() {
    return stopping;
  }

  /** Returns the owners that are connected, by their numbers. */
  Map<Long, OwnerSession> owners() {
    return owners;
  }

  /** Asks all owners to have garbage collected; returns how many there are. */
  int collectGarbage() {
    NodeToOwner message = NodeToOwner.newBuilder().setCollect(true).build();
    owners.values().forEach(session -> session.send(message));
    return owners.size();
  }

  boolean hasOwners() {
    return !owners.isEmpty();
  }

  /** Time has passed; to be called twice a second or so. */
  void tick() {
    returned(ledger.expire(loop.nowMs()));
    on(new PoolEvent.Tick());
    names.tick();
  }

  /** Tells owners who use groups which bundles they have here, where that has changed. */
  void tellBundles() {
    for (OwnerSession session : owners.values()) {
      JobHello hello = session.hello();
      if (session.usesGroups && hello != null) {
        session.sendIfNews(bundles.report(session, hello.getOwner()));
      }
    }
  }

  private void report(OwnerSession session, long number) {
    session.send(
        NodeToOwner.newBuilder()
            .setReport(
                NodeReport.newBuilder()
                    .setNumber(number)
                    .setNumbers(
                        numbers().toBuilder()
                            .setAvailable(WireResources.of(ledger.availableWithIdle())))
                    .setStoreUsedBytes(parts.store().usedBytes())));
  }

  /** Has owners told, in a while, when something has changed. To be called after each event. */
  void afterEach() {
    tellBundles();
    if (!numbersAreDue && ledger.numbers().version() != toldVersion) {
      numbersAreDue = true;
      loop.schedule(NUMBERS_MS, this::tellNumbers);
    }
  }

  private void tellNumbers() {
    numbersAreDue = false;
    toldVersion = ledger.numbers().version();
    NodeToOwner message = NodeToOwner.newBuilder().setNumbers(numbers()).build();
    owners.values().forEach(session -> session.send(message));
  }

  io.aktis.wire.message.NodeNumbers numbers() {
    return WireResources.of(ledger.numbers());
  }

  // ---- owners ---------------------------------------------------------------------------------

  void received(OwnerSession session, OwnerToNode message) {
    if (session.over) {
      return;
    }
    try {
      JobHello hello = session.hello();
      if (hello == null) {
        hello(session, message);
      } else {
        handle(session, hello.getOwner(), message);
      }
    } catch (IllegalArgumentException e) {
      refuse(session, Status.INVALID_ARGUMENT, e.getMessage());
    }
  }

  private void refuse(OwnerSession session, Status status, @Nullable String why) {
    session.fail(status.withDescription(config.node() + ": " + why));
    ended(session);
  }

  private void hello(OwnerSession session, OwnerToNode message) {
    if (!message.hasHello()) {
      throw new IllegalArgumentException("the first message of an owner must be its hello");
    }
    JobHello hello = message.getHello();
    long owner = hello.getOwner();
    if (hello.getVersion() != Credentials.PROTOCOL) {
      String why =
          "the owner speaks version %d of the protocol, this node version %d"
              .formatted(hello.getVersion(), Credentials.PROTOCOL);
      refuse(session, Status.FAILED_PRECONDITION, why);
    } else if (!hello.getSessionId().equals(config.sessionId())) {
      String why =
          "this is the cluster of session %s, not of %s"
              .formatted(config.sessionId(), hello.getSessionId());
      refuse(session, Status.FAILED_PRECONDITION, why);
    } else if (stopping) {
      refuse(session, Status.UNAVAILABLE, "the node is stopping");
    } else if (owners.containsKey(owner)) {
      String why =
          "owner %016x is here already, or what it left is still being ended".formatted(owner);
      refuse(session, Status.ALREADY_EXISTS, why);
    } else {
      begin(session, hello);
    }
  }

  private void begin(OwnerSession session, JobHello hello) {
    session.begin(hello);
    owners.put(hello.getOwner(), session);
    session.send(
        NodeToOwner.newBuilder()
            .setHello(
                NodeHello.newBuilder()
                    .setNode(WireIds.of(config.node()))
                    .setNumbers(numbers())
                    .putAllLabels(config.labels())
                    .setStoreFile(parts.store().file())
                    .setStoreCapacityBytes(parts.store().capacityBytes())
                    .setMachineId(config.machineId())
                    .setVersion(config.version())
                    .setHeadEpoch(headEpoch.getAsLong())));
    on(new PoolEvent.JobBegan(hello.getOwner()));
  }

  private void handle(OwnerSession session, long owner, OwnerToNode message) {
    switch (message.getMessageCase()) {
      case ASK_LEASE -> askLease(session, owner, message.getAskLease());
      case SATISFIED -> {
        var satisfied = message.getSatisfied();
        var bundle = satisfied.hasBundle() ? WireIds.bundle(satisfied.getBundle()) : null;
        ledger.satisfied(owner, WireResources.demand(satisfied.getDemand()), bundle);
      }
      case GIVE_BACK -> on(new PoolEvent.LeaseReleased(lease(owner, message.getGiveBack())));
      case MARK_IDLE -> {
        LeaseId lease = lease(owner, message.getMarkIdle());
        if (ledger.markIdle(lease)) {
          reclaim(List.of(lease));
        }
      }
      case MARK_BUSY -> ledger.markBusy(lease(owner, message.getMarkBusy()));
      case BLOCK -> freed(ledger.block(lease(owner, message.getBlock())));
      case UNBLOCK -> unblock(session, owner, message.getUnblock());
      case DELETE_OBJECT -> {
        own(owner, message.getDeleteObject());
        parts.store().deleteObject(WireIds.object(message.getDeleteObject()));
      }
      case REPORT -> report(session, message.getReport());
      case DESCRIBED -> session.described(message.getDescribed());
      case EXPLAINED -> session.explained(message.getExplained());
      case NAME -> names.received(session, owner, message.getName());
      case MAIL -> names.forward(session, owner, message.getMail());
      case HOLD_CODE -> parts.code().keep(owner, message.getHoldCode().getFilesList());
      case KILL_WORKER_OF -> on(new PoolEvent.KillAsked(lease(owner, message.getKillWorkerOf())));
      case PREPARE, COMMIT, CANCEL_BUNDLES, REMOVE_GROUP, USE_GROUP ->
          bundles.handle(session, owner, message);
      case HELLO -> throw new IllegalArgumentException("an owner says hello once");
      case MESSAGE_NOT_SET ->
          throw new IllegalArgumentException("a message of an owner is not known here");
    }
  }

  /** Checks that an owner speaks of what is its own. */
  static void own(long owner, Id id) {
    if (id.getOwner() != owner) {
      throw new IllegalArgumentException(
          "owner %016x speaks of what belongs to owner %016x".formatted(owner, id.getOwner()));
    }
  }

  private static LeaseId lease(long owner, Id id) {
    own(owner, id);
    return WireIds.lease(id);
  }

  /** The stream of an owner has ended, in whatever way. */
  void ended(OwnerSession session) {
    if (session.over) {
      return;
    }
    session.over = true;
    session.leaveUnanswered();
    JobHello hello = session.hello();
    if (hello == null) {
      session.complete();
      return;
    }
    long owner = hello.getOwner();
    names.ownerGone(owner);
    ledger.forget(owner);
    resuming.keySet().removeIf(lease -> lease.owner() == owner);
    granted.keySet().removeIf(lease -> lease.owner() == owner);
    on(new PoolEvent.JobOver(owner));
  }

  /** The last process of an owner that has ended is gone. */
  private void jobGone(long owner) {
    for (GroupId group : bundles.groupsOf(owner)) {
      returned(ledger.remove(group, loop.nowMs()));
    }
    parts.store().deleteAllOf(owner);
    parts.code().letGo(owner);
    OwnerSession session = owners.remove(owner);
    if (session != null) {
      session.complete();
    }
    tellIfEmpty();
  }

  /** Takes no more owners from now on. */
  void stopTakingOwners() {
    stopping = true;
  }

  /** Calls back, on the loop, when there is no owner any more; perhaps at once. */
  void whenEmpty(Runnable callback) {
    whenEmpty = callback;
    tellIfEmpty();
  }

  private void tellIfEmpty() {
    Runnable callback = whenEmpty;
    if (callback != null && owners.isEmpty()) {
      whenEmpty = null;
      callback.run();
    }
  }

  /** Ends all owners. */
  void endAll() {
    stopping = true;
    for (OwnerSession session : List.copyOf(owners.values())) {
      session.fail(Status.UNAVAILABLE.withDescription(config.node() + ": the node stops"));
      ended(session);
    }
  }

  // ---- leases ---------------------------------------------------------------------------------

  private void askLease(OwnerSession session, long owner, AskLease ask) {
    LeaseRequest request =
        new LeaseRequest(
            lease(owner, ask.getLease()),
            WireResources.demand(ask.getDemand()),
            ask.hasBundle() ? WireIds.bundle(ask.getBundle()) : null);
    switch (ledger.request(request, loop.nowMs())) {
      case LeaseAnswer.Granted answer -> {
        granted.put(answer.lease(), answer);
        List<String> gpuIds = answer.gpus().stream().map(gpu -> gpu.device()).toList();
        boolean exclusive = ask.getWorker().getIsolated() || !gpuIds.isEmpty();
        var key = WireForms.key(ask.getWorker());
        on(new PoolEvent.LeaseGranted(answer.lease(), key, exclusive, gpuIds));
      }
      case LeaseAnswer.Refused refused -> {
        session.send(
            NodeToOwner.newBuilder()
                .setLeaseRefused(
                    LeaseRefused.newBuilder()
                        .setLease(ask.getLease())
                        .setReason(config.node() + " says " + refused.reason())
                        .setNumbers(WireResources.of(refused.numbers()))));
        reclaim(refused.idle());
      }
    }
  }

  private void unblock(OwnerSession session, long owner, Unblock message) {
    LeaseId lease = lease(owner, message.getLease());
    Unblocked answer = ledger.unblock(lease);
    if (answer.outcome() == Unblocked.Outcome.QUEUED) {
      resuming.computeIfAbsent(lease, ignored -> new ArrayList<>()).add(message.getWaiter());
      reclaim(answer.idle());
    } else {
      resumed(session, message.getWaiter());
    }
  }

  private static void resumed(OwnerSession session, long waiter) {
    session.send(NodeToOwner.newBuilder().setResumed(Resumed.newBuilder().setWaiter(waiter)));
  }

  /** Asks the owners of idle leases to give them back. */
  void reclaim(List<LeaseId> leases) {
    Map<Long, Ids.Builder> perOwner = new LinkedHashMap<>();
    for (LeaseId lease : leases) {
      perOwner
          .computeIfAbsent(lease.owner(), ignored -> Ids.newBuilder())
          .addIds(WireIds.of(lease));
    }
    perOwner.forEach((owner, ids) -> tell(owner, NodeToOwner.newBuilder().setReclaim(ids)));
  }

  private void tell(long owner, NodeToOwner.Builder message) {
    OwnerSession session = owners.get(owner);
    if (session != null) {
      session.send(message);
    }
  }

  private void release(LeaseId lease) {
    granted.remove(lease);
    resuming.remove(lease);
    freed(ledger.release(lease));
  }

  private void freed(Freed freed) {
    for (LeaseId lease : freed.resumed()) {
      List<Long> waiters = resuming.remove(lease);
      OwnerSession session = owners.get(lease.owner());
      if (waiters != null && session != null) {
        waiters.forEach(waiter -> resumed(session, waiter));
      }
    }
    for (Hungry hungry : freed.tryAgain()) {
      tell(hungry.owner(), NodeToOwner.newBuilder().setNumbers(numbers()));
      tell(hungry.owner(), NodeToOwner.newBuilder().setTryAgain(TryAgain.getDefaultInstance()));
    }
  }

  /** Tells the owners of leases whose bundle is gone; they end the work and give them back. */
  void returned(Returned returned) {
    for (LeaseId lease : returned.toEnd()) {
      tell(lease.owner(), NodeToOwner.newBuilder().setLeaseEnded(WireIds.of(lease)));
    }
    freed(returned.freed());
  }

  // ---- workers --------------------------------------------------------------------------------

  /** Something has happened to a worker. */
  void on(PoolEvent event) {
    pool.on(event, loop.nowMs(), this::carryOut);
  }

  private void carryOut(PoolEffect effect) {
    switch (effect) {
      case PoolEffect.StartWorker start -> {
        OwnerSession session =
            Objects.requireNonNull(owners.get(start.owner()), "a job has its owner");
        JobHello hello = Objects.requireNonNull(session.hello(), "an owner has said hello");
        workers.start(start, hello, session.log);
      }
      case PoolEffect.KillWorker kill -> workers.kill(kill.worker());
      case PoolEffect.TellServed served -> served(served);
      case PoolEffect.TellFailed failed ->
          tell(
              failed.lease().owner(),
              NodeToOwner.newBuilder()
                  .setLeaseRefused(
                      LeaseRefused.newBuilder()
                          .setLease(WireIds.of(failed.lease()))
                          .setReason(config.node() + " cannot make a worker: " + failed.reason())
                          .setFailed(true)
                          .setNumbers(numbers())));
      case PoolEffect.TellLost lost -> lost(lost);
      case PoolEffect.ReleaseLease release -> release(release.lease());
      case PoolEffect.TellJobGone gone -> jobGone(gone.owner());
    }
  }

  private void served(PoolEffect.TellServed served) {
    LeaseAnswer.Granted answer = granted.get(served.lease());
    if (answer == null) {
      return;
    }
    LeaseGranted.Builder message =
        LeaseGranted.newBuilder()
            .setLease(WireIds.of(served.lease()))
            .setWorkerId(workers.idOf(served.worker()))
            .setWorkerAddress(served.address())
            .setNumbers(numbers());
    answer.gpus().forEach(gpu -> message.addGpuIds(gpu.device()));
    if (answer.bundle() != null) {
      message.setBundle(WireIds.of(answer.bundle()));
    }
    tell(served.lease().owner(), NodeToOwner.newBuilder().setLeaseGranted(message));
  }

  private void lost(PoolEffect.TellLost lost) {
    OwnerSession session = owners.get(lost.owner());
    if (session == null) {
      return;
    }
    session.sendLog(); // its last words come before the news
    WorkerLost.Builder message =
        WorkerLost.newBuilder()
            .setWorkerId(workers.idOf(lost.worker()))
            .setReason(lost.reason())
            .setOutOfMemory(lost.outOfMemory())
            .setNumbers(numbers());
    lost.leases().forEach(lease -> message.addLeases(WireIds.of(lease)));
    workers
        .takeStarted(lost.worker())
        .ifPresent(numbers -> message.addAllStarted(numbers).setStartedIsKnown(true));
    session.send(NodeToOwner.newBuilder().setWorkerLost(message));
  }
}
