package io.aktis.cluster.store;

import io.aktis.cluster.store.Pieces.Piece;
import io.aktis.core.id.ObjectId;
import io.aktis.store.ObjectStore;
import io.aktis.store.Pin;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * What one node has of one object, for one who reads it: all of it, or what has come so far.
 * Confined to the thread that reads, which closes it.
 */
final class Holdings implements AutoCloseable {
  /** What became of the wish for a part. */
  enum Answer {
    /** It can be read from {@link Holdings#bytes} until the next wish. */
    HERE,
    /** It has not come yet. */
    NOT_YET,
    /** It is not here. */
    ABSENT,
    /** The object is not as long as that. */
    OUTSIDE
  }

  private final ObjectStore store;
  private final Pulls pulls;
  private final ObjectId id;
  private @Nullable Pin pin;
  private boolean hasAll;

  /** Holds nothing yet. */
  Holdings(ObjectStore store, Pulls pulls, ObjectId id) {
    this.store = store;
    this.pulls = pulls;
    this.id = id;
  }

  /**
   * Finds a part; waits for it, and for what is on disk.
   *
   * @param presentOnly whether a part that has not come is absent
   * @param waitNs how long to wait for one that has not come
   * @throws IllegalStateException when the store is closed
   */
  Answer find(Piece part, boolean presentOnly, long waitNs) throws InterruptedException {
    Pin held = pin;
    if (held == null || !hasAll) {
      close();
      held = store.tryPin(id);
      Incoming incoming = held == null ? pulls.incoming(id) : null;
      if (incoming != null) {
        if (part.end() > incoming.sizeBytes()) {
          return Answer.OUTSIDE;
        }
        pin = incoming.pin(part, presentOnly ? 0 : waitNs);
        if (pin != null) {
          return Answer.HERE;
        }
        if (incoming.isComing()) {
          return presentOnly ? Answer.ABSENT : Answer.NOT_YET;
        }
      }
      held = held == null ? store.pin(id) : held;
      pin = held;
      hasAll = held != null;
    }
    if (held == null) {
      return Answer.ABSENT;
    }
    return part.end() > held.sizeBytes() ? Answer.OUTSIDE : Answer.HERE;
  }

  /** Returns the whole object, of which the part that was found can be read. */
  MemorySegment bytes() {
    Pin held = pin;
    if (held == null) {
      throw new IllegalStateException("nothing of " + id + " was found");
    }
    return held.segment();
  }

  /** Lets go what is held. */
  @Override
  public void close() {
    Pin held = pin;
    pin = null;
    hasAll = false;
    if (held != null) {
      held.close();
    }
  }
}
