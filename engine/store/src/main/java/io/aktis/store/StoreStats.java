package io.aktis.store;

import java.io.Serializable;

/**
 * The figures of a store at one moment; they fit each other. Immutable. Bytes in use are counted as
 * taken from the capacity: each object rounded up to 64.
 *
 * @param capacityBytes the limit of {@code usedBytes}
 * @param usedBytes bytes of all objects in memory: being written, sealed, and deleted but still
 *     pinned
 * @param pinnedBytes bytes of objects with at least one pin or view
 * @param pinnedObjects number of objects with at least one pin or view
 * @param deletedBytes bytes of deleted objects that a pin or view keeps
 * @param deletedObjects number of deleted objects that a pin or view keeps
 * @param sealedObjects number of objects that can be pinned
 * @param creatingObjects number of objects being written
 * @param waitingCreates number of creates that wait for room
 * @param waitingBytes bytes these creates ask for
 * @param reservedBytes memory taken from the operating system, in steps of 2 MiB: that of the used
 *     bytes and what is kept warm for the next objects
 * @param largestFreeBytes size of the largest object for which there is room now
 * @param spilledBytes bytes of sealed objects that are on disk alone
 * @param spilledObjects number of sealed objects that are on disk alone
 * @param overflowBytes bytes of objects that are in files of their own, because there was no room
 * @param overflowObjects number of objects that are in files of their own
 */
public record StoreStats(
    long capacityBytes,
    long usedBytes,
    long pinnedBytes,
    int pinnedObjects,
    long deletedBytes,
    int deletedObjects,
    int sealedObjects,
    int creatingObjects,
    int waitingCreates,
    long waitingBytes,
    long reservedBytes,
    long largestFreeBytes,
    long spilledBytes,
    int spilledObjects,
    long overflowBytes,
    int overflowObjects)
    implements Serializable {
  private static final long serialVersionUID = 1L;
}
