package io.aktis.runtime.session;

import io.aktis.runtime.port.ClusterPort;
import io.aktis.runtime.port.Location;
import io.aktis.runtime.port.StorePort;
import org.jspecify.annotations.Nullable;

/** The one store of a node that a driver uses. Thread-safe. */
record RemoteStores(ClusterPort port) implements Stores {
  @Override
  public Place place(@Nullable Run run) {
    Location home = port.home();
    return new Place(home, port.storeAt(home));
  }

  @Override
  public StorePort storeFor(Location at) {
    return port.store();
  }

  @Override
  public void close() {
    port.close();
  }
}
