package io.aktis.runtime.session;

import io.aktis.Bundle;
import io.aktis.PendingWork;
import io.aktis.PlacementGroup;
import io.aktis.PlacementGroupRemovedException;
import io.aktis.PlacementStrategy;
import io.aktis.core.id.BundleId;
import io.aktis.core.id.GroupId;
import io.aktis.core.id.LeaseId;
import io.aktis.core.id.NodeId;
import io.aktis.core.name.Name;
import io.aktis.core.owner.FailureKind;
import io.aktis.core.owner.Lease;
import io.aktis.core.owner.Outcome;
import io.aktis.core.owner.OwnedObject;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.core.placement.GroupSpec;
import io.aktis.core.placement.GroupStatus;
import io.aktis.core.placement.PlacementEffect;
import io.aktis.core.placement.PlacementEvent;
import io.aktis.core.placement.PlacementLimits;
import io.aktis.core.placement.PlacementMachine;
import io.aktis.core.placement.PlacementState;
import io.aktis.core.resource.Resources;
import io.aktis.runtime.form.WireIds;
import io.aktis.runtime.form.WireResources;
import io.aktis.wire.message.CreateGroup;
import io.aktis.wire.message.NameReply;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The placement groups of a session: hosts their machine, which in a cluster lives in the head, and
 * carries out its effects on the ledgers of the virtual nodes. The machine is confined to the
 * kernel's loop; {@link #create}, {@link #find} and {@link #remove} may be called from any thread.
 */
final class Groups implements GroupDoor {
  private static final long END_TIMEOUT_MS = 10_000;

  private final OwnerKernel kernel;
  private final PlacementMachine machine;
  private final Map<GroupId, Group> groups = new ConcurrentHashMap<>();
  private final Map<String, Group> named = new ConcurrentHashMap<>();

  /** All that somebody may still have a hold of. */
  private final Map<GroupId, WeakReference<Group>> known = new ConcurrentHashMap<>();

  private final Map<GroupId, CountDownLatch> removals = new ConcurrentHashMap<>();

  /** Leases of removed groups whose work has not ended yet. */
  private final Map<LeaseId, GroupId> ending = new LinkedHashMap<>();

  private final ArrayDeque<PlacementEvent> followUps = new ArrayDeque<>();
  private final AtomicLong groupNumber = new AtomicLong();
  private boolean running;

  Groups(OwnerKernel kernel, long infeasibleGraceMs) {
    this.kernel = kernel;
    PlacementLimits usual = PlacementLimits.DEFAULT;
    this.machine =
        new PlacementMachine(
            new PlacementLimits(
                usual.answerMs(),
                usual.holdMs(),
                usual.firstRetryMs(),
                usual.lastRetryMs(),
                usual.replanMs(),
                infeasibleGraceMs));
  }

  // ---- any thread -----------------------------------------------------------------------------

  @Override
  public PlacementGroup create(
      PlacementStrategy strategy, List<Bundle> bundles, @Nullable String given, boolean detached) {
    return create(message(strategy, bundles, given, detached), detached);
  }

  static CreateGroup message(
      PlacementStrategy strategy, List<Bundle> bundles, @Nullable String given, boolean detached) {
    CreateGroup.Builder create =
        CreateGroup.newBuilder()
            .setStrategy(strategy.name())
            .setName(given == null ? "" : given)
            .setDetached(detached);
    for (Bundle bundle : bundles) {
      create.addBundles(WireResources.of(resources(bundle)));
    }
    return create.build();
  }

  /**
   * Creates a group; waits when others have to be asked about its name, or have to make it. Not on
   * the loop.
   *
   * @param outlives whether it is to outlive this job, where that is possible
   * @throws IllegalArgumentException when the name is taken
   */
  Group create(CreateGroup create, boolean outlives) {
    if (outlives && kernel.hasOtherJobs() && kernel.otherJobs().keepers().canKeep()) {
      checkFree(create.getName()); // before a process is started for it
      return kernel.otherJobs().keepers().createGroup(create);
    }
    PlacementStrategy strategy = PlacementStrategy.valueOf(create.getStrategy());
    List<Bundle> bundles = create.getBundlesList().stream().map(WorkerGroups::bundle).toList();
    GroupId id = new GroupId(kernel.ownerNumber(), groupNumber.incrementAndGet());
    String name = create.getName();
    Cell ready = new Cell();
    OwnedObject object = new OwnedObject(kernel.nextId().result(0), null, ready);
    ready.object(object);
    Group group = new Group(kernel, id, name, strategy, bundles, ready, 0);
    if (!name.isEmpty()) {
      claim(name, group);
    }
    groups.put(id, group);
    known.values().removeIf(reference -> reference.get() == null);
    known.put(id, new WeakReference<>(group));
    List<io.aktis.core.lease.Bundle> numbered = new ArrayList<>();
    for (Bundle bundle : bundles) {
      numbered.add(new io.aktis.core.lease.Bundle(numbered.size(), resources(bundle)));
    }
    GroupSpec spec =
        new GroupSpec(
            name,
            io.aktis.core.placement.PlacementStrategy.valueOf(strategy.name()),
            numbered,
            kernel.ownerNumber(),
            outlives);
    kernel.onLoop(() -> {
      tellNodes();
      handle(new PlacementEvent.Create(id, spec, OwnerKernel.nowMs()));
    });
    return group;
  }

  private void claim(String name, Group group) {
    boolean free = named.putIfAbsent(name, group) == null;
    if (free && kernel.hasOtherJobs()) {
      free = false;
      try {
        long number = group.groupId().number();
        free = kernel.otherJobs().names().claim(shared(name), number).getDone();
      } finally {
        if (!free) {
          named.remove(name, group);
        }
      }
    }
    if (!free) {
      throw nameIsTaken(name);
    }
  }

  private void checkFree(String name) {
    if (kernel.otherJobs().names().find(shared(name)).hasHolder()) {
      throw nameIsTaken(name);
    }
  }

  private static IllegalArgumentException nameIsTaken(String name) {
    return new IllegalArgumentException("there is a placement group named '" + name + "' already");
  }

  private Name shared(String name) {
    return new Name(Name.Kind.PLACEMENT_GROUP, kernel.session().namespace(), name);
  }

  static Resources resources(Bundle bundle) {
    return Resources.of(bundle.cpus(), bundle.gpus(), bundle.memoryBytes(), bundle.resources());
  }

  @Override
  public Group find(String name) {
    Objects.requireNonNull(name, "the name must not be null");
    Group group = named.get(name);
    if (group != null) {
      return group;
    }
    List<String> elsewhere = List.of();
    if (kernel.hasOtherJobs()) {
      NameReply reply = kernel.otherJobs().names().find(shared(name));
      Group foreign = elsewhere(reply);
      if (foreign != null) {
        return foreign;
      }
      elsewhere = reply.getAbsent().getElsewhereList();
    }
    throw new IllegalArgumentException(
        "there is no placement group named '"
            + name
            + "' in namespace '"
            + kernel.session().namespace()
            + "'"
            + (elsewhere.isEmpty() ? "" : "; the name exists in " + elsewhere));
  }

  /** Returns a group of another job that the head has found; {@code null} when it is gone. */
  private @Nullable Group elsewhere(NameReply reply) {
    if (!reply.hasHolder() || reply.getHolder().getOwner() == kernel.ownerNumber()) {
      return null; // one of this job is about to go, and its name about to be free
    }
    try {
      return kernel
          .otherJobs()
          .groups()
          .use(reply.getHolder().getOwner(), WireIds.group(reply.getHolder().getId()));
    } catch (PlacementGroupRemovedException e) {
      Log.LOG.debug("A placement group has gone since it was found.", e);
      return null;
    }
  }

  @Override
  public void remove(Group group) {
    if (group.isForeign()) {
      kernel.otherJobs().groups().remove(group);
      return;
    }
    if (!groups.containsKey(group.groupId())) {
      return;
    }
    CountDownLatch gone = removals.computeIfAbsent(group.groupId(), id -> new CountDownLatch(1));
    kernel.onLoop(() -> handle(new PlacementEvent.Remove(group.groupId(), OwnerKernel.nowMs())));
    Waits waits = kernel.session().waits();
    waits.lending(
        waits.currentRun(),
        List::of,
        () -> {
          if (!gone.await(END_TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
            Log.LOG.warn(
                "Placement group {} is removed, but work in it ignores its interrupt.", group);
          }
        });
  }

  @Override
  public List<String> nodeIds(Group group) {
    return group.isForeign() ? kernel.otherJobs().groups().nodeIds(group) : group.placedOn();
  }

  /** Returns a group that this session has made or uses, also one that was removed. */
  @Nullable Group known(GroupId id) {
    WeakReference<Group> group = known.get(id);
    if (group == null && kernel.hasOtherJobs()) {
      return kernel.otherJobs().groups().known(id);
    }
    return group == null ? null : group.get();
  }

  /** Tells whether there is any group of this session. */
  boolean any() {
    return !groups.isEmpty();
  }

  /**
   * Returns the group of that id.
   *
   * @throws IllegalArgumentException when nobody knows it
   */
  Group find(GroupId id) {
    Group group = known(id);
    if (group == null) {
      throw new IllegalArgumentException("there is no placement group " + id);
    }
    return group;
  }

  // ---- the loop -------------------------------------------------------------------------------

  /** Something became free somewhere. */
  void roomMade() {
    if (machine.anyWaits()) {
      tellNodes();
      drain();
    }
  }

  private void tellNodes() {
    long nowMs = OwnerKernel.nowMs();
    kernel
        .chooser()
        .view()
        .nodes()
        .forEach(node -> followUps.add(new PlacementEvent.NodeChanged(node, nowMs)));
  }

  void nodeLost(NodePort node) {
    handle(new PlacementEvent.NodeLost(node.id(), OwnerKernel.nowMs()));
  }

  void jobEnded() {
    for (Group group : new ArrayList<>(groups.values())) {
      handle(new PlacementEvent.Remove(group.groupId(), OwnerKernel.nowMs()));
    }
  }

  List<PendingWork> pending() {
    List<PendingWork> waiting = new ArrayList<>();
    for (GroupStatus group : machine.groups()) {
      if (group.state() != PlacementState.CREATED) {
        waiting.add(new PendingWork("placement group " + group.spec(), 1, group.waitsFor()));
      }
    }
    return waiting;
  }

  /** Says how a group of this session is that is not placed, or is; empty when there is none. */
  List<String> why(GroupId id) {
    for (GroupStatus group : machine.groups()) {
      if (group.id().equals(id)) {
        List<String> lines = new ArrayList<>();
        lines.add(id + " " + group.spec() + " is " + group.state());
        if (!group.waitsFor().isEmpty()) {
          lines.add("  " + group.waitsFor());
        }
        group
            .placed()
            .forEach((index, place) -> lines.add("  bundle " + index + " is on " + place.node()));
        return lines;
      }
    }
    return List.of();
  }

  void validate() {
    machine.validate();
  }

  private void handle(PlacementEvent event) {
    followUps.add(event);
    drain();
  }

  /** Handles events one after the other; effects may add more. */
  private void drain() {
    if (running) {
      return;
    }
    running = true;
    try {
      for (PlacementEvent next = followUps.poll(); next != null; next = followUps.poll()) {
        machine.on(next, this::carryOut);
      }
    } finally {
      running = false;
    }
  }

  private void carryOut(PlacementEffect effect) {
    switch (effect) {
      case PlacementEffect.SendPrepare prepare -> prepare(prepare);
      case PlacementEffect.SendCommit commit -> commit(commit);
      case PlacementEffect.SendCancel cancel -> {
        NodePort node = kernel.findNode(cancel.node());
        if (node != null) {
          node.cancel(cancel);
        }
      }
      case PlacementEffect.SendRemove remove -> {
        NodePort node = kernel.findNode(remove.node());
        if (node != null) {
          node.remove(remove);
        }
      }
      case PlacementEffect.TellReady ready -> ready(ready);
      case PlacementEffect.TellLost lost -> lost(lost);
      case PlacementEffect.TellInfeasible never -> infeasible(never);
      case PlacementEffect.TellRemoved removed -> removed(removed.group());
      case PlacementEffect.SetTimer timer ->
          kernel
              .timers()
              .after(
                  Math.max(1, timer.atMs() - OwnerKernel.nowMs()),
                  () ->
                      kernel.onLoop(() ->
                          handle(new PlacementEvent.Timer(timer.key(), OwnerKernel.nowMs()))));
      case PlacementEffect.Save _, PlacementEffect.Erase _ -> {} // lives and dies with the JVM
    }
  }

  private void prepare(PlacementEffect.SendPrepare prepare) {
    NodePort node = kernel.findNode(prepare.node());
    if (node == null) {
      answer(new PlacementEvent.NodeLost(prepare.node(), OwnerKernel.nowMs()));
    } else {
      node.prepare(prepare);
    }
  }

  private void commit(PlacementEffect.SendCommit commit) {
    NodePort node = kernel.findNode(commit.node());
    if (node == null) {
      answer(
          new PlacementEvent.Committed(
              commit.node(), commit.group(), commit.attempt(), false, OwnerKernel.nowMs()));
    } else {
      node.commit(commit);
    }
  }

  /** A node answers; at once, or later. */
  void answer(PlacementEvent event) {
    handle(event);
  }

  /** Ends the work of a lease in a bundle that was given up. */
  void endLease(NodePort node, Lease lease) {
    if (lease.bundle() != null) {
      ending.put(lease.id(), lease.bundle().group());
    }
    new LeaseEnd(kernel, node, lease)
        .carryOut(
            Outcome.Failure.of(
                FailureKind.GROUP_REMOVED,
                "The placement group in which the work ran was removed."));
  }

  private void ready(PlacementEffect.TellReady ready) {
    Group group = groups.get(ready.group());
    if (group == null) {
      return;
    }
    group.placedOn(ready.nodes().values().stream().map(NodeId::toString).toList());
    settle(group, new Outcome.Inline(SharedValue.NULL, List.of()));
    kernel.follow(new OwnerEvent.TryAgain());
  }

  /** Tells those who wait for a group to be ready, unless that is told. */
  void settle(Group group, Outcome outcome) {
    if (group.readyCell().outcome() == null) {
      kernel.follow(new OwnerEvent.Put(group.readyCell().object(), outcome));
    }
  }

  /** A group is no more, of this job or another: what waits for it, or in it, fails. */
  void end(Group group, Outcome.Failure failure) {
    group.markRemoved();
    settle(group, failure);
    kernel.follow(new OwnerEvent.GroupGone(BundleId.any(group.groupId()), failure));
  }

  /** What has no place will never have one: it fails, and so does the work that waits for it. */
  private void infeasible(PlacementEffect.TellInfeasible never) {
    Group group = groups.get(never.group());
    if (group == null) {
      return;
    }
    Outcome.Failure failure =
        Outcome.Failure.of(
            FailureKind.INFEASIBLE,
            "Placement group " + never.group() + " can never be reserved: " + never.reason());
    settle(group, failure);
    List<BundleId> unplaced = group.unplaced();
    for (BundleId bundle : unplaced) {
      kernel.follow(new OwnerEvent.GroupGone(bundle, failure));
    }
    if (kernel.hasOtherJobs()) {
      kernel.otherJobs().groupUsers().infeasible(never.group(), unplaced, failure);
    }
  }

  private void lost(PlacementEffect.TellLost lost) {
    Group group = groups.get(lost.group());
    if (group != null) {
      group.lost(lost.indexes());
    }
  }

  private void removed(GroupId id) {
    Group group = groups.remove(id);
    if (group != null) {
      Outcome.Failure failure =
          Outcome.Failure.of(FailureKind.GROUP_REMOVED, "Placement group " + id + " was removed.");
      end(group, failure);
      named.remove(group.name(), group);
      if (kernel.hasOtherJobs()) {
        tellOthers(group, failure);
      }
    }
    tellIfFree(id);
  }

  private void tellOthers(Group group, Outcome.Failure failure) {
    kernel.otherJobs().groupUsers().removed(group.groupId(), failure);
    if (!group.name().isEmpty()) {
      kernel.otherJobs().names().forget(shared(group.name()), group.groupId().number(), () -> {});
    }
  }

  /** A lease is released: tells those who wait for the end of its group. */
  void released(LeaseId lease) {
    GroupId group = ending.remove(lease);
    if (group != null) {
      tellIfFree(group);
    }
  }

  private void tellIfFree(GroupId id) {
    if (groups.containsKey(id) || ending.containsValue(id)) {
      return;
    }
    CountDownLatch waiting = removals.remove(id);
    if (waiting != null) {
      waiting.countDown();
    }
  }
}
