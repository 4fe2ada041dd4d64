package io.aktis.core.placement;

import io.aktis.core.id.NodeId;
import io.aktis.core.lease.Bundle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Gives each bundle a node of its own, if that can be done at all: bundles and nodes are the two
 * sides of a graph, and augmenting paths (Kuhn 1955) find a matching of all bundles. The emptiest
 * nodes are tried first.
 */
final class Matching {
  private final List<Bundle> bundles;
  private final List<Room> rooms;

  /** By room, the place of its bundle in the list; -1 for none. */
  private final int[] bundleOf;

  Matching(List<Bundle> bundles, List<Room> rooms) {
    this.bundles = bundles;
    this.rooms = new ArrayList<>(rooms);
    this.rooms.sort(Comparator.comparingDouble(Room::load));
    this.bundleOf = new int[rooms.size()];
    Arrays.fill(bundleOf, -1);
  }

  @Nullable SortedMap<Integer, NodeId> solve() {
    for (int bundle = 0; bundle < bundles.size(); bundle++) {
      if (!match(bundle, new boolean[rooms.size()])) {
        return null;
      }
    }
    SortedMap<Integer, NodeId> nodes = new TreeMap<>();
    for (int room = 0; room < bundleOf.length; room++) {
      if (bundleOf[room] >= 0) {
        nodes.put(bundles.get(bundleOf[room]).index(), rooms.get(room).id());
      }
    }
    return nodes;
  }

  /** Finds a room for {@code bundle}: a free one, else one whose bundle can move. */
  private boolean match(int bundle, boolean[] tried) {
    for (int room = 0; room < tried.length; room++) {
      if (bundleOf[room] < 0 && fits(bundle, room)) {
        bundleOf[room] = bundle;
        return true;
      }
    }
    for (int room = 0; room < tried.length; room++) {
      if (!tried[room] && bundleOf[room] >= 0 && fits(bundle, room)) {
        tried[room] = true;
        if (match(bundleOf[room], tried)) {
          bundleOf[room] = bundle;
          return true;
        }
      }
    }
    return false;
  }

  private boolean fits(int bundle, int room) {
    return rooms.get(room).fits(bundles.get(bundle).resources());
  }
}
