package io.aktis.core.schedule;

import io.aktis.core.id.BundleId;
import io.aktis.core.id.NodeId;
import io.aktis.core.lease.BundleStatus;
import io.aktis.core.resource.Resources;
import java.util.ArrayList;
import java.util.List;

/**
 * The choice among the nodes that hold bundles of one group: where the data is, then the emptiest
 * bundle. Which bundle of the node it becomes is up to the ledger there.
 */
final class GroupChoice {
  private final PlacementQuery query;
  private final BundleId where;
  private final ClusterView view;
  private final List<NodeView> free = new ArrayList<>();
  private final List<NodeView> feasible = new ArrayList<>();
  private final Story story = new Story();
  private boolean seen;

  GroupChoice(PlacementQuery query, BundleId where, ClusterView view) {
    this.query = query;
    this.where = where;
    this.view = view;
  }

  Decision decide() {
    view.nodes().forEach(this::sort);
    if (!free.isEmpty()) {
      return new Decision.Place(choose().id());
    }
    if (!feasible.isEmpty()) {
      List<NodeId> askAt = Planner.askAt(query, feasible);
      return new Decision.Wait(reason(), story.rejectedBy(), askAt);
    }
    return seen
        ? new Decision.Infeasible(reason(), story.rejectedBy())
        : new Decision.Wait(where + " is not placed yet", story.rejectedBy(), List.of());
  }

  private String reason() {
    return story.reason(query.demand() + " in " + where);
  }

  private void sort(NodeView node) {
    if (!node.alive()) {
      story.add(node.id(), Rejection.Why.NOT_ALIVE, Resources.NONE);
      return;
    }
    List<BundleStatus> bundles = bundlesOn(node);
    if (bundles.isEmpty()) {
      story.add(node.id(), Rejection.Why.NO_BUNDLE, Resources.NONE);
      return;
    }
    seen = true;
    if (!query.selector().matches(node.labels())) {
      story.add(node.id(), Rejection.Why.LABELS, Resources.NONE);
      return;
    }
    Resources need = query.demand().toPlace();
    BundleStatus first = bundles.getFirst();
    if (bundles.stream().anyMatch(bundle -> need.fitsIn(bundle.available()))) {
      free.add(node);
    } else if (bundles.stream().anyMatch(bundle -> need.fitsIn(bundle.total()))) {
      feasible.add(node);
      story.add(node.id(), Rejection.Why.BUSY, need.lackingIn(first.available()));
    } else {
      story.add(node.id(), Rejection.Why.TOO_SMALL, need.lackingIn(first.total()));
    }
  }

  private List<BundleStatus> bundlesOn(NodeView node) {
    return node.bundles().stream().filter(bundle -> bundle.isMeantBy(where)).toList();
  }

  private NodeView choose() {
    NodeView best = free.getFirst();
    double bestLoad = Double.POSITIVE_INFINITY;
    for (NodeView node : Planner.withData(query, free)) {
      double load = emptiestLoad(node);
      if (load < bestLoad) {
        best = node;
        bestLoad = load;
      }
    }
    return best;
  }

  private double emptiestLoad(NodeView node) {
    Resources need = query.demand().toPlace();
    double emptiest = Double.MAX_VALUE;
    for (BundleStatus bundle : bundlesOn(node)) {
      if (need.fitsIn(bundle.available())) {
        Resources used = bundle.total().minus(bundle.available());
        emptiest = Math.min(emptiest, used.largestShareOf(bundle.total()));
      }
    }
    return emptiest;
  }
}
