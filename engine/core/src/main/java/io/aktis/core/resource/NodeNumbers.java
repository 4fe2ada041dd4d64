package io.aktis.core.resource;

/**
 * The figures of one node as its ledger knew them when it wrote them down.
 *
 * @param total what the node has
 * @param available what of it is neither leased nor in a bundle
 * @param gpuRoom how the free GPU shares lie on the devices
 * @param version grows with every change in the ledger: of two, the larger is newer
 */
public record NodeNumbers(Resources total, Resources available, GpuRoom gpuRoom, long version) {
  /** Returns the figures of a node that is all free. */
  public static NodeNumbers allFree(Resources total) {
    int gpus = (int) (total.gpuUnits() / Resources.UNITS_PER_ONE);
    return new NodeNumbers(total, total, GpuRoom.ofWhole(gpus), 0);
  }

  /** Tells whether {@code resources} could be taken now. */
  public boolean canTake(Resources resources) {
    return resources.fitsIn(available)
        && (resources.gpuUnits() == 0 || gpuRoom.holds(resources.gpuUnits()));
  }
}
