package io.aktis.core.resource;

/**
 * How the free GPU shares of a node lie on its devices. The sum alone does not tell: two devices
 * that are half free have no room for a task that wants one GPU.
 *
 * @param largestShareUnits the largest free share of one device, in fixed-point units
 * @param wholeDevices how many devices are free altogether
 */
public record GpuRoom(long largestShareUnits, int wholeDevices) {
  /** No free share at all. */
  public static final GpuRoom NONE = new GpuRoom(0, 0);

  /** Returns the room of {@code count} free devices. */
  public static GpuRoom ofWhole(int count) {
    return count == 0 ? NONE : new GpuRoom(Resources.UNITS_PER_ONE, count);
  }

  /** Tells whether so many units of GPU can be had: a share on one device, or whole devices. */
  public boolean holds(long gpuUnits) {
    return gpuUnits <= Resources.UNITS_PER_ONE
        ? gpuUnits <= largestShareUnits
        : gpuUnits / Resources.UNITS_PER_ONE <= wholeDevices;
  }
}
