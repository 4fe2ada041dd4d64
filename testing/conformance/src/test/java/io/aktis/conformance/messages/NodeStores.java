package io.aktis.conformance.messages;

import io.aktis.core.id.NodeId;
import io.aktis.core.id.ObjectId;
import io.aktis.runtime.port.LocalStore;
import io.aktis.runtime.port.Location;
import io.aktis.runtime.port.StorePort;
import io.aktis.store.ObjectStore;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The store that the processes of one node use; what lies on others is read where it lies. */
record NodeStores(NodeId home, Map<NodeId, ObjectStore> all) implements StorePort {
  private StorePort mine() {
    ObjectStore store = all.get(home);
    if (store == null) {
      throw new IllegalStateException("the object store is closed");
    }
    return new LocalStore(store);
  }

  @Override
  public @Nullable Writing tryCreate(ObjectId id, long sizeBytes) {
    return mine().tryCreate(id, sizeBytes);
  }

  @Override
  public Writing create(ObjectId id, long sizeBytes) throws InterruptedException {
    return mine().create(id, sizeBytes);
  }

  @Override
  public @Nullable Reading pin(ObjectId id, Location at) {
    ObjectStore store = all.get(at.node());
    return store == null ? null : new LocalStore(store).pin(id, at);
  }
}
