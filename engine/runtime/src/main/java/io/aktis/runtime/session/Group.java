package io.aktis.runtime.session;

import io.aktis.Bundle;
import io.aktis.ObjectRef;
import io.aktis.PlacementGroup;
import io.aktis.PlacementStrategy;
import io.aktis.SessionClosedException;
import io.aktis.core.id.BundleId;
import io.aktis.core.id.GroupId;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.runtime.form.WireIds;
import io.aktis.runtime.form.WireResources;
import io.aktis.wire.message.GroupDescription;
import java.util.ArrayList;
import java.util.List;

/** A placement group as a process uses it. Thread-safe. */
final class Group implements PlacementGroup {
  private final Kernel kernel;
  private final GroupId id;
  private final String name;
  private final PlacementStrategy strategy;
  private final List<Bundle> bundles;
  private final Cell ready;
  private final long owner;
  private volatile List<String> nodeIds = List.of();
  private volatile List<Integer> lost = List.of();
  private volatile boolean removed;

  /**
   * Makes what stands for a group.
   *
   * @param owner of another job that has made it, 0 for this job
   */
  Group(
      Kernel kernel,
      GroupId id,
      String name,
      PlacementStrategy strategy,
      List<Bundle> bundles,
      Cell ready,
      long owner) {
    this.kernel = kernel;
    this.id = id;
    this.name = name;
    this.strategy = strategy;
    this.bundles = bundles;
    this.ready = ready;
    this.owner = owner;
  }

  /**
   * Returns a group of this kernel's session.
   *
   * @throws SessionClosedException when it belongs to another one
   */
  @SuppressWarnings("ReferenceEquality") // the same kernel, not an equal one
  static Group checked(PlacementGroup group, Kernel kernel) {
    if (group instanceof Group own && own.kernel == kernel) {
      return own;
    }
    throw new SessionClosedException(
        "Placement group "
            + group.id()
            + " belongs to another session, it cannot be used in session "
            + kernel.sessionId()
            + ".");
  }

  /** Returns what other processes need to use it. */
  GroupDescription.Builder description() {
    return GroupDescription.newBuilder()
        .setGroup(WireIds.of(id))
        .setName(name)
        .setStrategy(strategy.name())
        .addAllBundles(bundles.stream().map(Groups::resources).map(WireResources::of).toList())
        .setReady(WireIds.of(ready.object().id()));
  }

  GroupId groupId() {
    return id;
  }

  /** Returns the owner of the other job that has made it, 0 when it was this one. */
  long owner() {
    return owner;
  }

  boolean isForeign() {
    return owner != 0;
  }

  Kernel kernel() {
    return kernel;
  }

  Cell readyCell() {
    return ready;
  }

  boolean isRemoved() {
    return removed;
  }

  void markRemoved() {
    removed = true;
  }

  /** Returns the nodes that were heard of last. */
  List<String> placedOn() {
    return nodeIds;
  }

  void placedOn(List<String> nodes) {
    nodeIds = nodes;
    lost = List.of();
  }

  /** Notes the bundles that are to be placed again. */
  void lost(List<Integer> indexes) {
    List<Integer> all = new ArrayList<>(lost);
    all.addAll(indexes);
    lost = List.copyOf(all);
  }

  /** Returns what has to be placed: everything, or the bundles that were lost. */
  List<BundleId> unplaced() {
    return nodeIds.isEmpty()
        ? List.of(BundleId.any(id))
        : lost.stream().map(index -> new BundleId(id, index)).toList();
  }

  @Override
  public ObjectRef<Void> ready() {
    kernel.session().checkOpen();
    kernel.post(new OwnerEvent.Retained(List.of(ready.object())));
    return new Ref<>(kernel, ready);
  }

  @Override
  public List<Bundle> bundles() {
    return bundles;
  }

  @Override
  public PlacementStrategy strategy() {
    return strategy;
  }

  @Override
  public List<String> nodeIds() {
    return kernel.groupDoor().nodeIds(this);
  }

  @Override
  public String id() {
    return id.toString();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void remove() {
    if (!kernel.session().isClosed()) {
      kernel.groupDoor().remove(this);
    }
  }

  @Override
  public String toString() {
    return "PlacementGroup[" + id() + ", " + strategy + " " + bundles + "]";
  }
}
