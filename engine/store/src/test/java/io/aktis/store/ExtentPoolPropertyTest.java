package io.aktis.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/**
 * Runs random sequences of takes and returns against models that are too simple to be wrong: a
 * sorted map of the extents in use, and the set of granules that were touched.
 */
final class ExtentPoolPropertyTest {
  private static final long RANGE_BYTES = 10_000;
  private static final long GRANULE = ExtentPool.GRANULE_BYTES;
  private static final long CAPACITY_GRANULES = 16;

  /**
   * A positive number takes as many units, another gives back the extent of that number, modulo.
   */
  @Provide
  Arbitrary<List<Integer>> steps() {
    Arbitrary<Integer> take =
        Arbitraries.frequencyOf(
            Tuple.of(6, Arbitraries.integers().between(1, 200)),
            Tuple.of(1, Arbitraries.integers().between(200, 5000)));
    Arbitrary<Integer> giveBack = Arbitraries.integers().between(-1_000_000, 0);
    return Arbitraries.oneOf(List.of(take, giveBack)).list().ofMaxSize(300);
  }

  @Property(tries = 500)
  void freeSpace_afterAnySteps_agreesWithModel(@ForAll("steps") List<Integer> steps) {
    FreeSpace space = new FreeSpace(RANGE_BYTES);
    NavigableMap<Long, Extent> model = new TreeMap<>();
    for (int step : steps) {
      if (step > 0) {
        long tightest = tightestGap(model, step);
        Extent extent = space.take(step);
        assertThat(extent == null).isEqualTo(tightest == Long.MAX_VALUE);
        if (extent != null) {
          assertThat(gapAt(model, extent.offset)).as("best fit").isEqualTo(tightest);
          assertThat(extent.bytes).isEqualTo(step);
          model.put(extent.offset, extent);
        }
      } else if (!model.isEmpty()) {
        Extent extent = new ArrayList<>(model.values()).get(-step % model.size());
        model.remove(extent.offset);
        space.giveBack(extent);
      }
      space.checkInvariants();
      assertThat(space.largestFreeBytes())
          .isEqualTo(gaps(model).values().stream().max(Long::compare).orElse(0L));
    }
  }

  /** Returns the gaps between the extents in use: offset to length. */
  private static Map<Long, Long> gaps(NavigableMap<Long, Extent> model) {
    Map<Long, Long> gaps = new TreeMap<>();
    long end = 0;
    for (Extent extent : model.values()) {
      assertThat(extent.offset).as("no overlap").isGreaterThanOrEqualTo(end);
      if (extent.offset > end) {
        gaps.put(end, extent.offset - end);
      }
      end = extent.end();
    }
    if (end < RANGE_BYTES) {
      gaps.put(end, RANGE_BYTES - end);
    }
    return gaps;
  }

  private static long tightestGap(NavigableMap<Long, Extent> model, long bytes) {
    return gaps(model).values().stream()
        .filter(gap -> gap >= bytes)
        .min(Long::compare)
        .orElse(Long.MAX_VALUE);
  }

  private static long gapAt(NavigableMap<Long, Extent> model, long offset) {
    return gaps(model).getOrDefault(offset, -1L);
  }

  @Property(tries = 500)
  void pool_afterAnySteps_staysWithinCapacity(@ForAll("steps") List<Integer> steps) {
    TouchedMemory memory = new TouchedMemory();
    ExtentPool pool = new ExtentPool(CAPACITY_GRANULES * GRANULE, capacity -> memory);
    List<Extent> live = new ArrayList<>();
    long used = 0;
    for (int step : steps) {
      if (step > 0) {
        long bytes = step * GRANULE / 64;
        Extent extent = pool.take(bytes);
        if (used + bytes > CAPACITY_GRANULES * GRANULE) {
          assertThat(extent).as("admission by bytes").isNull();
        } else if (extent != null) {
          used += bytes;
          live.add(extent);
          memory.touch(extent);
        } else {
          assertThat(pool.largestFreeBytes()).as("no gap").isLessThan(bytes);
        }
      } else if (!live.isEmpty()) {
        Extent extent = live.remove(-step % live.size());
        used -= extent.bytes;
        pool.giveBack(extent);
      }
      assertThat(pool.usedBytes()).isEqualTo(used);
      assertThat(pool.warmBytes()).isEqualTo(memory.touched.cardinality() * GRANULE);
      assertThat(pool.warmBytes())
          .as("no more memory than the capacity, but for granules that are in use")
          .isLessThanOrEqualTo(Math.max(CAPACITY_GRANULES, memory.granulesOf(live)) * GRANULE);
    }
    pool.trim();
    assertThat(pool.warmBytes()).isEqualTo(memory.granulesOf(live) * GRANULE);
  }

  /** Addresses without memory, and the granules that would have some. */
  private static final class TouchedMemory implements StoreMemory {
    final BitSet touched = new BitSet();

    void touch(Extent extent) {
      touched.or(granulesOf(extent));
    }

    private static BitSet granulesOf(Extent extent) {
      BitSet granules = new BitSet();
      granules.set((int) (extent.offset / GRANULE), (int) ((extent.end() - 1) / GRANULE) + 1);
      return granules;
    }

    /** Returns the number of granules with a byte in use. */
    int granulesOf(List<Extent> live) {
      BitSet granules = new BitSet();
      live.forEach(extent -> granules.or(granulesOf(extent)));
      return granules.cardinality();
    }

    @Override
    @SuppressWarnings("restricted") // Never read or written.
    public MemorySegment segment() {
      return MemorySegment.ofAddress(64).reinterpret(2 * CAPACITY_GRANULES * GRANULE);
    }

    @Override
    public boolean discard(long offset, long bytes) {
      assertThat(offset % GRANULE).isZero();
      assertThat(bytes % GRANULE).isZero();
      touched.clear((int) (offset / GRANULE), (int) ((offset + bytes) / GRANULE));
      return true;
    }

    @Override
    public void close() {}
  }
}
