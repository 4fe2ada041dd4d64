package io.aktis.store;

import io.aktis.core.invariant.Invariant;
import java.util.BitSet;

/**
 * Knows which parts of the address range are warm, that is, have memory of the operating system
 * behind them. It counts in granules: a granule becomes warm with the first extent that reaches
 * into it, stays warm when its last extent is freed, and becomes cold when it is {@linkplain
 * #coolDown given back}. Knows nothing of memory. Not thread-safe.
 */
final class Granules {
  /** What gives a run of granules back to the operating system; false when that is not possible. */
  @FunctionalInterface
  interface Discard {
    boolean discard(long offset, long bytes);
  }

  private final int granuleBytes;
  private final int[] liveBytes;
  private final BitSet warm;
  private int warmGranules;

  /** Covers {@code totalBytes}, a multiple of {@code granuleBytes}, all cold. */
  Granules(long totalBytes, int granuleBytes) {
    Invariant.check(totalBytes % granuleBytes == 0, "granules cover the range exactly", totalBytes);
    this.granuleBytes = granuleBytes;
    this.liveBytes = new int[Math.toIntExact(totalBytes / granuleBytes)];
    this.warm = new BitSet(liveBytes.length);
  }

  /** Counts an extent that is about to be written. */
  void occupy(Extent extent) {
    int last = granuleOf(extent.end() - 1);
    for (int g = granuleOf(extent.offset); g <= last; g++) {
      liveBytes[g] += overlap(g, extent);
      if (!warm.get(g)) {
        warm.set(g);
        warmGranules++;
      }
    }
  }

  /** Counts an extent that nobody reads or writes any more. Its granules stay warm. */
  void vacate(Extent extent) {
    int last = granuleOf(extent.end() - 1);
    for (int g = granuleOf(extent.offset); g <= last; g++) {
      liveBytes[g] -= overlap(g, extent);
    }
  }

  /**
   * Gives back up to {@code bytes}, rounded up to granules, of warm granules without a live byte:
   * the highest first, because the lowest are taken again first.
   *
   * @return the bytes given back
   */
  long coolDown(long bytes, Discard discard) {
    long before = warmBytes();
    int end = liveBytes.length;
    while (before - warmBytes() < bytes && (end = endOfIdleRun(end)) > 0) {
      int start = startOfIdleRun(end, before - warmBytes(), bytes);
      if (!discard.discard((long) start * granuleBytes, (long) (end - start) * granuleBytes)) {
        break;
      }
      warm.clear(start, end);
      warmGranules -= end - start;
      end = start;
    }
    return before - warmBytes();
  }

  /** Returns the end of the highest run of idle granules below {@code end}, or 0. */
  private int endOfIdleRun(int end) {
    int g = warm.previousSetBit(end - 1);
    while (g >= 0 && liveBytes[g] != 0) {
      g = warm.previousSetBit(g - 1);
    }
    return g + 1;
  }

  private int startOfIdleRun(int end, long givenBack, long wanted) {
    int start = end - 1;
    while (start > 0
        && warm.get(start - 1)
        && liveBytes[start - 1] == 0
        && givenBack + (long) (end - start) * granuleBytes < wanted) {
      start--;
    }
    return start;
  }

  /** Returns the bytes of all warm granules. */
  long warmBytes() {
    return (long) warmGranules * granuleBytes;
  }

  private int granuleOf(long offset) {
    return (int) (offset / granuleBytes);
  }

  private int overlap(int granule, Extent extent) {
    long start = Math.max(extent.offset, (long) granule * granuleBytes);
    long end = Math.min(extent.end(), (long) (granule + 1) * granuleBytes);
    return (int) (end - start);
  }
}
