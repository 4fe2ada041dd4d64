package io.aktis.store;

import io.aktis.core.invariant.Invariant;
import org.jspecify.annotations.Nullable;

/**
 * Sealed objects in memory that nobody has pinned, the one unused for longest first. The links are
 * in the entries, so that a pin costs next to nothing. Guarded by the lock of its store.
 */
final class IdleList {
  private @Nullable Entry first;
  private @Nullable Entry last;

  void addLast(Entry entry) {
    Invariant.check(entry.idleIn == null, "an entry is idle in one list", entry);
    entry.idleIn = this;
    entry.idleBefore = last;
    entry.idleAfter = null;
    if (last == null) {
      first = entry;
    } else {
      last.idleAfter = entry;
    }
    last = entry;
  }

  void remove(Entry entry) {
    Invariant.check(entry.idleIn == this, "an entry is removed from its list", entry);
    if (entry.idleBefore == null) {
      first = entry.idleAfter;
    } else {
      entry.idleBefore.idleAfter = entry.idleAfter;
    }
    if (entry.idleAfter == null) {
      last = entry.idleBefore;
    } else {
      entry.idleAfter.idleBefore = entry.idleBefore;
    }
    entry.idleIn = null;
    entry.idleBefore = null;
    entry.idleAfter = null;
  }

  /** Returns the entry unused for longest, null when there is none. */
  @Nullable Entry first() {
    return first;
  }
}
