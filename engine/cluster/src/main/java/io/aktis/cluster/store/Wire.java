package io.aktis.cluster.store;

import io.aktis.AktisException;
import io.aktis.ObjectStoreFullException;
import io.aktis.store.OutOfDiskException;
import io.aktis.store.Placement;
import io.aktis.store.StoreFullException;
import io.aktis.wire.message.Place;
import io.aktis.wire.message.StoreFull;

/** Values of the store as the protocol has them, and back. Stateless. */
final class Wire {
  /** What is large travels in pieces of this size. */
  static final int CHUNK_BYTES = 1 << 20;

  private Wire() {}

  static Place place(Placement placement, long hold) {
    return Place.newBuilder()
        .setOffset(placement.offset())
        .setSizeBytes(placement.sizeBytes())
        .setFile(placement.overflowFile())
        .setHold(hold)
        .build();
  }

  static StoreFull full(StoreFullException e) {
    boolean canEverFit =
        e instanceof OutOfDiskException || e.requestedBytes() <= e.stats().capacityBytes();
    return StoreFull.newBuilder()
        .setMessage(String.valueOf(e.getMessage()))
        .setCanEverFit(canEverFit)
        .setOutOfDisk(e instanceof OutOfDiskException)
        .build();
  }

  static AktisException exception(StoreFull full) {
    return full.getOutOfDisk()
        ? new io.aktis.OutOfDiskException(full.getMessage())
        : new ObjectStoreFullException(full.getMessage(), full.getCanEverFit());
  }
}
