package io.aktis.runtime.session;

import io.aktis.core.id.NodeId;
import io.aktis.runtime.port.LocalStore;
import io.aktis.runtime.port.Location;
import io.aktis.runtime.port.StorePort;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The stores of virtual nodes: each lies in this process. Thread-safe. */
final class LocalStores implements Stores {
  private final Map<NodeId, Place> places = new LinkedHashMap<>();
  private final Map<NodeId, VirtualNode> nodes;
  private final Place home;

  LocalStores(Map<NodeId, VirtualNode> nodes) {
    this.nodes = nodes;
    nodes.forEach((id, node) ->
        places.put(id, new Place(new Location(id, ""), new LocalStore(node.store()))));
    this.home = places.values().iterator().next();
  }

  @Override
  public Place place(@Nullable Run run) {
    return run == null ? firstAlive() : of(run.lease().node());
  }

  private Place firstAlive() {
    if (isAlive(home)) {
      return home;
    }
    return places.values().stream().filter(this::isAlive).findFirst().orElse(home);
  }

  private boolean isAlive(Place place) {
    VirtualNode node = nodes.get(place.at().node());
    return node != null && node.isAlive();
  }

  private Place of(NodeId id) {
    if (home.at().node().equals(id)) {
      return home;
    }
    Place place = places.get(id);
    if (place == null) {
      throw new IllegalArgumentException("there is no node " + id);
    }
    return place;
  }

  @Override
  public StorePort storeFor(Location at) {
    return of(at.node()).store();
  }

  @Override
  public void close() {
    nodes.values().forEach(node -> node.store().close());
  }
}
