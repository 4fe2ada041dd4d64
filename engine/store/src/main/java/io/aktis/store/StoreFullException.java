package io.aktis.store;

import java.util.Locale;

/**
 * The store has no room for an object and got none in time, or the object is larger than the store.
 * The message and {@link #stats()} tell who has the room.
 */
public final class StoreFullException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long requestedBytes;
  private final StoreStats stats;

  StoreFullException(long requestedBytes, StoreStats stats) {
    super(describe(requestedBytes, stats));
    this.requestedBytes = requestedBytes;
    this.stats = stats;
  }

  /** Returns the size of the object that was refused, in bytes. */
  public long requestedBytes() {
    return requestedBytes;
  }

  /** Returns the figures at the moment of the refusal. */
  public StoreStats stats() {
    return stats;
  }

  private static String describe(long requestedBytes, StoreStats stats) {
    String why =
        requestedBytes > stats.capacityBytes()
            ? "the object is larger than the object store"
            : "the object store is full";
    return String.format(
        Locale.ROOT,
        "%s: %s requested, %s free of a capacity of %s; pinned are %s in %d objects, deleted but"
            + " still pinned %s in %d, being written %d objects, waiting for room %s in %d creates",
        why,
        mebibytes(requestedBytes),
        mebibytes(stats.capacityBytes() - stats.usedBytes()),
        mebibytes(stats.capacityBytes()),
        mebibytes(stats.pinnedBytes()),
        stats.pinnedObjects(),
        mebibytes(stats.deletedBytes()),
        stats.deletedObjects(),
        stats.creatingObjects(),
        mebibytes(stats.waitingBytes()),
        stats.waitingCreates());
  }

  private static String mebibytes(long bytes) {
    return bytes < 1 << 20
        ? bytes + " bytes"
        : String.format(Locale.ROOT, "%.1f MiB", bytes / (double) (1 << 20));
  }
}
