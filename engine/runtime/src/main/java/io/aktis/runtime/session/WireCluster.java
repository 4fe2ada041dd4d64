package io.aktis.runtime.session;

import io.aktis.ClusterInfo;
import io.aktis.NodeInfo;
import io.aktis.PendingWork;
import io.aktis.wire.message.ClusterDescription;
import io.aktis.wire.message.NodeDescription;
import io.aktis.wire.message.PendingDescription;

/** What people see of a cluster as messages carry it, and back. */
final class WireCluster {
  private WireCluster() {}

  static ClusterDescription message(ClusterInfo cluster) {
    ClusterDescription.Builder message = ClusterDescription.newBuilder();
    for (NodeInfo node : cluster.nodes()) {
      message.addNodes(
          NodeDescription.newBuilder()
              .setId(node.id())
              .setAlive(node.alive())
              .putAllTotal(node.total())
              .putAllAvailable(node.available())
              .putAllLabels(node.labels())
              .setStoreCapacityBytes(node.storeCapacityBytes())
              .setStoreUsedBytes(node.storeUsedBytes()));
    }
    for (PendingWork work : cluster.pending()) {
      message.addPending(
          PendingDescription.newBuilder()
              .setWhat(work.demand())
              .setCount(work.count())
              .setReason(work.reason()));
    }
    return message.build();
  }

  static ClusterInfo cluster(ClusterDescription message) {
    return new ClusterInfo(
        message.getNodesList().stream().map(WireCluster::node).toList(),
        message.getPendingList().stream()
            .map(each -> new PendingWork(each.getWhat(), each.getCount(), each.getReason()))
            .toList());
  }

  private static NodeInfo node(NodeDescription message) {
    return new NodeInfo(
        message.getId(),
        message.getAlive(),
        message.getTotalMap(),
        message.getAvailableMap(),
        message.getLabelsMap(),
        message.getStoreCapacityBytes(),
        message.getStoreUsedBytes());
  }
}
