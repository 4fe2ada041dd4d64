package io.aktis.runtime.port;

import io.aktis.AktisException;
import io.aktis.ObjectStoreFullException;
import io.aktis.OutOfDiskException;
import io.aktis.core.id.ObjectId;
import io.aktis.store.Creation;
import io.aktis.store.ObjectStore;
import io.aktis.store.Pin;
import io.aktis.store.StoreFullException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The store of a node that lies in this process. Thread-safe; whoever opened the store closes it.
 *
 * @param store where everything is, whatever the location says
 */
public record LocalStore(ObjectStore store) implements StorePort {
  @Override
  public @Nullable Writing tryCreate(ObjectId id, long sizeBytes) {
    try {
      Creation made = store.tryCreate(id, sizeBytes);
      return made == null ? null : new LocalWriting(made);
    } catch (StoreFullException e) {
      throw full(e);
    }
  }

  @Override
  public Writing create(ObjectId id, long sizeBytes) throws InterruptedException {
    try {
      return new LocalWriting(store.create(id, sizeBytes));
    } catch (StoreFullException e) {
      throw full(e);
    }
  }

  private static AktisException full(StoreFullException e) {
    String message = String.valueOf(e.getMessage());
    return e instanceof io.aktis.store.OutOfDiskException
        ? new OutOfDiskException(message)
        : new ObjectStoreFullException(message, e.requestedBytes() <= e.stats().capacityBytes());
  }

  @Override
  public @Nullable Reading pin(ObjectId id, Location at) {
    Pin pin = store.pin(id);
    return pin == null ? null : new LocalReading(pin);
  }

  private record LocalWriting(Creation creation) implements Writing {
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

  private record LocalReading(Pin pin) implements Reading {
    @Override
    public MemorySegment segment() {
      return pin.segment();
    }

    @Override
    public MemorySegment keep() {
      return pin.keep();
    }

    @Override
    public void close() {
      pin.close();
    }
  }
}
