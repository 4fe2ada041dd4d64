package io.aktis.core.placement;

import io.aktis.core.id.NodeId;
import io.aktis.core.resource.GpuRoom;
import io.aktis.core.resource.NodeNumbers;
import io.aktis.core.resource.Resources;
import io.aktis.core.schedule.NodeView;

/**
 * What is left of a node while bundles are planned on it. Where GPU shares would lie is a guess on
 * the safe side: a fraction that does not fit in the largest broken share breaks a whole device.
 */
final class Room {
  final NodeView node;
  private Resources free;
  private int wholeGpus;
  private long largestBroken;

  /** How many bundles of the group lie here, counting those of earlier attempts. */
  int bundles;

  private Room(NodeView node, Resources free, int wholeGpus, long largestBroken) {
    this.node = node;
    this.free = free;
    this.wholeGpus = wholeGpus;
    this.largestBroken = largestBroken;
  }

  static Room now(NodeView node) {
    NodeNumbers numbers = node.numbers();
    GpuRoom gpus = numbers.gpuRoom();
    boolean broken = gpus.largestShareUnits() < Resources.UNITS_PER_ONE;
    return new Room(
        node, numbers.available(), gpus.wholeDevices(), broken ? gpus.largestShareUnits() : 0);
  }

  /** Returns the room of a node on which nothing runs. */
  static Room empty(NodeView node) {
    Resources total = node.numbers().total();
    return new Room(node, total, (int) (total.gpuUnits() / Resources.UNITS_PER_ONE), 0);
  }

  Room copy() {
    Room copy = new Room(node, free, wholeGpus, largestBroken);
    copy.bundles = bundles;
    return copy;
  }

  NodeId id() {
    return node.id();
  }

  boolean fits(Resources resources) {
    long gpus = resources.gpuUnits();
    return resources.fitsIn(free)
        && (gpus <= largestBroken
            || (gpus + Resources.UNITS_PER_ONE - 1) / Resources.UNITS_PER_ONE <= wholeGpus);
  }

  void take(Resources resources) {
    free = free.minus(resources);
    bundles++;
    long gpus = resources.gpuUnits();
    if (gpus <= largestBroken) {
      largestBroken -= gpus;
      return;
    }
    wholeGpus -= (int) ((gpus + Resources.UNITS_PER_ONE - 1) / Resources.UNITS_PER_ONE);
    long rest = gpus % Resources.UNITS_PER_ONE;
    largestBroken =
        rest == 0 ? largestBroken : Math.max(largestBroken, Resources.UNITS_PER_ONE - rest);
  }

  /** Returns how full the node is, from 0 to 1. */
  double load() {
    Resources total = node.numbers().total();
    return total.minus(free).largestShareOf(total);
  }
}
