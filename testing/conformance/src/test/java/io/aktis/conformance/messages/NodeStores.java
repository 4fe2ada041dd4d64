package io.aktis.conformance.messages;

import io.aktis.ObjectStoreFullException;
import io.aktis.core.id.NodeId;
import io.aktis.core.id.ObjectId;
import io.aktis.runtime.port.Location;
import io.aktis.runtime.port.StorePort;
import io.aktis.store.Creation;
import io.aktis.store.ObjectStore;
import io.aktis.store.Pin;
import io.aktis.store.StoreFullException;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The store that the processes of one node use; what lies on others is read where it lies. */
record NodeStores(NodeId home, Map<NodeId, ObjectStore> all) implements StorePort {
  private ObjectStore mine() {
    ObjectStore store = all.get(home);
    if (store == null) {
      throw new IllegalStateException("the object store is closed");
    }
    return store;
  }

  @Override
  public @Nullable Writing tryCreate(ObjectId id, long sizeBytes) {
    try {
      Creation made = mine().tryCreate(id, sizeBytes);
      return made == null ? null : new Made(made);
    } catch (StoreFullException e) {
      throw full(e);
    }
  }

  @Override
  public Writing create(ObjectId id, long sizeBytes) throws InterruptedException {
    try {
      return new Made(mine().create(id, sizeBytes));
    } catch (StoreFullException e) {
      throw full(e);
    }
  }

  private static ObjectStoreFullException full(StoreFullException e) {
    return new ObjectStoreFullException(
        String.valueOf(e.getMessage()), e.requestedBytes() <= e.stats().capacityBytes());
  }

  @Override
  public @Nullable Reading pin(ObjectId id, Location at) {
    ObjectStore store = all.get(at.node());
    Pin pin = store == null ? null : store.pin(id);
    return pin == null ? null : new Read(pin);
  }

  @Override
  public @Nullable MemorySegment view(ObjectId id, Location at) {
    ObjectStore store = all.get(at.node());
    return store == null ? null : store.view(id);
  }

  private record Made(Creation creation) implements Writing {
    @Override
    public MemorySegment segment() {
      return creation.segment();
    }

    @Override
    public void seal() {
      creation.seal();
    }

    @Override
    public void close() {
      creation.close();
    }
  }

  private record Read(Pin pin) implements Reading {
    @Override
    public MemorySegment segment() {
      return pin.segment();
    }

    @Override
    public void close() {
      pin.close();
    }
  }
}
