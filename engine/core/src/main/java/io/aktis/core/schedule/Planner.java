package io.aktis.core.schedule;

import io.aktis.core.id.NodeId;
import io.aktis.core.resource.Resources;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses a node for a piece of work, on a view that may be stale.
 *
 * <p>Confined to one caller at a time: the loop of its owner. It remembers nothing but how often it
 * chose each node for work that is to be spread.
 *
 * <h2>Filter, then choose</h2>
 *
 * <p>A node is out when it is not alive, when its labels do not match, when it has less than the
 * work needs altogether, or when less is free. If some are left, one of them is chosen. If none is,
 * the reasons decide: where some node could hold the work, the work <em>waits</em>; where none that
 * is known ever could, it is <em>infeasible</em>. The two are told apart since a user can do
 * something about the second. Reasons are collected in a second walk, only when they are needed.
 *
 * <p>The alternatives of a label selector are tried in their order: a node of a later one is chosen
 * only when no node of an earlier one has room now.
 *
 * <h2>The default choice</h2>
 *
 * <ol>
 *   <li><em>Data first.</em> If some node holds a megabyte or more of the arguments than others, it
 *       is chosen: moving that costs more than any imbalance.
 *   <li><em>GPU nodes last</em>, for work without GPUs.
 *   <li><em>Pack to half.</em> Of the nodes that stay at half load or less, the fullest: work stays
 *       close together, empty machines stay empty and can be given back. Half leaves room for what
 *       the work itself starts.
 *   <li><em>Then spread.</em> If all would be more than half full, the emptiest.
 *   <li><em>Random among the best few</em>, a fifth of the nodes, so that many owners with the same
 *       view do not all ask the same node.
 * </ol>
 *
 * <p>Work that takes nothing while it runs, as actors do by default, would be packed on one node
 * for ever; it is spread by number.
 *
 * <h2>Spread</h2>
 *
 * <p>Of the nodes with room, the one that this planner chose least for work of the same shape: over
 * equal nodes the counts differ by one at most, however stale the view is.
 *
 * <h2>Waiting</h2>
 *
 * <p>A view in which nobody has room may be wrong, and nobody would ever tell an owner that only
 * looks. So {@link Decision.Wait} names two nodes to ask all the same, those with the fewest
 * waiting: their ledgers answer with fresh numbers, name idle leases to reclaim, and remember to
 * tell the owner when something is freed.
 *
 * <p>Sources: the hybrid policy of Ray (pack to half, then spread, random among the best fifth);
 * Mitzenmacher, "The power of two choices in randomized load balancing", 2001.
 */
public final class Planner {
  /** Moving less than this costs less than a millisecond or two; then load counts more. */
  private static final long LOCALITY_BYTES = 1 << 20;

  private static final double HALF = 0.5;

  /** One in so many nodes belongs to the best few. */
  private static final int BEST_FRACTION = 5;

  private static final int ASK_AT = 2;

  private final SpreadCounter spread = new SpreadCounter();

  /** Decides where the work of {@code query} goes. */
  public Decision plan(PlacementQuery query, ClusterView view) {
    return switch (query.strategy()) {
      case Strategy.Default ignored -> planAnywhere(query, view);
      case Strategy.Spread ignored -> planAnywhere(query, view);
      case Strategy.OnNode where -> planOnNode(query, where, view);
      case Strategy.InGroup where -> new GroupChoice(query, where.bundle(), view).decide();
    };
  }

  /** Notes that a node which was chosen said no, so that spreading stays even. */
  public void refused(PlacementQuery query, NodeId node) {
    if (isSpread(query)) {
      spread.undo(node, query);
    }
  }

  private static boolean isSpread(PlacementQuery query) {
    return query.strategy() instanceof Strategy.Spread || query.demand().toHold().isZero();
  }

  private Decision planAnywhere(PlacementQuery query, ClusterView view) {
    List<NodeView> nodes = view.nodes();
    if (nodes.size() == 1 && why(nodes.getFirst(), query) == null) {
      return new Decision.Place(nodes.getFirst().id());
    }
    List<NodeView> free = withRoom(query, nodes);
    if (free.isEmpty()) {
      return waitOrInfeasible(query, nodes);
    }
    NodeView chosen = isSpread(query) ? spread.choose(free, query) : chooseDefault(query, free);
    return new Decision.Place(chosen.id());
  }

  /** Returns the nodes with room that match the first alternative which any of those matches. */
  private static List<NodeView> withRoom(PlacementQuery query, List<NodeView> nodes) {
    List<NodeView> free = new ArrayList<>();
    int bestRank = Integer.MAX_VALUE;
    for (NodeView node : nodes) {
      if (why(node, query) == null) {
        int rank = query.selector().rank(node.labels());
        if (rank < bestRank) {
          free.clear();
          bestRank = rank;
        }
        if (rank == bestRank) {
          free.add(node);
        }
      }
    }
    return free;
  }

  /** Returns why {@code node} is out, or null when it has room. */
  private static Rejection.@Nullable Why why(NodeView node, PlacementQuery query) {
    if (!node.alive()) {
      return Rejection.Why.NOT_ALIVE;
    }
    Resources need = query.demand().toPlace();
    if (!query.selector().isAny() && !query.selector().matches(node.labels())) {
      return Rejection.Why.LABELS;
    }
    if (need.fitsIn(node.available())) {
      return node.numbers().canTake(need) ? null : Rejection.Why.GPUS_SCATTERED;
    }
    return need.fitsIn(node.total()) ? Rejection.Why.BUSY : Rejection.Why.TOO_SMALL;
  }

  private static Decision waitOrInfeasible(PlacementQuery query, List<NodeView> nodes) {
    Story story = new Story();
    List<NodeView> feasible = new ArrayList<>();
    Resources need = query.demand().toPlace();
    for (NodeView node : nodes) {
      Rejection.Why why = why(node, query);
      if (why == null) {
        continue;
      }
      switch (why) {
        case BUSY, GPUS_SCATTERED -> {
          feasible.add(node);
          story.add(node.id(), why, need.lackingIn(node.available()));
        }
        case TOO_SMALL -> story.add(node.id(), why, need.lackingIn(node.total()));
        default -> story.add(node.id(), why, Resources.NONE);
      }
    }
    String reason = story.reason(query.demand());
    return feasible.isEmpty()
        ? new Decision.Infeasible(reason, story.rejectedBy())
        : new Decision.Wait(reason, story.rejectedBy(), askAt(query, feasible));
  }

  static List<NodeId> askAt(PlacementQuery query, List<NodeView> feasible) {
    Comparator<NodeView> order =
        Comparator.<NodeView>comparingInt(node -> query.selector().rank(node.labels()))
            .thenComparingInt(NodeView::waiting)
            .thenComparingLong(node -> Chance.of(query.seed(), node.id()));
    return feasible.stream().sorted(order).limit(ASK_AT).map(NodeView::id).toList();
  }

  private static NodeView chooseDefault(PlacementQuery query, List<NodeView> free) {
    List<NodeView> candidates = free.size() == 1 ? free : withData(query, free);
    if (query.demand().toPlace().gpuUnits() == 0 && candidates.size() > 1) {
      candidates = withoutGpus(candidates);
    }
    if (candidates.size() == 1) {
      return candidates.getFirst();
    }
    Resources hold = query.demand().toHold();
    List<Scored> scored = new ArrayList<>(candidates.size());
    for (NodeView node : candidates) {
      scored.add(Scored.of(node, node.loadWith(hold)));
    }
    scored.sort(Scored.BEST_FIRST);
    int few = (scored.size() + BEST_FRACTION - 1) / BEST_FRACTION;
    return scored.get(Chance.below(few, query.seed())).node;
  }

  /** A node and its place in the order: first those that are packed, the fullest of them first. */
  private record Scored(NodeView node, double score) {
    static final Comparator<Scored> BEST_FIRST = Comparator.comparingDouble(Scored::score);

    /** Up to half: from 0 for half full to 0.5 for empty. Above: the load. */
    static Scored of(NodeView node, double load) {
      return new Scored(node, load <= HALF ? HALF - load : load);
    }
  }

  static List<NodeView> withData(PlacementQuery query, List<NodeView> free) {
    if (query.bytesByNode().isEmpty()) {
      return free;
    }
    long most = 0;
    for (NodeView node : free) {
      most = Math.max(most, query.bytesByNode().getOrDefault(node.id(), 0L));
    }
    if (most < LOCALITY_BYTES) {
      return free;
    }
    List<NodeView> near = new ArrayList<>();
    for (NodeView node : free) {
      if (query.bytesByNode().getOrDefault(node.id(), 0L) > most - LOCALITY_BYTES) {
        near.add(node);
      }
    }
    return near;
  }

  private static List<NodeView> withoutGpus(List<NodeView> nodes) {
    List<NodeView> plain = new ArrayList<>();
    for (NodeView node : nodes) {
      if (node.total().gpuUnits() == 0) {
        plain.add(node);
      }
    }
    return plain.isEmpty() ? nodes : plain;
  }

  private Decision planOnNode(PlacementQuery query, Strategy.OnNode where, ClusterView view) {
    NodeView node = view.node(where.node());
    boolean gone = node == null || !node.alive();
    if (node == null || gone) {
      return where.soft() ? planAnywhere(query, view) : new Decision.NodeGone(where.node());
    }
    Rejection.Why why = why(node, query);
    if (why == null) {
      return new Decision.Place(node.id());
    }
    Decision here = waitOrInfeasible(query, List.of(node));
    return here instanceof Decision.Infeasible && where.soft() ? planAnywhere(query, view) : here;
  }
}
