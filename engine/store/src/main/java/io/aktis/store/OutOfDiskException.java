package io.aktis.store;

import java.io.IOException;

/**
 * The store is full, and what is in it could not be written to disk: the disk is full or cannot be
 * written. Nothing that was sealed is lost. The cause is the failure of the disk.
 */
public final class OutOfDiskException extends StoreFullException {
  private static final long serialVersionUID = 1L;

  OutOfDiskException(long requestedBytes, StoreStats stats, String more, IOException cause) {
    super(requestedBytes, stats, more + "; the disk refuses: " + cause.getMessage());
    initCause(cause);
  }
}
