package io.aktis.cluster.node;

import io.aktis.cluster.control.ControlBatch;
import io.aktis.cluster.control.ControlStore;
import io.aktis.cluster.control.ControlWriter;
import io.aktis.cluster.control.FencedException;
import io.aktis.cluster.membership.Membership.Member;
import io.aktis.core.head.HeadEffect;
import io.aktis.core.head.HeadEvent;
import io.aktis.core.head.HeadMachine;
import io.aktis.core.head.HeadState;
import io.aktis.core.id.NodeId;
import io.aktis.wire.message.KeptHead;
import io.aktis.wire.message.KeptMember;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node that can be the head: hosts the machine that decides whether it is, claims the control
 * store, and has the jobs while it is. Each time that it becomes the head it begins anew with what
 * the store has. Belongs to the loop, but for what says otherwise; nothing here waits for the store
 * on the loop.
 */
final class HeadDesk {
  /** The members of the cluster, in the control store. */
  static final String MEMBERS = "members";

  /** Who has claimed the store, in the control store: the key is the name. */
  static final String HEAD = "head";

  private static final Logger LOG = LoggerFactory.getLogger(HeadDesk.class);

  private final NodeConfig config;
  private final NodeLoop loop;
  private final ClusterDesk cluster;
  private final HeadParts parts;
  private final LongConsumer onServing;
  private final HeadMachine machine = new HeadMachine();
  private final CompletableFuture<@Nullable Void> settled = new CompletableFuture<>();

  /** Jobs of all times in which this node was the head; those of earlier ones are ending. */
  private final List<JobDesk> desks = new CopyOnWriteArrayList<>();

  private final Map<NodeId, String> written = new LinkedHashMap<>();
  private String problem = "";

  /** Changed on the loop; read from any thread when that is gone. */
  private volatile @Nullable Term term;

  private boolean stopping;

  /** Read by the thread that claims, and changed there. */
  private volatile long founded;

  private volatile String address = "";

  /** What is there while this node is the head. */
  private record Term(long epoch, ControlWriter writer, JobDesk jobs) {}

  /** What a claim has found. */
  private record Found(long epoch, KeptJobs jobs, SortedMap<String, ?> members) {}

  /**
   * Makes one that serves when the members want that.
   *
   * @param onServing hears, on the loop, of the epoch of which this node serves as the head; of 0
   *     when it does not any more
   */
  HeadDesk(
      NodeConfig config,
      NodeLoop loop,
      ClusterDesk cluster,
      HeadParts parts,
      LongConsumer onServing) {
    this.onServing = onServing;
    this.config = config;
    this.loop = loop;
    this.cluster = cluster;
    this.parts = parts;
    this.founded = parts.founded();
  }

  /** Tells the address of the node, before it is a member. Any thread. */
  void nodeIsAt(String advertised) {
    address = advertised;
  }

  /**
   * Returns what is completed when this node is a member and serves as the head, or another one is
   * the head; exceptionally when it has begun the cluster and cannot serve.
   */
  CompletableFuture<@Nullable Void> settled() {
    return settled.copy();
  }

  /** The members have changed, or their order. */
  void membersChanged() {
    if (!stopping) {
      tell(new HeadEvent.Chosen(cluster.isChosen()));
      writeMembers();
    }
    if (cluster.isIn() && (!cluster.isChosen() || cluster.isHead())) {
      settled.complete(null);
    }
  }

  /** Time has passed. */
  void tick() {
    if (!stopping) {
      tell(new HeadEvent.Tick());
    }
    desks.forEach(JobDesk::tick);
  }

  private void tell(HeadEvent event) {
    machine.on(event, loop.nowMs(), this::carryOut);
  }

  private void carryOut(HeadEffect effect) {
    switch (effect) {
      case HeadEffect.Claim(long number) ->
          Thread.ofPlatform().name("aktis-claim").daemon().start(() -> claim(number));
      case HeadEffect.Serve(long epoch) ->
          LOG.info("this node is the head of the cluster, number {} of its heads", epoch);
      case HeadEffect.Resign resign -> resign();
    }
  }

  // ---- becoming the head ----------------------------------------------------------------------

  /** Claims the store and reads what it has; on a thread of its own. */
  private void claim(long number) {
    try {
      long epoch = claimEpoch();
      ControlStore store = parts.store();
      Found found = new Found(epoch, KeptJobs.read(store), store.read(MEMBERS));
      loop.post(() -> claimed(number, found));
    } catch (FencedException e) {
      settled.completeExceptionally(
          new IOException("another node has begun this cluster at the same time; start it again"));
      loop.post(() -> claimFailed(number, String.valueOf(e.getMessage())));
    } catch (IOException | RuntimeException e) {
      if (parts.founded() > 0) {
        settled.completeExceptionally(e); // if it starts just now: nobody else is there to serve
      }
      loop.post(() -> claimFailed(number, WireForms.words(e)));
    }
  }

  private long claimEpoch() throws IOException {
    ControlStore store = parts.store();
    ControlBatch batch =
        new ControlBatch()
            .put(HEAD, HEAD, KeptHead.newBuilder().setNode(config.node().toString()).build());
    if (founded > 0) {
      store.write(founded, batch); // it was claimed when the cluster was begun
      long epoch = founded;
      founded = 0;
      return epoch;
    }
    long seen = store.epoch();
    if (!store.claim(seen, batch)) {
      throw new IOException("another node has claimed the control store at the same time");
    }
    return seen + 1;
  }

  private void claimFailed(long number, String why) {
    if (!why.equals(problem)) {
      LOG.warn("this node cannot serve as the head yet: {}", why);
    }
    problem = why;
    tell(new HeadEvent.ClaimFailed(number));
  }

  private void claimed(long number, Found found) {
    if (stopping) {
      return;
    }
    tell(new HeadEvent.Claimed(number, found.epoch()));
    if (machine.epoch() != found.epoch() || term != null) {
      return; // it is not wanted any more
    }
    problem = "";
    ControlWriter writer =
        new ControlWriter(parts.store(), found.epoch(), () -> loop.post(() -> fenced(found)));
    JobDesk jobs = new JobDesk(config, loop, parts, writer, address, found.jobs());
    desks.add(jobs);
    term = new Term(found.epoch(), writer, jobs);
    cluster.serves(found.epoch());
    onServing.accept(found.epoch());
    ControlBatch old = new ControlBatch();
    found.members().keySet().forEach(node -> old.delete(MEMBERS, node));
    writer.keep(old);
    written.clear();
    writeMembers();
    settled.complete(null);
  }

  /** Whoever starts as the head later finds the members in the store. */
  private void writeMembers() {
    Term now = term;
    if (now == null) {
      return;
    }
    Map<NodeId, String> wanted = new LinkedHashMap<>();
    for (Member member : cluster.members()) {
      wanted.put(member.id(), member.address());
    }
    ControlBatch batch = new ControlBatch();
    written.keySet().stream()
        .filter(node -> !wanted.containsKey(node))
        .forEach(node -> batch.delete(MEMBERS, node.toString()));
    wanted.forEach((node, at) -> {
      if (!at.equals(written.get(node))) {
        batch.put(MEMBERS, node.toString(), KeptMember.newBuilder().setAddress(at).build());
      }
    });
    written.clear();
    written.putAll(wanted);
    now.writer().keep(batch);
  }

  // ---- what the head has ----------------------------------------------------------------------

  /** Returns the jobs, if this node serves as the head. */
  Optional<JobDesk> jobs() {
    return Optional.ofNullable(term).map(Term::jobs);
  }

  /** Returns why this node does not serve as the head although the members have it as that. */
  String problem() {
    if (machine.state() == HeadState.FENCED) {
      return "a later head has claimed the control store "
          + parts.store()
          + ", though it is no member here";
    }
    return problem.isEmpty() ? "it is about to be that" : problem;
  }

  // ---- the end --------------------------------------------------------------------------------

  private void fenced(Found found) {
    tell(new HeadEvent.FencedOff(found.epoch()));
  }

  /** Another head does not know what runs here, so it ends. */
  private void resign() {
    Term old = term;
    if (old == null) {
      return;
    }
    LOG.error("this node is not the head of the cluster any more; its jobs are killed");
    term = null;
    cluster.serves(0);
    onServing.accept(0);
    old.jobs().stopAll(0, () -> desks.remove(old.jobs()));
    Thread.ofPlatform().name("aktis-control-end").daemon().start(old.writer()::close);
  }

  /** Takes no more jobs, and asks all to end; {@code over} is called when they have. */
  void stopJobs(long graceMs, Runnable over) {
    stopping = true;
    if (desks.isEmpty()) {
      over.run();
      return;
    }
    List<JobDesk> all = List.copyOf(desks);
    int[] left = {all.size()};
    all.forEach(desk ->
        desk.stopAll(
            graceMs,
            () -> {
              if (--left[0] == 0) {
                over.run();
              }
            }));
  }

  /**
   * Kills all processes of jobs, when the loop is not there to do it in order. Any thread.
   *
   * @return whether all have ended in time
   */
  boolean killJobs(long timeoutMs) throws InterruptedException {
    boolean ended = true;
    for (JobDesk desk : desks) {
      ended &= desk.killAll(timeoutMs);
    }
    return ended;
  }

  /**
   * Writes what is not written yet; to be called before the node leaves the cluster, for then
   * another one claims the store. Waits; any thread.
   */
  void finish() {
    Term last = term;
    if (last != null) {
      last.writer().close();
    }
  }

  /**
   * Ends what waits for logs, and deletes the files of jobs unless they are to stay. When the loop
   * has ended; any thread.
   */
  void close() {
    desks.forEach(JobDesk::close);
    if (!parts.keepsJobs()) {
      JobDriver.delete(parts.jobsDir());
    }
  }
}
