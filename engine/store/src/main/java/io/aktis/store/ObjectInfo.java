package io.aktis.store;

import io.aktis.core.id.ObjectId;

/**
 * One object in the listing of a store. Immutable.
 *
 * @param id its name; a deleted object and its successor have the same
 * @param sizeBytes the size asked for
 * @param pins how many pins and views keep it
 * @param views how many of these are views, which the garbage collector releases
 * @param state where it is in its life
 */
public record ObjectInfo(ObjectId id, long sizeBytes, int pins, int views, State state) {
  /** Where an object is in its life; drawn in {@link ObjectStore}. */
  public enum State {
    /** Being written: nobody else sees it. */
    CREATING,
    /** Immutable; can be pinned. */
    SEALED,
    /** Immutable; its bytes are on disk, and come back when it is pinned. */
    SPILLED,
    /** Forgotten, but a pin or view still keeps its bytes. */
    DELETED
  }
}
