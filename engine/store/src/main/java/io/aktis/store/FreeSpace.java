package io.aktis.store;

import io.aktis.core.invariant.Invariant;
import java.util.Comparator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Divides a range of addresses: best fit, and of equal fits the lowest, so that what was freed is
 * taken again before the wide untouched end of the range. Neighbours that are free become one.
 * Knows nothing of memory. Not thread-safe.
 *
 * <p>Both {@link #take} and {@link #giveBack} cost O(log n) in the number of free extents:
 * neighbours are found by the chain, fits by a tree.
 */
final class FreeSpace {
  private static final Comparator<Extent> BY_SIZE_THEN_OFFSET =
      (a, b) ->
          a.bytes != b.bytes ? Long.compare(a.bytes, b.bytes) : Long.compare(a.offset, b.offset);

  private final long totalBytes;
  private final TreeSet<Extent> free = new TreeSet<>(BY_SIZE_THEN_OFFSET);
  private final Extent probe = new Extent(0, 0);
  private final Extent first;

  /** Makes a range that is free as a whole. */
  FreeSpace(long totalBytes) {
    Invariant.check(totalBytes > 0, "an address range holds at least one byte");
    this.totalBytes = totalBytes;
    this.first = new Extent(0, totalBytes);
    first.free = true;
    free.add(first);
  }

  /** Takes exactly {@code bytes}, or returns null when no free extent is long enough. */
  @Nullable Extent take(long bytes) {
    probe.bytes = bytes;
    Extent fit = free.ceiling(probe);
    if (fit == null) {
      return null;
    }
    free.remove(fit);
    fit.free = false;
    if (fit.bytes > bytes) {
      splitAfter(fit, bytes);
    }
    return fit;
  }

  private void splitAfter(Extent extent, long bytes) {
    Extent rest = new Extent(extent.offset + bytes, extent.bytes - bytes);
    extent.bytes = bytes;
    rest.free = true;
    rest.previous = extent;
    rest.next = extent.next;
    if (rest.next != null) {
      rest.next.previous = rest;
    }
    extent.next = rest;
    free.add(rest);
  }

  /** Gives back what {@link #take} gave out. The extent must not be used any more. */
  void giveBack(Extent extent) {
    Invariant.check(!extent.free, "an extent is freed once", extent);
    extent.free = true;
    Extent next = extent.next;
    if (next != null && next.free) {
      free.remove(next);
      swallowNext(extent, next);
    }
    Extent previous = extent.previous;
    if (previous != null && previous.free) {
      free.remove(previous);
      swallowNext(previous, extent);
      free.add(previous);
    } else {
      free.add(extent);
    }
  }

  private static void swallowNext(Extent extent, Extent next) {
    extent.bytes += next.bytes;
    extent.next = next.next;
    if (extent.next != null) {
      extent.next.previous = extent;
    }
  }

  /** Returns the length of the longest free extent, 0 when there is none. */
  long largestFreeBytes() {
    return free.isEmpty() ? 0 : free.last().bytes;
  }

  /**
   * Walks the whole chain, in O(n).
   *
   * @throws io.aktis.core.invariant.BrokenInvariantError when chain and tree do not say the same
   */
  void checkInvariants() {
    int freeExtents = 0;
    long end = 0;
    for (Extent e = first; e != null; e = e.next) {
      Invariant.check(e.offset == end, "extents follow each other without a gap", e);
      Invariant.check(e.bytes > 0, "an extent holds at least one byte", e);
      Extent previous = e.previous;
      Invariant.check(previous == null ? e == first : previous.next == e, "the chain is double", e);
      Invariant.check(
          previous == null || !(previous.free && e.free), "free neighbours become one", e);
      Invariant.check(e.free == free.contains(e), "the tree holds what is free", e);
      freeExtents += e.free ? 1 : 0;
      end = e.end();
    }
    Invariant.check(end == totalBytes, "the chain covers the range");
    Invariant.check(freeExtents == free.size(), "the tree holds nothing else");
  }
}
