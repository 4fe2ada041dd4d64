package io.aktis.core.schedule;

import io.aktis.core.id.NodeId;
import io.aktis.core.resource.Demand;
import io.aktis.core.resource.LabelSelector;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How often each node was chosen for work of one shape, so that work is spread evenly even while
 * the view does not change.
 *
 * <p>A node that was passed over because it was busy is behind by one at most: it does not get all
 * the work of the last hour when it is free again.
 */
final class SpreadCounter {
  /** Shapes that are remembered; the one that was not used for longest is forgotten first. */
  private static final int MAX_SHAPES = 256;

  private final LinkedHashMap<Shape, Counts> shapes = new LinkedHashMap<>(16, 0.75f, true);

  private record Shape(Demand demand, LabelSelector selector) {}

  private static final class Counts {
    /** Looked up and never iterated. */
    final Map<NodeId, Long> byNode = new LinkedHashMap<>();

    long highest;

    /** Returns the count of {@code node}, raised to one behind the highest. */
    long of(NodeId node) {
      return Math.max(byNode.getOrDefault(node, 0L), highest - 1);
    }
  }

  /**
   * Chooses the node that was chosen least, among equals the emptiest, among equals by chance.
   *
   * @param nodes at least one
   */
  NodeView choose(List<NodeView> nodes, PlacementQuery query) {
    Counts counts = counts(query);
    NodeView best = nodes.getFirst();
    for (NodeView node : nodes) {
      if (isBefore(node, best, counts, query)) {
        best = node;
      }
    }
    long count = counts.of(best.id()) + 1;
    counts.byNode.put(best.id(), count);
    counts.highest = Math.max(counts.highest, count);
    return best;
  }

  private static boolean isBefore(NodeView a, NodeView b, Counts counts, PlacementQuery query) {
    long byCount = counts.of(a.id()) - counts.of(b.id());
    if (byCount != 0) {
      return byCount < 0;
    }
    double loadA = a.loadWith(query.demand().toHold());
    double loadB = b.loadWith(query.demand().toHold());
    if (loadA != loadB) {
      return loadA < loadB;
    }
    return Chance.of(query.seed(), a.id()) < Chance.of(query.seed(), b.id());
  }

  /** Takes a choice back that came to nothing. */
  void undo(NodeId node, PlacementQuery query) {
    Counts counts = counts(query);
    counts.byNode.computeIfPresent(node, (id, count) -> Math.max(0, count - 1));
  }

  private Counts counts(PlacementQuery query) {
    Counts counts =
        shapes.computeIfAbsent(new Shape(query.demand(), query.selector()), shape -> new Counts());
    if (shapes.size() > MAX_SHAPES) {
      shapes.pollFirstEntry();
    }
    return counts;
  }
}
