package io.aktis.store;

import java.util.Locale;

/**
 * The store has no room for an object and got none in time, or the object is larger than the store.
 * The message and {@link #stats()} tell who has the room.
 */
public sealed class StoreFullException extends RuntimeException permits OutOfDiskException {
  private static final long serialVersionUID = 1L;

  private final long requestedBytes;
  private final StoreStats stats;

  /**
   * Tells the figures.
   *
   * @param more goes behind them; may be empty
   */
  StoreFullException(long requestedBytes, StoreStats stats, String more) {
    super(describe(requestedBytes, stats) + more);
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
        Bytes.inWords(requestedBytes),
        Bytes.inWords(stats.capacityBytes() - stats.usedBytes()),
        Bytes.inWords(stats.capacityBytes()),
        Bytes.inWords(stats.pinnedBytes()),
        stats.pinnedObjects(),
        Bytes.inWords(stats.deletedBytes()),
        stats.deletedObjects(),
        stats.creatingObjects(),
        Bytes.inWords(stats.waitingBytes()),
        stats.waitingCreates());
  }
}
