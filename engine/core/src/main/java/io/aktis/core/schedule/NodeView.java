package io.aktis.core.schedule;

import io.aktis.core.id.NodeId;
import io.aktis.core.lease.BundleStatus;
import io.aktis.core.resource.NodeNumbers;
import io.aktis.core.resource.Resources;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One node as seen from elsewhere: right when it was written down, perhaps stale now. Immutable and
 * safe for any thread.
 *
 * @param id the node
 * @param numbers what it has and what of it is free
 * @param labels its labels
 * @param alive whether it takes part; work is never planned on one that does not
 * @param waiting how many requests wait there for something to become free
 * @param bundles the committed bundles of placement groups that lie there
 */
public record NodeView(
    NodeId id,
    NodeNumbers numbers,
    SortedMap<String, String> labels,
    boolean alive,
    int waiting,
    List<BundleStatus> bundles) {

  /** Copies the collections. */
  public NodeView {
    labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    bundles = List.copyOf(bundles);
  }

  /** Returns the view of a node that has {@code total}, all of it free, and no labels. */
  public static NodeView free(NodeId id, Resources total) {
    return new NodeView(
        id, NodeNumbers.allFree(total), Collections.emptySortedMap(), true, 0, List.of());
  }

  /** Returns this view with other numbers. */
  public NodeView withNumbers(NodeNumbers newer) {
    return new NodeView(id, newer, labels, alive, waiting, bundles);
  }

  /** Returns this view with other labels. */
  public NodeView withLabels(SortedMap<String, String> others) {
    return new NodeView(id, numbers, others, alive, waiting, bundles);
  }

  /** Returns this view with other bundles. */
  public NodeView withBundles(List<BundleStatus> others) {
    return new NodeView(id, numbers, labels, alive, waiting, others);
  }

  /** Returns this view as that of a node that takes part, or does not. */
  public NodeView withAlive(boolean now) {
    return new NodeView(id, numbers, labels, now, waiting, bundles);
  }

  /** Returns this view with so many requests that wait there. */
  public NodeView withWaiting(int requests) {
    return new NodeView(id, numbers, labels, alive, requests, bundles);
  }

  Resources total() {
    return numbers.total();
  }

  Resources available() {
    return numbers.available();
  }

  /**
   * Returns how full the node is once {@code resources} are taken: the fullest of CPU and of what
   * is in them, from 0 to 1.
   */
  double loadWith(Resources resources) {
    Resources total = total();
    Resources available = available();
    double load = share(total.cpuUnits(), available.cpuUnits(), resources.cpuUnits());
    if (resources.isCpuOnly()) {
      return load;
    }
    if (resources.gpuUnits() > 0) {
      load = Math.max(load, share(total.gpuUnits(), available.gpuUnits(), resources.gpuUnits()));
    }
    if (resources.memoryBytes() > 0) {
      load =
          Math.max(
              load, share(total.memoryBytes(), available.memoryBytes(), resources.memoryBytes()));
    }
    for (var entry : resources.customUnits().entrySet()) {
      String name = entry.getKey();
      load =
          Math.max(
              load, share(total.customUnits(name), available.customUnits(name), entry.getValue()));
    }
    return load;
  }

  private static double share(long total, long available, long more) {
    return total == 0 ? 0 : (double) (total - available + more) / total;
  }
}
