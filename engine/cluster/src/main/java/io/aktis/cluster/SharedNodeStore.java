package io.aktis.cluster;

import io.aktis.cluster.node.NodeStore;
import io.aktis.cluster.session.NodeSettings;
import io.aktis.cluster.store.StoreService;
import io.aktis.core.id.ObjectId;
import io.aktis.store.ObjectStore;
import java.util.List;
import java.util.Map;

/** The store of a node as its daemon uses it. Thread-safe. */
record SharedNodeStore(ObjectStore store, StoreService service, NodeSettings settings)
    implements NodeStore {
  @Override
  public String file() {
    return settings.places().storeDir().resolve("objects").toString();
  }

  @Override
  public long capacityBytes() {
    return settings.capacity().objectStoreBytes();
  }

  @Override
  public long usedBytes() {
    return store.stats().usedBytes();
  }

  @Override
  public long pinnedBytes() {
    return store.stats().pinnedBytes();
  }

  @Override
  public List<Entry> objects() {
    Map<ObjectId, Map<String, Integer>> readers = service.readers();
    return store.objects().stream()
        .map(object ->
            new Entry(
                object.id(),
                object.sizeBytes(),
                object.state().name(),
                object.pins(),
                readers.getOrDefault(object.id(), Map.of())))
        .toList();
  }

  @Override
  public void deleteObject(ObjectId object) {
    service.deleteObject(object);
  }

  @Override
  public void deleteAllOf(long owner) {
    service.deleteAllOf(owner);
  }
}
