package io.aktis.core.placement;

import io.aktis.core.id.GroupId;
import io.aktis.core.id.NodeId;
import io.aktis.core.invariant.Invariant;
import io.aktis.core.lease.Bundle;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One placement group in its machine. */
final class Group {
  final GroupId id;
  final GroupSpec spec;

  /** The bundles that are committed, by index. */
  final TreeMap<Integer, BundlePlace> placed = new TreeMap<>();

  /** By index, how many reports of the bundle's node in a row did not name it. */
  final TreeMap<Integer, Integer> missed = new TreeMap<>();

  /** What the nodes of the attempt under way were asked for; empty when there is none. */
  final TreeMap<NodeId, Part> parts = new TreeMap<>();

  PlacementState state = PlacementState.TABLE.start();

  /** Whether it was ever ready. */
  boolean created;

  int attempt;

  /** Attempts that failed in a row. */
  int failures;

  long retryAtMs = Long.MIN_VALUE;

  /** Whether the last plan found it infeasible. */
  boolean infeasible;

  /** Counts the times that it became infeasible. */
  int graceRound;

  boolean graceOver;

  String waitsFor = "";

  /** What one node was asked for. */
  static final class Part {
    final List<Bundle> bundles = new ArrayList<>();
    boolean prepared;
    boolean committed;

    List<Integer> indexes() {
      return bundles.stream().map(Bundle::index).toList();
    }
  }

  Group(GroupId id, GroupSpec spec) {
    this.id = id;
    this.spec = spec;
  }

  static Group restored(GroupRecord saved) {
    Group group = new Group(saved.id(), saved.spec());
    group.created = saved.created();
    group.attempt = saved.attempt();
    group.placed.putAll(saved.placed());
    boolean whole = group.placed.size() == group.spec.bundles().size();
    group.state =
        whole
            ? PlacementState.CREATED
            : group.created ? PlacementState.RESCHEDULING : PlacementState.PENDING;
    return group;
  }

  void step(PlacementStep step) {
    state = PlacementState.TABLE.next(state, step);
  }

  /**
   * Returns the part of {@code node} in the attempt under way, or null: late messages have none.
   */
  @Nullable Part part(NodeId node, int ofAttempt) {
    return ofAttempt == attempt ? parts.get(node) : null;
  }

  boolean isAt(int index, NodeId node, int ofAttempt) {
    return new BundlePlace(node, ofAttempt).equals(placed.get(index));
  }

  SortedMap<Integer, NodeId> nodes() {
    SortedMap<Integer, NodeId> nodes = new TreeMap<>();
    placed.forEach((index, place) -> nodes.put(index, place.node()));
    return nodes;
  }

  List<Integer> indexesOn(NodeId node) {
    List<Integer> indexes = new ArrayList<>();
    placed.forEach((index, place) -> {
      if (place.node().equals(node)) {
        indexes.add(index);
      }
    });
    return indexes;
  }

  GroupRecord toRecord() {
    return new GroupRecord(id, spec, created, attempt, placed);
  }

  GroupStatus toStatus() {
    return new GroupStatus(id, spec, state, waitsFor, placed);
  }

  void validate() {
    int inParts = parts.values().stream().mapToInt(part -> part.bundles.size()).sum();
    int bundles = spec.bundles().size();
    Invariant.check(created || placed.isEmpty(), "the first placement is all or nothing", id);
    Invariant.check(state.isInFlight() != parts.isEmpty(), "parts mean an attempt", id);
    Invariant.check(
        !state.isInFlight() || placed.size() + inParts == bundles, "an attempt is complete", id);
    switch (state) {
      case PENDING -> Invariant.check(!created, "a created group is not pending", id);
      case RESCHEDULING ->
          Invariant.check(created && placed.size() < bundles, "something is lost", id);
      case CREATED ->
          Invariant.check(created && placed.size() == bundles, "all bundles lie somewhere", id);
      case COMMITTING ->
          Invariant.check(
              parts.values().stream().allMatch(part -> part.prepared), "all prepared", id);
      case RESERVING -> {}
      case REMOVED -> Invariant.check(false, "a removed group is not in the table", id);
    }
  }
}
