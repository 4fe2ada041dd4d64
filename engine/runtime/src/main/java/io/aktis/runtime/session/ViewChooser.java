package io.aktis.runtime.session;

import io.aktis.core.id.NodeId;
import io.aktis.core.owner.NodeChooser;
import io.aktis.core.owner.OwnedObject;
import io.aktis.core.owner.ShapeKey;
import io.aktis.core.owner.Task;
import io.aktis.core.schedule.ClusterView;
import io.aktis.core.schedule.Decision;
import io.aktis.core.schedule.PlacementQuery;
import io.aktis.core.schedule.Planner;
import io.aktis.core.schedule.Rejection;
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
    PlacementQuery query =
        new PlacementQuery(key.demand(), key.strategy(), key.selector(), bytesOf(first), seed);
    return switch (planner.plan(query, view())) {
      case Decision.Place place -> new Choice.Ask(place.node());
      case Decision.Wait wait ->
          new Choice.Busy(wait.reason(), words(wait.rejectedBy()), wait.askAt());
      case Decision.Infeasible never -> new Choice.Never(never.reason(), words(never.rejectedBy()));
      case Decision.NodeGone gone ->
          new Choice.Never(gone.node() + " is gone, and the work may run nowhere else", List.of());
    };
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
