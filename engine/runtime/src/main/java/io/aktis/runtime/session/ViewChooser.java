package io.aktis.runtime.session;

import io.aktis.core.id.NodeId;
import io.aktis.core.owner.FailedStarts;
import io.aktis.core.owner.NodeChooser;
import io.aktis.core.owner.OwnedObject;
import io.aktis.core.owner.ShapeKey;
import io.aktis.core.owner.Task;
import io.aktis.core.schedule.ClusterView;
import io.aktis.core.schedule.Decision;
import io.aktis.core.schedule.PlacementQuery;
import io.aktis.core.schedule.Planner;
import io.aktis.core.schedule.Rejection;
import io.aktis.core.schedule.Strategy;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Chooses nodes on a view of the nodes that is renewed when it is looked at. Confined to the
 * kernel's loop.
 */
final class ViewChooser implements NodeChooser {
  private final Planner planner = new Planner();
  private final Map<NodeId, NodePort> nodes;
  private final Set<NodePort> changed = new LinkedHashSet<>();
  private final FailedStarts failedStarts = new FailedStarts();
  private ClusterView view = ClusterView.EMPTY;
  private long seed;
  private long version;

  ViewChooser(Map<NodeId, NodePort> nodes, long seed) {
    this.nodes = nodes;
    this.seed = seed;
  }

  /** Notes that the ledger of a node has changed. */
  void changed(NodePort node) {
    version++;
    changed.add(node);
  }

  /** Notes that a node remembers one more who was refused. */
  void refused(NodePort node) {
    changed.add(node);
  }

  /** Notes that a lease lies idle, so that asking may lead to its end. */
  void idle() {
    version++;
  }

  @Override
  public long version() {
    return version;
  }

  ClusterView view() {
    for (NodePort node : changed) {
      view = view.with(node.view());
    }
    changed.clear();
    return view;
  }

  @Override
  public Choice choose(ShapeKey key, Task first) {
    seed = seed * 6364136223846793005L + 1442695040888963407L;
    return switch (plan(key, query(key, bytesOf(first)))) {
      case Decision.Place place -> new Choice.Ask(place.node());
      case Decision.Wait wait ->
          new Choice.Busy(wait.reason(), words(wait.rejectedBy()), wait.askAt());
      case Decision.Infeasible never -> new Choice.Never(never.reason(), words(never.rejectedBy()));
      case Decision.NodeGone gone ->
          new Choice.Never(gone.node() + " is gone, and the work may run nowhere else", List.of());
    };
  }

  /** Decides on a node that is well; where only sick ones would do, they are asked again. */
  private Decision plan(ShapeKey key, PlacementQuery query) {
    List<NodeId> sick = sickFor(key);
    Decision decision = planner.plan(query, without(sick, view()));
    return sick.isEmpty() || canBeAsked(decision) ? decision : planner.plan(query, view());
  }

  /** Returns the nodes that could not make the process; work in a group has no choice. */
  private List<NodeId> sickFor(ShapeKey key) {
    return key.strategy() instanceof Strategy.InGroup
        ? List.of()
        : failedStarts.avoided(key.process(), OwnerKernel.nowMs());
  }

  private static ClusterView without(List<NodeId> nodes, ClusterView view) {
    ClusterView rest = view;
    for (NodeId node : nodes) {
      rest = rest.without(node);
    }
    return rest;
  }

  private static boolean canBeAsked(Decision decision) {
    return decision instanceof Decision.Place || decision instanceof Decision.Wait;
  }

  private PlacementQuery query(ShapeKey key, Map<NodeId, Long> bytes) {
    return new PlacementQuery(key.demand(), key.strategy(), key.selector(), bytes, seed);
  }

  /** Returns the nodes that could not make the process that work needs. */
  FailedStarts failedStarts() {
    return failedStarts;
  }

  /** Returns whether there are nodes to ask, now or later, besides those that are avoided. */
  boolean hasOthersFor(ShapeKey key) {
    List<NodeId> sick = sickFor(key);
    return !sick.isEmpty()
        && !failedStarts.isHopeless(key.process(), OwnerKernel.nowMs())
        && canBeAsked(new Planner().plan(query(key, Map.of()), without(sick, view())));
  }

  private Map<NodeId, Long> bytesOf(Task task) {
    if (nodes.size() == 1 || task.arguments().length == 0) {
      return Map.of();
    }
    Map<NodeId, Long> bytes = new LinkedHashMap<>();
    for (OwnedObject argument : task.arguments()) {
      for (NodeId node : argument.nodes()) {
        bytes.merge(node, argument.sizeBytes(), Long::sum);
      }
    }
    return bytes;
  }

  private static List<String> words(List<Rejection> rejections) {
    return rejections.stream().map(Rejection::toString).toList();
  }
}
