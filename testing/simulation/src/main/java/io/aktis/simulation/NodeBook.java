package io.aktis.simulation;

import io.aktis.core.id.NodeId;
import io.aktis.core.owner.NodeChooser;
import io.aktis.core.owner.OwnedObject;
import io.aktis.core.owner.ShapeKey;
import io.aktis.core.owner.Task;
import io.aktis.core.resource.NodeNumbers;
import io.aktis.core.schedule.ClusterView;
import io.aktis.core.schedule.Decision;
import io.aktis.core.schedule.NodeView;
import io.aktis.core.schedule.PlacementQuery;
import io.aktis.core.schedule.Planner;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The nodes as an owner sees them: what they told, which may be old. Chooses among them. */
final class NodeBook implements NodeChooser {
  private final Planner planner = new Planner();
  private final Map<Address, NodeId> up = new LinkedHashMap<>();
  private ClusterView view = ClusterView.EMPTY;
  private long seed;

  NodeBook(long seed) {
    this.seed = seed;
  }

  /** A node has introduced itself. */
  void comes(Address address, NodeView told) {
    up.put(address, told.id());
    view = view.with(told);
  }

  /** A node is out of sight; returns the name of the life that is over. */
  @Nullable NodeId goes(Address address) {
    NodeId gone = up.remove(address);
    if (gone != null) {
      view = view.without(gone);
    }
    return gone;
  }

  /** A node tells how it is; false when that is old, or of an earlier life. */
  boolean tells(Address address, NodeView told) {
    NodeView known = view.node(told.id());
    boolean fresh =
        told.id().equals(up.get(address))
            && known != null
            && known.numbers().version() <= told.numbers().version();
    if (fresh) {
      view = view.with(told);
    }
    return fresh;
  }

  void numbers(Address address, NodeNumbers numbers) {
    NodeId node = up.get(address);
    if (node != null) {
      view = view.withNumbers(node, numbers);
    }
  }

  @Nullable NodeId at(Address address) {
    return up.get(address);
  }

  /** Returns where a life of a node is to be found, null when it is over. */
  @Nullable Address addressOf(NodeId node) {
    Address address = Address.node((int) node.owner() - 1);
    return node.equals(up.get(address)) ? address : null;
  }

  List<Address> all() {
    return List.copyOf(up.keySet());
  }

  @Override
  public Choice choose(ShapeKey key, Task first) {
    seed = seed * 6364136223846793005L + 1442695040888963407L;
    PlacementQuery query =
        new PlacementQuery(key.demand(), key.strategy(), key.selector(), bytesOf(first), seed);
    return switch (planner.plan(query, view)) {
      case Decision.Place place -> {
        view = view.afterPlacing(place.node(), query);
        yield new Choice.Ask(place.node());
      }
      case Decision.Wait wait -> new Choice.Busy(wait.reason(), List.of(), wait.askAt());
      case Decision.Infeasible never -> new Choice.Never(never.reason(), List.of());
      case Decision.NodeGone gone -> new Choice.Never(gone.node() + " is gone", List.of());
    };
  }

  @Override
  public long version() {
    return view.version();
  }

  private static Map<NodeId, Long> bytesOf(Task task) {
    Map<NodeId, Long> bytes = new LinkedHashMap<>();
    for (OwnedObject argument : task.arguments()) {
      for (NodeId node : argument.nodes()) {
        bytes.merge(node, argument.sizeBytes(), Long::sum);
      }
    }
    return bytes;
  }
}
