package io.aktis.core.lease;

import io.aktis.core.id.BundleId;
import io.aktis.core.id.GroupId;
import io.aktis.core.id.LeaseId;
import io.aktis.core.invariant.Invariant;
import io.aktis.core.resource.Demand;
import io.aktis.core.resource.NodeNumbers;
import io.aktis.core.resource.Resources;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The truth about the resources of one node: who holds what, who waits, what is set aside.
 *
 * <p>Planners choose nodes on views that may be stale; this ledger has the last word and answers a
 * refusal with fresh numbers. It is confined to one caller at a time (the loop of its node), has no
 * clock and no random source, and tells what follows from a call as the value of that call.
 *
 * <h2>Pools</h2>
 *
 * <p>The node is one {@code Pool}, and each bundle of a placement group another, taken out of the
 * node's. A lease takes its {@link Demand#toHold()} from exactly one pool and gives it back there.
 * So there is one rule for leases inside and outside of groups, and one equation: <em>what is free
 * + what leases hold + what bundles hold = total</em>, for each pool and for each GPU.
 *
 * <p>CPU, memory and custom resources are sums. There are no slots of one CPU: two leases of 0.7 on
 * two CPUs leave 0.6. GPUs alone are devices; a fraction lies on one device, the fullest that has
 * room, and more than one means whole devices.
 *
 * <h2>Blocked work</h2>
 *
 * <p>Work that waits in a get or wait gives its CPU back ({@link #block}), and nothing else: its
 * memory and its GPUs are still in use. Otherwise a task that waits for its child would keep the
 * CPU that the child needs, and a full machine would stand still. When the wait is over it takes
 * its CPU again ({@link #unblock}); if there is none it queues, in the order of asking, and
 * <em>nobody who is not in the queue gets CPU of that pool before the queue is empty</em>. New work
 * would otherwise overtake work that holds memory, pins and children for ever. Only the head of the
 * queue is served: a large one at the head is not overtaken by small ones behind it. The queue
 * always moves, since those who hold CPU either end or block themselves. All this holds in a bundle
 * as it does on the node: a blocked task lends its CPU to its own bundle.
 *
 * <h2>Hunger and idle leases</h2>
 *
 * <p>Owners keep a lease for a moment when they have no more work of its shape, since asking again
 * costs a round trip. They say so ({@link #markIdle}), and when another is refused, the refusal
 * names the idle leases that would make room. Who was refused is remembered, and when something
 * becomes free the answer says who should ask again. Both are hints: a lost one costs time, never
 * correctness, and {@link #expire} repeats them.
 *
 * <h2>Bundles</h2>
 *
 * <p>Setting aside has two phases. {@link #prepare} takes bundles from the node for a limited time;
 * {@link #commit} makes them last. What is not committed comes back by itself ({@link #expire}), so
 * a coordinator that is lost cannot leak. Giving up always wins: over prepared bundles, over
 * committed ones with work inside, and over a preparation that is still on its way, which is
 * refused when it comes. Work inside has to end, and its lease keeps its resources, now as a lease
 * of the node, until it is released: a GPU is free when the process is gone and not before.
 *
 * <h2>Repeats</h2>
 *
 * <p>Every call may be repeated, and calls about a lease or bundle that is gone do nothing. A
 * request that is repeated after its lease was released is granted anew; an owner that gets a grant
 * it does not know releases it.
 */
public final class LeaseLedger {
  private final List<String> gpuNames;
  private final Pool node;
  private final LinkedHashMap<LeaseId, Held> leases = new LinkedHashMap<>();
  private final BundleTable bundles = new BundleTable();
  private final HungryQueue hungry = new HungryQueue();
  private long version;

  /**
   * Makes the ledger of a node whose resources are all free.
   *
   * @param total what the node has
   * @param gpuNames a name for each GPU in {@code total}
   */
  public LeaseLedger(Resources total, List<String> gpuNames) {
    if (total.gpuUnits() != gpuNames.size() * Resources.UNITS_PER_ONE) {
      throw new IllegalArgumentException(
          "a node with " + total + " must name each of its gpus; named are " + gpuNames);
    }
    this.gpuNames = List.copyOf(gpuNames);
    this.node = new Pool(null, total, GpuPool.ofDevices(gpuNames.size()));
  }

  /**
   * Takes what {@code request} demands, or tells why not. Work in a group gets the first committed
   * bundle with room.
   */
  public LeaseAnswer request(LeaseRequest request, long nowMs) {
    Held known = leases.get(request.id());
    if (known != null) {
      return granted(known);
    }
    BundleId where = request.bundle();
    if (where != null) {
      return requestIn(bundles.committed(where), request, nowMs);
    }
    Refusal refusal = node.refusal(request.demand());
    return refusal == null
        ? grant(node, request)
        : refuse(request, refusal, idleFor(request.demand().toPlace(), node), nowMs);
  }

  private LeaseAnswer requestIn(List<Pool> pools, LeaseRequest request, long nowMs) {
    Refusal reason = Refusal.NO_BUNDLE;
    List<LeaseId> idle = List.of();
    for (Pool pool : pools) {
      Refusal refusal = pool.refusal(request.demand());
      if (refusal == null) {
        return grant(pool, request);
      }
      reason = reason.isForNow() ? reason : refusal;
      idle = idle.isEmpty() ? idleFor(request.demand().toPlace(), pool) : idle;
    }
    return refuse(request, reason, idle, nowMs);
  }

  private LeaseAnswer grant(Pool pool, LeaseRequest request) {
    GpuSlices slices = pool.take(request.demand().toHold());
    Held held = new Held(request.id(), request.demand(), pool, slices);
    leases.put(request.id(), held);
    hungry.granted(request);
    version++;
    return granted(held);
  }

  private LeaseAnswer granted(Held held) {
    return new LeaseAnswer.Granted(held.id, held.pool.bundle, shares(held.gpus));
  }

  private LeaseAnswer refuse(LeaseRequest request, Refusal reason, List<LeaseId> idle, long nowMs) {
    if (reason.isForNow()) {
      hungry.refused(request, nowMs);
    }
    return new LeaseAnswer.Refused(request.id(), reason, numbers(), idle);
  }

  /** Returns the idle leases whose end would serve {@code need}, after those who resume. */
  private static List<LeaseId> idleFor(Resources need, Pool pool) {
    return pool.resuming.isEmpty() ? pool.idleThatMakeRoomFor(need) : pool.idleThatLetResume();
  }

  /**
   * Notes that {@code owner}, which was refused for this shape, has no work of it left: nobody
   * needs to be told, and idle leases need not be given back for it.
   */
  public void satisfied(long owner, Demand demand, @Nullable BundleId bundle) {
    hungry.satisfied(owner, demand, bundle);
  }

  /** Gives back all that {@code lease} holds: its work has ended. */
  public Freed release(LeaseId lease) {
    Held held = leases.remove(lease);
    if (held == null) {
      return Freed.NOTHING;
    }
    leave(held);
    if (held.holdsCpu()) {
      held.pool.give(held.demand.toHold(), held.gpus);
    } else {
      held.pool.giveRest(held.demand.toHold(), held.gpus);
    }
    version++;
    return settle(held.pool);
  }

  /** Takes {@code held} out of the queue or cache that its state stands for. */
  private static void leave(Held held) {
    switch (held.state) {
      case IDLE -> held.pool.idle.remove(held.id);
      case RESUMING -> held.pool.resuming.remove(held);
      case BUSY, BLOCKED -> {}
    }
  }

  /** Lends out the CPU of {@code lease}, whose work waits in a get or wait. */
  public Freed block(LeaseId lease) {
    Held held = leases.get(lease);
    if (held == null || held.state == LeaseStatus.State.BLOCKED) {
      return Freed.NOTHING;
    }
    leave(held);
    if (held.holdsCpu()) {
      held.pool.giveCpu(held.cpuUnits());
    }
    held.state = LeaseStatus.State.BLOCKED;
    version++;
    return settle(held.pool);
  }

  /** Takes the CPU of {@code lease} again, at once or when its turn comes. */
  public Unblocked unblock(LeaseId lease) {
    Held held = leases.get(lease);
    if (held == null) {
      return Unblocked.UNKNOWN;
    }
    if (held.holdsCpu()) {
      return Unblocked.RESUMED;
    }
    Pool pool = held.pool;
    if (held.state == LeaseStatus.State.BLOCKED) {
      pool.resuming.addLast(held);
      held.state = LeaseStatus.State.RESUMING;
    }
    version++;
    List<LeaseId> resumed = pool.resume();
    // Nobody was ready to go on before this call, so it is this lease or none.
    Invariant.check(resumed.isEmpty() || resumed.equals(List.of(lease)), "the queue moves", lease);
    return resumed.isEmpty()
        ? new Unblocked(Unblocked.Outcome.QUEUED, pool.idleThatLetResume())
        : Unblocked.RESUMED;
  }

  /**
   * Notes that the owner of {@code lease} has no work for it at the moment and keeps it for reuse.
   *
   * @return whether somebody waits for what it may hold, so that it should be given back at once
   */
  public boolean markIdle(LeaseId lease) {
    Held held = leases.get(lease);
    if (held == null || held.ending || held.state != LeaseStatus.State.BUSY) {
      return held != null && held.ending;
    }
    held.state = LeaseStatus.State.IDLE;
    held.pool.idle.put(lease, held);
    return !held.pool.resuming.isEmpty() || hungry.waitsFor(held.pool);
  }

  /** Notes that {@code lease} has work again. */
  public void markBusy(LeaseId lease) {
    Held held = leases.get(lease);
    if (held != null && held.state == LeaseStatus.State.IDLE) {
      held.pool.idle.remove(lease);
      held.state = LeaseStatus.State.BUSY;
    }
  }

  /**
   * Forgets what {@code owner} waits for, since it is gone. None of its work that is blocked goes
   * on from here, not even when its other leases are released.
   *
   * @return its leases: their work has to be ended, and each is held until it is released
   */
  public List<LeaseId> forget(long owner) {
    hungry.forget(owner);
    List<LeaseId> result = new ArrayList<>();
    for (Held held : leases.values()) {
      if (held.id.owner() == owner) {
        result.add(held.id);
        if (held.state == LeaseStatus.State.RESUMING) {
          held.pool.resuming.remove(held);
          held.state = LeaseStatus.State.BLOCKED;
        }
      }
    }
    return result;
  }

  /** Serves those who wait for {@code pool}, in which something became free. */
  private Freed settle(Pool pool) {
    if (pool.resuming.isEmpty() && hungry.isEmpty()) {
      return Freed.NOTHING;
    }
    return freed(pool.resume(), hungry.tell(pool));
  }

  private static Freed freed(List<LeaseId> resumed, List<Hungry> tryAgain) {
    return resumed.isEmpty() && tryAgain.isEmpty() ? Freed.NOTHING : new Freed(resumed, tryAgain);
  }

  /**
   * Sets bundles of a placement group aside, all or none.
   *
   * @param attempt counts the attempts of the group's coordinator, upwards
   * @param expiresAtMs when they come back unless they are committed
   */
  public PrepareAnswer prepare(
      GroupId group, int attempt, List<Bundle> wanted, long expiresAtMs, long nowMs) {
    Refusal closed = bundles.closedTo(group, attempt, wanted);
    if (closed != null) {
      return refusePrepare(group, attempt, closed, Resources.NONE);
    }
    List<Bundle> missing = new ArrayList<>();
    Resources sum = Resources.NONE;
    for (Bundle bundle : wanted) {
      if (bundles.slot(group, bundle.index()) == null) {
        missing.add(bundle);
        sum = sum.plus(bundle.resources());
      }
    }
    List<BundleTable.Slot> slots = new ArrayList<>();
    for (Bundle bundle : missing) {
      Refusal refusal =
          sum.fitsIn(node.total) ? node.refusal(Demand.of(bundle.resources())) : Refusal.INFEASIBLE;
      if (refusal != null) {
        slots.forEach(this::giveBack);
        return refusePrepare(group, attempt, refusal, sum);
      }
      slots.add(setAside(new BundleId(group, bundle.index()), bundle, attempt, expiresAtMs));
    }
    for (int i = 0; i < slots.size(); i++) {
      bundles.put(group, missing.get(i).index(), slots.get(i), nowMs);
    }
    version++;
    List<Integer> indexes = wanted.stream().map(Bundle::index).toList();
    return new PrepareAnswer.Prepared(group, indexes, attempt, numbers());
  }

  private PrepareAnswer refusePrepare(GroupId group, int attempt, Refusal reason, Resources sum) {
    List<LeaseId> idle = reason.isForNow() ? idleFor(sum, node) : List.of();
    return new PrepareAnswer.Refused(group, attempt, reason, numbers(), idle);
  }

  private BundleTable.Slot setAside(BundleId id, Bundle bundle, int attempt, long expiresAtMs) {
    GpuSlices slices = node.take(bundle.resources());
    Pool pool = new Pool(id, bundle.resources(), node.gpus.ofSlices(slices));
    return new BundleTable.Slot(pool, slices, attempt, expiresAtMs);
  }

  private void giveBack(BundleTable.Slot slot) {
    node.giveFreeOf(slot.pool);
  }

  /**
   * Makes prepared bundles last.
   *
   * @return false, with nothing changed, when one of them is not here: it expired, was cancelled,
   *     or never came
   */
  public boolean commit(GroupId group, List<Integer> indexes, int attempt) {
    for (int index : indexes) {
      BundleTable.Slot slot = bundles.slot(group, index);
      if (slot == null || slot.attempt != attempt) {
        return false;
      }
    }
    for (int index : indexes) {
      BundleTable.Slot slot = bundles.slot(group, index);
      if (slot != null) {
        slot.committed = true;
      }
    }
    return true;
  }

  /**
   * Gives up these bundles as far as {@code attempt} or an earlier one brought them, prepared or
   * committed; preparations of theirs that are still on their way will be refused.
   */
  public Returned cancel(GroupId group, List<Integer> indexes, int attempt, long nowMs) {
    return giveUp(bundles.close(group, indexes, attempt, nowMs));
  }

  /** Gives up all bundles of {@code group}, now and for good. */
  public Returned remove(GroupId group, long nowMs) {
    return giveUp(bundles.remove(group, nowMs));
  }

  /**
   * Gives up what was not committed in time, and tells again who should try again. To be called at
   * {@link #nextExpiryMs} and, for the reminders, every second or so.
   */
  public Returned expire(long nowMs) {
    Returned returned = giveUp(bundles.expire(nowMs));
    if (hungry.isEmpty()) {
      return returned;
    }
    List<Hungry> tryAgain = new ArrayList<>(returned.freed().tryAgain());
    tryAgain.addAll(hungry.tell(node));
    for (BundleTable.Slot slot : bundles.slots()) {
      tryAgain.addAll(hungry.tell(slot.pool));
    }
    return new Returned(returned.toEnd(), freed(returned.freed().resumed(), tryAgain));
  }

  /** Returns when {@link #expire} has something to do; {@link Long#MAX_VALUE} for never. */
  public long nextExpiryMs() {
    return bundles.nextExpiryMs();
  }

  private Returned giveUp(List<BundleTable.Slot> slots) {
    if (slots.isEmpty()) {
      return Returned.NOTHING;
    }
    List<LeaseId> toEnd = new ArrayList<>();
    List<Hungry> tryAgain = new ArrayList<>();
    for (BundleTable.Slot slot : slots) {
      giveBack(slot);
      toEnd.addAll(moveLeases(slot.pool));
      tryAgain.addAll(hungry.giveUp(slot.pool));
    }
    version++;
    List<LeaseId> resumed = node.resume();
    tryAgain.addAll(hungry.tell(node));
    return new Returned(toEnd, freed(resumed, tryAgain));
  }

  /** Makes the leases in {@code from}, whose bundle is gone, leases of the node that must end. */
  private List<LeaseId> moveLeases(Pool from) {
    List<LeaseId> moved = new ArrayList<>();
    for (Held held : leases.values()) {
      if (held.pool == from) {
        held.pool = node;
        held.ending = true;
        held.state = held.state == LeaseStatus.State.IDLE ? LeaseStatus.State.BUSY : held.state;
        moved.add(held.id);
      }
    }
    node.resuming.addAll(from.resuming);
    from.resuming.clear();
    from.idle.clear();
    return moved;
  }

  /** Returns what the node has. */
  public Resources total() {
    return node.total;
  }

  /** Returns what of the node is neither leased nor in a bundle. */
  public Resources available() {
    return node.available();
  }

  /**
   * Returns what is free once idle leases are reclaimed: what people mean by free, since an owner
   * gives those back when they are asked for.
   */
  public Resources availableWithIdle() {
    Resources free = node.available();
    for (Held held : node.idle.values()) {
      free = free.plus(held.demand.toHold());
    }
    return free;
  }

  /** Returns the figures that planners see of this node. */
  public NodeNumbers numbers() {
    return node.numbers(version);
  }

  /** Returns who waits for free resources, in the order of asking. */
  public List<Hungry> hungry() {
    return hungry.list();
  }

  /** Returns all bundles that are here. */
  public List<BundleStatus> bundles() {
    return bundles.statuses();
  }

  /** Returns all leases, in the order of granting. */
  public List<LeaseStatus> leases() {
    List<LeaseStatus> all = new ArrayList<>(leases.size());
    for (Held held : leases.values()) {
      all.add(
          new LeaseStatus(
              held.id, held.demand, held.pool.bundle, held.state, held.ending, shares(held.gpus)));
    }
    return all;
  }

  private List<GpuShare> shares(GpuSlices slices) {
    if (slices.count() == 0) {
      return List.of();
    }
    List<GpuShare> shares = new ArrayList<>(slices.count());
    for (int i = 0; i < slices.count(); i++) {
      shares.add(new GpuShare(gpuNames.get(slices.device(i)), slices.unitsEach()));
    }
    return shares;
  }

  /**
   * Checks every rule of the ledger; for tests and diagnosis, its cost grows with the number of
   * leases.
   */
  public void validate() {
    new Audit(node, List.copyOf(leases.values()), bundles.slots()).run();
  }
}
