package io.aktis.core.lease;

/** The devices that a lease or a bundle took, each with the same share. Immutable. */
final class GpuSlices {
  static final GpuSlices NONE = new GpuSlices(new int[0], 0);

  private final int[] devices;
  private final long unitsEach;

  GpuSlices(int[] devices, long unitsEach) {
    this.devices = devices;
    this.unitsEach = unitsEach;
  }

  int count() {
    return devices.length;
  }

  int device(int index) {
    return devices[index];
  }

  long unitsEach() {
    return unitsEach;
  }
}
