package io.aktis.core.placement;

import io.aktis.core.id.NodeId;
import io.aktis.core.lease.Bundle;
import io.aktis.core.resource.Resources;
import io.aktis.core.schedule.ClusterView;
import io.aktis.core.schedule.NodeView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds nodes for the bundles of a group: all of them, or none. Pure: the same spec and view have
 * the same plan.
 *
 * <p>STRICT_PACK and STRICT_SPREAD are solved exactly, the latter as a matching of bundles to
 * nodes. PACK and SPREAD are bin packing, which has no fast exact answer: the largest bundles go
 * first, and when the preferred order finds nothing, the fullest node that fits is tried for each.
 * Only what can be proven is called infeasible.
 */
public final class BundlePlanner {
  private final GroupSpec spec;
  private final SortedMap<Integer, NodeId> placed;
  private final List<NodeView> alive = new ArrayList<>();

  /** What has to be placed, the largest first. */
  private final List<Bundle> missing = new ArrayList<>();

  private BundlePlanner(GroupSpec spec, SortedMap<Integer, NodeId> placed, ClusterView view) {
    this.spec = spec;
    this.placed = placed;
    view.nodes().stream().filter(NodeView::alive).forEach(alive::add);
    Resources all = Resources.NONE;
    for (NodeView node : alive) {
      all = all.plus(node.numbers().total());
    }
    Resources cluster = all;
    spec.bundles().stream().filter(each -> !placed.containsKey(each.index())).forEach(missing::add);
    missing.sort(
        Comparator.<Bundle>comparingDouble(each -> each.resources().largestShareOf(cluster))
            .reversed()
            .thenComparingInt(Bundle::index));
  }

  /**
   * Plans the bundles of {@code spec} that are not in {@code placed}.
   *
   * @param placed the node of each bundle that stays where it is
   */
  public static BundlePlan plan(
      GroupSpec spec, SortedMap<Integer, NodeId> placed, ClusterView view) {
    return new BundlePlanner(spec, placed, view).plan();
  }

  private BundlePlan plan() {
    SortedMap<Integer, NodeId> found = solve(rooms(Room::now));
    if (found != null) {
      return new BundlePlan.Found(found);
    }
    List<Room> empty = rooms(Room::empty);
    for (Bundle bundle : missing) {
      if (empty.stream().noneMatch(room -> room.fits(bundle.resources()))) {
        return new BundlePlan.Infeasible(
            "no node can hold bundle " + bundle.index() + " of " + bundle.resources());
      }
    }
    return isProvenInfeasible(empty)
        ? new BundlePlan.Infeasible("the nodes are too few or too small for " + spec)
        : new BundlePlan.Busy("too little is free for " + spec);
  }

  /** Makes a room for each node where a bundle may go; those that stay are counted in. */
  private List<Room> rooms(Function<NodeView, Room> maker) {
    List<Room> rooms = new ArrayList<>();
    for (NodeView node : alive) {
      Room room = maker.apply(node);
      room.bundles = (int) placed.values().stream().filter(node.id()::equals).count();
      boolean allowed =
          switch (spec.strategy()) {
            case PACK, SPREAD -> true;
            case STRICT_PACK -> placed.isEmpty() || room.bundles > 0;
            case STRICT_SPREAD -> room.bundles == 0;
          };
      if (allowed) {
        rooms.add(room);
      }
    }
    return rooms;
  }

  private boolean isProvenInfeasible(List<Room> empty) {
    return switch (spec.strategy()) {
      case STRICT_PACK, STRICT_SPREAD -> solve(empty) == null;
      case PACK, SPREAD -> {
        Resources need = Resources.NONE;
        for (Bundle bundle : spec.bundles()) {
          need = need.plus(bundle.resources());
        }
        Resources all = Resources.NONE;
        for (NodeView node : alive) {
          all = all.plus(node.numbers().total());
        }
        yield !need.fitsIn(all);
      }
    };
  }

  private @Nullable SortedMap<Integer, NodeId> solve(List<Room> rooms) {
    return switch (spec.strategy()) {
      case STRICT_PACK -> strictPack(rooms);
      case STRICT_SPREAD -> new Matching(missing, rooms).solve();
      case PACK -> {
        SortedMap<Integer, NodeId> few = pack(copies(rooms));
        yield few != null ? few : oneByOne(rooms, FULLEST);
      }
      case SPREAD -> {
        SortedMap<Integer, NodeId> even = oneByOne(copies(rooms), LEAST_USED);
        yield even != null ? even : oneByOne(rooms, FULLEST);
      }
    };
  }

  private static final Comparator<Room> FULLEST = Comparator.comparingDouble(Room::load).reversed();

  private static final Comparator<Room> LEAST_USED =
      Comparator.<Room>comparingInt(room -> room.bundles).thenComparingDouble(Room::load);

  private static List<Room> copies(List<Room> rooms) {
    return rooms.stream().map(Room::copy).toList();
  }

  /** Puts all on the fullest node that has room for all. */
  private @Nullable SortedMap<Integer, NodeId> strictPack(List<Room> rooms) {
    List<Room> fullestFirst = new ArrayList<>(rooms);
    fullestFirst.sort(FULLEST);
    for (Room room : fullestFirst) {
      SortedMap<Integer, NodeId> nodes = new TreeMap<>();
      if (fill(room, missing, nodes).isEmpty()) {
        return nodes;
      }
    }
    return null;
  }

  /** Fills node after node, each time the one that takes most of what remains. */
  private @Nullable SortedMap<Integer, NodeId> pack(List<Room> rooms) {
    SortedMap<Integer, NodeId> nodes = new TreeMap<>();
    List<Bundle> rest = missing;
    List<Room> open = new ArrayList<>(rooms);
    open.sort(Comparator.<Room>comparingInt(room -> -room.bundles).thenComparing(FULLEST));
    while (!rest.isEmpty()) {
      Room best = null;
      int fewest = rest.size();
      for (Room room : open) {
        int left = fill(room.copy(), rest, new TreeMap<>()).size();
        if (left < fewest) {
          best = room;
          fewest = left;
        }
      }
      if (best == null) {
        return null;
      }
      rest = fill(best, rest, nodes);
      open.remove(best);
    }
    return nodes;
  }

  /** Puts as many as fit in {@code room}; returns the others. */
  private static List<Bundle> fill(
      Room room, List<Bundle> bundles, SortedMap<Integer, NodeId> nodes) {
    List<Bundle> others = new ArrayList<>();
    for (Bundle bundle : bundles) {
      if (room.fits(bundle.resources())) {
        room.take(bundle.resources());
        nodes.put(bundle.index(), room.id());
      } else {
        others.add(bundle);
      }
    }
    return others;
  }

  /** Puts each on the node that is first in {@code order} among those with room. */
  private @Nullable SortedMap<Integer, NodeId> oneByOne(List<Room> rooms, Comparator<Room> order) {
    SortedMap<Integer, NodeId> nodes = new TreeMap<>();
    for (Bundle bundle : missing) {
      Room best = null;
      for (Room room : rooms) {
        if (room.fits(bundle.resources()) && (best == null || order.compare(room, best) < 0)) {
          best = room;
        }
      }
      if (best == null) {
        return null;
      }
      best.take(bundle.resources());
      nodes.put(bundle.index(), best.id());
    }
    return nodes;
  }
}
