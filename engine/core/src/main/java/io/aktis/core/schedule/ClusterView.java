package io.aktis.core.schedule;

import io.aktis.core.id.BundleId;
import io.aktis.core.id.NodeId;
import io.aktis.core.lease.BundleStatus;
import io.aktis.core.resource.Demand;
import io.aktis.core.resource.NodeNumbers;
import io.aktis.core.resource.Resources;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The nodes as one process sees them: a snapshot that may be stale without harm, since each node's
 * ledger has the last word. Immutable and safe for any thread; a change makes a new view.
 */
public final class ClusterView {
  /** No nodes. */
  public static final ClusterView EMPTY = new ClusterView(List.of(), 0);

  /** By id. */
  private final List<NodeView> nodes;

  private final long version;

  private ClusterView(List<NodeView> nodes, long version) {
    this.nodes = nodes;
    this.version = version;
  }

  /** Returns the view of these nodes. */
  public static ClusterView of(NodeView... nodes) {
    ClusterView view = EMPTY;
    for (NodeView node : nodes) {
      view = view.with(node);
    }
    return view;
  }

  /** Returns all nodes, by their ids. */
  public List<NodeView> nodes() {
    return nodes;
  }

  /** Returns a number that grows with every change. */
  public long version() {
    return version;
  }

  /** Returns what is known about {@code id}, or null if it is not known. */
  public @Nullable NodeView node(NodeId id) {
    int index = indexOf(id);
    return index < 0 ? null : nodes.get(index);
  }

  /** Returns this view with {@code node} in place of what was known about it. */
  public ClusterView with(NodeView node) {
    int index = indexOf(node.id());
    List<NodeView> changed = new ArrayList<>(nodes);
    if (index < 0) {
      changed.add(-index - 1, node);
    } else {
      changed.set(index, node);
    }
    return new ClusterView(List.copyOf(changed), version + 1);
  }

  /** Returns this view without {@code id}. */
  public ClusterView without(NodeId id) {
    int index = indexOf(id);
    if (index < 0) {
      return this;
    }
    List<NodeView> changed = new ArrayList<>(nodes);
    changed.remove(index);
    return new ClusterView(List.copyOf(changed), version + 1);
  }

  /** Returns this view with the numbers that a node told, unless newer ones are known. */
  public ClusterView withNumbers(NodeId id, NodeNumbers numbers) {
    NodeView known = node(id);
    return known == null || known.numbers().version() > numbers.version()
        ? this
        : with(known.withNumbers(numbers));
  }

  /**
   * Returns this view with {@code resources} taken from {@code id}, as far as they are there: a
   * guess that keeps an owner from planning all its work on one node before it answers. The next
   * numbers of the node replace it.
   */
  public ClusterView afterTaking(NodeId id, Resources resources) {
    NodeView known = node(id);
    if (known == null || resources.isZero()) {
      return this;
    }
    NodeNumbers now = known.numbers();
    Resources there = resources.minus(resources.lackingIn(now.available()));
    return with(
        known.withNumbers(
            new NodeNumbers(
                now.total(), now.available().minus(there), now.gpuRoom(), now.version())));
  }

  /** Returns this view with the demand of {@code query} taken from {@code id}: the same guess. */
  public ClusterView afterPlacing(NodeId id, PlacementQuery query) {
    Resources hold = query.demand().toHold();
    return query.strategy() instanceof Strategy.InGroup in
        ? afterTakingIn(id, in.bundle(), query.demand())
        : afterTaking(id, hold);
  }

  private ClusterView afterTakingIn(NodeId id, BundleId where, Demand demand) {
    NodeView known = node(id);
    if (known == null) {
      return this;
    }
    List<BundleStatus> bundles = new ArrayList<>(known.bundles());
    for (int i = 0; i < bundles.size(); i++) {
      BundleStatus bundle = bundles.get(i);
      if (bundle.isMeantBy(where) && demand.toPlace().fitsIn(bundle.available())) {
        bundles.set(i, bundle.withAvailable(bundle.available().minus(demand.toHold())));
        return with(known.withBundles(bundles));
      }
    }
    return this;
  }

  private int indexOf(NodeId id) {
    int low = 0;
    int high = nodes.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = nodes.get(middle).id().compareTo(id);
      if (order == 0) {
        return middle;
      }
      low = order < 0 ? middle + 1 : low;
      high = order < 0 ? high : middle - 1;
    }
    return -low - 1;
  }

  @Override
  public String toString() {
    return "version " + version + " of " + nodes;
  }
}
