package io.aktis.runtime.session;

import io.aktis.NodeInfo;
import io.aktis.RuntimeEnv;
import io.aktis.core.id.GroupId;
import io.aktis.core.id.LeaseId;
import io.aktis.core.id.NodeId;
import io.aktis.core.id.ObjectId;
import io.aktis.core.lease.BundleStatus;
import io.aktis.core.lease.IdleNews;
import io.aktis.core.owner.Actor;
import io.aktis.core.owner.Lease;
import io.aktis.core.owner.OwnerEffect;
import io.aktis.core.owner.ProcessNeeds;
import io.aktis.core.owner.Shape;
import io.aktis.core.owner.ShapeKey;
import io.aktis.core.owner.Task;
import io.aktis.core.placement.PlacementEffect;
import io.aktis.core.resource.NodeNumbers;
import io.aktis.core.schedule.NodeView;
import io.aktis.runtime.form.WireIds;
import io.aktis.runtime.form.WireResources;
import io.aktis.runtime.port.EnvironmentFiles;
import io.aktis.runtime.port.NodeLink;
import io.aktis.wire.message.AskLease;
import io.aktis.wire.message.Bundle;
import io.aktis.wire.message.CancelBundles;
import io.aktis.wire.message.Commit;
import io.aktis.wire.message.EndActor;
import io.aktis.wire.message.Explanation;
import io.aktis.wire.message.Mail;
import io.aktis.wire.message.NameRequest;
import io.aktis.wire.message.NodeHello;
import io.aktis.wire.message.NodeReport;
import io.aktis.wire.message.ObjectsAnswer;
import io.aktis.wire.message.OwnerToNode;
import io.aktis.wire.message.OwnerToWorker;
import io.aktis.wire.message.Prepare;
import io.aktis.wire.message.Recall;
import io.aktis.wire.message.Satisfied;
import io.aktis.wire.message.Unblock;
import io.aktis.wire.message.WorkerKey;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * A node whose daemon is another process: requests are messages, and what it answers is handled by
 * {@link NodeDesk}. Confined to the owner's loop.
 */
final class RemoteNode implements NodePort {
  private static final long IDLE_NEWS_MS = 5;

  private final NodeId id;
  private final SortedMap<String, String> labels;
  private final long storeCapacityBytes;
  private final NodeLink link;
  private final OwnerKernel kernel;
  private final PushForm form;
  private final Map<LeaseId, Lease> leases = new LinkedHashMap<>();
  private final Map<LeaseId, RemoteWorker> serving = new HashMap<>();
  private final Map<LeaseId, Shape> asked = new LinkedHashMap<>();
  private final Map<Long, Object> waiting = new HashMap<>();
  private final IdleNews idleNews = new IdleNews();
  private NodeNumbers numbers;
  private List<BundleStatus> bundles = List.of();
  private final Map<Long, CountDownLatch> reports = new HashMap<>();
  private NodeNumbers reported;
  private long storeUsedBytes;
  private long reportNumber;
  private boolean alive = true;
  private long waiterNumber;

  RemoteNode(OwnerKernel kernel, NodeHello hello, NodeLink link) {
    this.id = WireIds.node(hello.getNode());
    this.labels = Collections.unmodifiableSortedMap(new TreeMap<>(hello.getLabelsMap()));
    this.storeCapacityBytes = hello.getStoreCapacityBytes();
    this.numbers = WireResources.numbers(hello.getNumbers());
    this.reported = numbers;
    this.link = link;
    this.kernel = kernel;
    this.form = new PushForm(kernel);
  }

  @Override
  public NodeId id() {
    return id;
  }

  @Override
  public SortedMap<String, String> labels() {
    return labels;
  }

  @Override
  public boolean isAlive() {
    return alive;
  }

  void die() {
    alive = false;
    link.close();
    reports.values().forEach(CountDownLatch::countDown);
    reports.clear();
  }

  @Override
  public NodeView view() {
    return new NodeView(id, numbers, labels, alive, asked.size(), bundles);
  }

  @Override
  public NodeInfo info() {
    return new NodeInfo(
        id.toString(),
        alive,
        SettingsTable.shown(reported.total()),
        SettingsTable.shown(reported.available()),
        labels,
        storeCapacityBytes,
        storeUsedBytes);
  }

  @Override
  public void report(CountDownLatch done) {
    if (alive) {
      reports.put(++reportNumber, done);
      send(OwnerToNode.newBuilder().setReport(reportNumber));
    } else {
      done.countDown();
    }
  }

  /** Asks about the name of an actor; answered when this node is the head. */
  void ask(NameRequest request) {
    send(OwnerToNode.newBuilder().setName(request));
  }

  /** Has mail brought to another owner. */
  void send(Mail.Builder mail) {
    send(OwnerToNode.newBuilder().setMail(mail));
  }

  void answer(ObjectsAnswer answer) {
    if (alive) {
      send(OwnerToNode.newBuilder().setDescribed(answer));
    }
  }

  void answer(Explanation answer) {
    if (alive) {
      send(OwnerToNode.newBuilder().setExplained(answer));
    }
  }

  void reported(NodeReport report) {
    reported = WireResources.numbers(report.getNumbers());
    storeUsedBytes = report.getStoreUsedBytes();
    CountDownLatch waiting = reports.remove(report.getNumber());
    if (waiting != null) {
      waiting.countDown();
    }
  }

  /** Takes fresh numbers; older ones than those that are known are dropped. */
  void heard(io.aktis.wire.message.NodeNumbers message) {
    NodeNumbers fresh = WireResources.numbers(message);
    if (fresh.version() >= numbers.version()) {
      numbers = fresh;
      kernel.chooser().changed(this);
    }
  }

  void heard(List<BundleStatus> fresh) {
    bundles = fresh;
    kernel.chooser().changed(this);
  }

  @Override
  public Map<LeaseId, Lease> leases() {
    return leases;
  }

  private void send(OwnerToNode.Builder message) {
    tellIdle(idleNews.take());
    link.send(message.build());
  }

  private void tellIdle(List<LeaseId> idle) {
    for (LeaseId lease : idle) {
      link.send(OwnerToNode.newBuilder().setMarkIdle(WireIds.of(lease)).build());
    }
  }

  // ---- leases ---------------------------------------------------------------------------------

  @Override
  public void ask(OwnerEffect.AskLease ask) {
    asked.put(ask.request().id(), ask.shape());
    RuntimeEnv files = Environments.filesOf(ask.shape().key().process(), kernel.runtimeEnv());
    if (files == null) {
      send(message(ask, null));
      return;
    }
    CompletableFuture<EnvironmentFiles> provided = link.provide(files);
    if (provided.state() == Future.State.SUCCESS) {
      send(message(ask, provided.resultNow()));
    } else {
      CompletableFuture<?> _ =
          provided.whenComplete(
              (found, failure) -> kernel.runOnLoop(() -> provided(ask, found, failure)));
    }
  }

  /** The node has the files that a process needs, or will never have them. On the loop. */
  private void provided(
      OwnerEffect.AskLease ask, @Nullable EnvironmentFiles found, @Nullable Throwable failure) {
    LeaseId lease = ask.request().id();
    if (!alive || !asked.containsKey(lease)) {
      return;
    }
    if (found != null) {
      send(message(ask, found));
      return;
    }
    asked.remove(lease);
    String reason = failure == null ? "unknown" : String.valueOf(failure.getMessage());
    kernel.nodeDesk().cannotStart(this, ask.shape(), lease, reason);
  }

  private static OwnerToNode.Builder message(
      OwnerEffect.AskLease ask, @Nullable EnvironmentFiles files) {
    AskLease.Builder message =
        AskLease.newBuilder()
            .setLease(WireIds.of(ask.request().id()))
            .setDemand(WireResources.of(ask.request().demand()));
    if (ask.request().bundle() != null) {
      message.setBundle(WireIds.of(ask.request().bundle()));
    }
    ProcessNeeds process = ask.shape().key().process();
    if (!process.equals(ProcessNeeds.SHARED)) {
      message.setWorker(key(process, files));
    }
    return OwnerToNode.newBuilder().setAskLease(message);
  }

  /** The files of the session are in the hello of the job. */
  private static WorkerKey.Builder key(ProcessNeeds process, @Nullable EnvironmentFiles files) {
    WorkerKey.Builder key =
        WorkerKey.newBuilder()
            .setIsolated(process.isolated())
            .addAllJvmOptions(process.jvmOptions())
            .putAllEnv(process.variables());
    if (files != null && !process.jars().isEmpty()) {
      key.addAllFiles(files.jars());
    }
    if (files != null
        && files.workingDirectory() != null
        && !process.workingDirectory().isEmpty()) {
      key.setWorkingDirectory(files.workingDirectory());
    }
    return key;
  }

  /** Returns the shape that a lease was asked for, once. */
  @Nullable Shape answered(LeaseId lease) {
    return asked.remove(lease);
  }

  /** Returns what was asked and not answered. */
  Map<LeaseId, Shape> asked() {
    return asked;
  }

  /** A worker serves a lease. */
  void serves(LeaseId lease, RemoteWorker worker) {
    serving.put(lease, worker);
  }

  /** Gives back a lease that nobody wants any more, before any work was sent. */
  void refuse(LeaseId lease) {
    send(OwnerToNode.newBuilder().setGiveBack(WireIds.of(lease)));
  }

  @Override
  public void satisfied(ShapeKey shape) {
    Satisfied.Builder message = Satisfied.newBuilder().setDemand(WireResources.of(shape.demand()));
    if (shape.bundle() != null) {
      message.setBundle(WireIds.of(shape.bundle()));
    }
    send(OwnerToNode.newBuilder().setSatisfied(message));
  }

  @Override
  public void release(Lease lease) {
    RemoteWorker worker = forget(lease);
    if (worker != null && !worker.isGone()) {
      worker.endLease(lease);
    }
    kernel.groups().released(lease.id());
    send(OwnerToNode.newBuilder().setGiveBack(WireIds.of(lease.id())));
  }

  /** Forgets a lease that is no more; returns the worker that served it. */
  @Nullable RemoteWorker forget(Lease lease) {
    idleNews.notIdle(lease.id());
    leases.remove(lease.id());
    return serving.remove(lease.id());
  }

  @Override
  public void markIdle(Lease lease) {
    leases.put(lease.id(), lease);
    kernel.chooser().idle();
    boolean starts = idleNews.idle(lease.id());
    if (starts) {
      tickLater();
    }
    if (kernel.owner().anyoneWaits() || !waiting.isEmpty()) {
      tellIdle(idleNews.take()); // work of this owner may be what the node lets have it
    }
  }

  private void tickLater() {
    kernel.timers().after(IDLE_NEWS_MS, () -> kernel.onLoop(this::tick));
  }

  private void tick() {
    tellIdle(idleNews.tick());
    if (alive && idleNews.isTicking()) {
      tickLater();
    }
  }

  @Override
  public void markBusy(Lease lease) {
    if (idleNews.notIdle(lease.id())) {
      send(OwnerToNode.newBuilder().setMarkBusy(WireIds.of(lease.id())));
    }
  }

  @Override
  public void block(Lease lease) {
    send(OwnerToNode.newBuilder().setBlock(WireIds.of(lease.id())));
  }

  @Override
  public void unblock(Lease lease, Object waiter) {
    waiting.put(++waiterNumber, waiter);
    send(
        OwnerToNode.newBuilder()
            .setUnblock(
                Unblock.newBuilder().setLease(WireIds.of(lease.id())).setWaiter(waiterNumber)));
  }

  /**
   * The conversation with a worker has ended, and its end was not told yet: asks for the end of the
   * process, so that its leases are lost for certain and nothing runs twice.
   */
  void workerSilent(RemoteWorker worker, String reason) {
    if (!alive || worker.isGone()) {
      return;
    }
    for (var entry : serving.entrySet()) {
      if (entry.getValue() == worker) {
        Log.LOG.debug("The connection with {} has ended: {}", worker, reason);
        killWorkerOf(entry.getKey());
        return;
      }
    }
  }

  @Override
  public void killProcess(Lease lease) {
    RemoteWorker worker = worker(lease);
    if (alive && !worker.isGone()) {
      worker.toDie();
      killWorkerOf(lease.id());
    }
  }

  private void killWorkerOf(LeaseId lease) {
    send(OwnerToNode.newBuilder().setKillWorkerOf(WireIds.of(lease)));
  }

  @Nullable Object waiter(long number) {
    return waiting.remove(number);
  }

  /** Returns all that wait to go on; the node is gone, so nothing holds them back. */
  List<Object> takeWaiters() {
    List<Object> all = List.copyOf(waiting.values());
    waiting.clear();
    return all;
  }

  // ---- work -----------------------------------------------------------------------------------

  private RemoteWorker worker(Lease lease) {
    if (lease.slot() instanceof RemoteWorker known) {
      return known;
    }
    RemoteWorker worker = serving.get(lease.id());
    if (worker == null) {
      throw new IllegalStateException(lease + " has no worker");
    }
    lease.slot(worker);
    leases.put(lease.id(), lease);
    return worker;
  }

  @Override
  public void push(Task task, int attempt, Lease lease) {
    RemoteWorker worker = worker(lease);
    Actor actor = task.actor();
    if (actor != null) {
      actor.runner(worker);
    }
    RemoteRun run = worker.begins(task, attempt, lease);
    worker.send(OwnerToWorker.newBuilder().setPush(form.push(run)));
  }

  @Override
  public void pushCall(Actor actor, Task task, int attempt) {
    Lease lease = actor.lease();
    if (lease == null || !(actor.runner() instanceof RemoteWorker worker)) {
      throw new IllegalStateException(actor + " takes no calls now");
    }
    RemoteRun run = worker.begins(task, attempt, lease);
    worker.send(OwnerToWorker.newBuilder().setPush(form.push(run)));
  }

  @Override
  public void recall(Lease lease) {
    worker(lease)
        .send(
            OwnerToWorker.newBuilder()
                .setRecall(Recall.newBuilder().setLease(WireIds.of(lease.id()))));
  }

  @Override
  public void endActor(OwnerEffect.EndActor end) {
    worker(end.lease())
        .send(
            OwnerToWorker.newBuilder().setEndActor(end(end.actor(), end.lease(), end.interrupt())));
  }

  private static EndActor.Builder end(Actor actor, Lease lease, boolean interrupt) {
    return EndActor.newBuilder()
        .setActor(WireIds.of(actor.id()))
        .setLease(WireIds.of(lease.id()))
        .setInterrupt(interrupt);
  }

  @Override
  public void loseActor(Actor actor, Lease lease) {
    worker(lease)
        .send(OwnerToWorker.newBuilder().setEndActor(end(actor, lease, true).setLose(true)));
  }

  @Override
  public void endWork(Lease lease) {
    RemoteWorker worker = worker(lease);
    worker.forget(lease);
    worker.endLease(lease); // its answer, that the lease is idle, gives it back
  }

  @Override
  public void deleteCopy(ObjectId object) {
    send(OwnerToNode.newBuilder().setDeleteObject(WireIds.of(object)));
  }

  /** A group of another owner is used: the node is to report its bundles. */
  void useGroup(GroupId group) {
    send(OwnerToNode.newBuilder().setUseGroup(WireIds.of(group)));
  }

  // ---- placement groups -------------------------------------------------------------------------

  @Override
  public void prepare(PlacementEffect.SendPrepare prepare) {
    Prepare.Builder message =
        Prepare.newBuilder()
            .setGroup(WireIds.of(prepare.group()))
            .setAttempt(prepare.attempt())
            .setHoldMs(prepare.holdMs());
    for (io.aktis.core.lease.Bundle bundle : prepare.bundles()) {
      message.addBundles(
          Bundle.newBuilder()
              .setIndex(bundle.index())
              .setResources(WireResources.of(bundle.resources())));
    }
    send(OwnerToNode.newBuilder().setPrepare(message));
  }

  @Override
  public void commit(PlacementEffect.SendCommit commit) {
    send(
        OwnerToNode.newBuilder()
            .setCommit(
                Commit.newBuilder()
                    .setGroup(WireIds.of(commit.group()))
                    .addAllIndexes(commit.indexes())
                    .setAttempt(commit.attempt())));
  }

  @Override
  public void cancel(PlacementEffect.SendCancel cancel) {
    send(
        OwnerToNode.newBuilder()
            .setCancelBundles(
                CancelBundles.newBuilder()
                    .setGroup(WireIds.of(cancel.group()))
                    .addAllIndexes(cancel.indexes())
                    .setAttempt(cancel.attempt())));
  }

  @Override
  public void remove(PlacementEffect.SendRemove remove) {
    send(OwnerToNode.newBuilder().setRemoveGroup(WireIds.of(remove.group())));
  }

  @Override
  public String toString() {
    return id.toString();
  }
}
