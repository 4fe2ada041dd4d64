package io.aktis.core.lease;

import io.aktis.core.invariant.Invariant;
import io.aktis.core.resource.GpuRoom;
import io.aktis.core.resource.Resources;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The shares of GPUs in one pool. All pools of a node count its devices the same way; a bundle's
 * pool has capacity only on the devices that were set aside for it.
 *
 * <p>A request for one GPU or less gets its share on one device: the fullest that still has room,
 * so that empty devices stay whole. A request for more gets whole devices.
 */
final class GpuPool {
  private static final long WHOLE = Resources.UNITS_PER_ONE;

  private final long[] capacity;
  private final long[] free;

  private GpuPool(long[] capacity, long[] free) {
    this.capacity = capacity;
    this.free = free;
  }

  static GpuPool ofDevices(int count) {
    long[] capacity = new long[count];
    Arrays.fill(capacity, WHOLE);
    return new GpuPool(capacity, capacity.clone());
  }

  /** Makes a pool of what {@code slices} took from this one. */
  GpuPool ofSlices(GpuSlices slices) {
    GpuPool pool = new GpuPool(new long[capacity.length], new long[capacity.length]);
    for (int i = 0; i < slices.count(); i++) {
      pool.capacity[slices.device(i)] = slices.unitsEach();
      pool.free[slices.device(i)] = slices.unitsEach();
    }
    return pool;
  }

  GpuPool copy() {
    return new GpuPool(capacity, free.clone());
  }

  /** Takes the units, or returns null when no device, or not enough devices, have room. */
  @Nullable GpuSlices take(long units) {
    GpuSlices found = find(units);
    if (found != null) {
      for (int i = 0; i < found.count(); i++) {
        free[found.device(i)] -= found.unitsEach();
      }
    }
    return found;
  }

  boolean canTake(long units) {
    return find(units) != null;
  }

  private @Nullable GpuSlices find(long units) {
    if (units == 0) {
      return GpuSlices.NONE;
    }
    return units <= WHOLE ? findShare(units) : findWhole((int) (units / WHOLE));
  }

  private @Nullable GpuSlices findShare(long units) {
    int best = -1;
    for (int i = 0; i < free.length; i++) {
      if (free[i] >= units && (best < 0 || free[i] < free[best])) {
        best = i;
      }
    }
    return best < 0 ? null : new GpuSlices(new int[] {best}, units);
  }

  private @Nullable GpuSlices findWhole(int count) {
    int[] devices = new int[count];
    int found = 0;
    for (int i = 0; i < free.length && found < count; i++) {
      if (free[i] == WHOLE) {
        devices[found++] = i;
      }
    }
    return found < count ? null : new GpuSlices(devices, WHOLE);
  }

  void give(GpuSlices slices) {
    for (int i = 0; i < slices.count(); i++) {
      int device = slices.device(i);
      free[device] += slices.unitsEach();
      Invariant.check(free[device] <= capacity[device], "a GPU is given back once", device);
    }
  }

  /** Gives back to this pool what is free in {@code bundle}, whose devices were taken from it. */
  void giveFreeOf(GpuPool bundle) {
    for (int i = 0; i < free.length; i++) {
      free[i] += bundle.free[i];
      bundle.free[i] = 0;
      Invariant.check(free[i] <= capacity[i], "a GPU is given back once", i);
    }
  }

  GpuRoom room() {
    long largest = 0;
    int whole = 0;
    for (long units : free) {
      largest = Math.max(largest, units);
      whole += units == WHOLE ? 1 : 0;
    }
    return largest == 0 ? GpuRoom.NONE : new GpuRoom(largest, whole);
  }

  long freeUnits(int device) {
    return free[device];
  }

  long capacityUnits(int device) {
    return capacity[device];
  }

  int deviceCount() {
    return free.length;
  }
}
