package io.aktis.cli;

import io.aktis.core.id.NodeId;
import io.aktis.wire.message.NodeStatus;
import io.aktis.wire.message.PendingStatus;
import io.aktis.wire.message.Resources;
import io.aktis.wire.message.StatusReply;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** How a cluster is, for programs and for people. Immutable. */
final class ClusterStatus {
  private static final double UNITS = io.aktis.core.resource.Resources.UNITS_PER_ONE;

  private final StatusReply reply;

  ClusterStatus(StatusReply reply) {
    this.reply = reply;
  }

  /** Returns the status as the JSON of {@code aktis status --json}. */
  Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("session", reply.getSessionId());
    map.put("head", reply.getHeadAddress());
    map.put("nodes", reply.getNodesList().stream().map(ClusterStatus::toMap).toList());
    map.put("pending", reply.getPendingList().stream().map(ClusterStatus::toMap).toList());
    return map;
  }

  private static Map<String, Object> toMap(NodeStatus node) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("id", id(node));
    map.put("address", node.getAddress());
    map.put("alive", node.getAlive());
    Map<String, Double> total = amounts(node.getNumbers().getTotal());
    Map<String, Double> available = new LinkedHashMap<>();
    Map<String, Double> free = amounts(node.getNumbers().getAvailable());
    total.keySet().forEach(name -> available.put(name, free.getOrDefault(name, 0.0)));
    map.put("total", total);
    map.put("available", available);
    return map;
  }

  private static Map<String, Object> toMap(PendingStatus pending) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("demand", pending.getDemand());
    map.put("count", pending.getCount());
    map.put("reason", pending.getReason());
    return map;
  }

  private static String id(NodeStatus node) {
    return new NodeId(node.getNode().getOwner(), node.getNode().getNumber()).toString();
  }

  private static Map<String, Double> amounts(Resources resources) {
    Map<String, Double> amounts = new LinkedHashMap<>();
    amounts.put("CPU", resources.getCpuUnits() / UNITS);
    if (resources.getGpuUnits() > 0) {
      amounts.put("GPU", resources.getGpuUnits() / UNITS);
    }
    if (resources.getMemoryBytes() > 0) {
      amounts.put("memory", (double) resources.getMemoryBytes());
    }
    new TreeMap<>(resources.getCustomUnitsMap())
        .forEach((name, units) -> amounts.put(name, units / UNITS));
    return amounts;
  }

  /** Prints the status for people. */
  void print(PrintWriter out) {
    long alive = reply.getNodesList().stream().filter(NodeStatus::getAlive).count();
    out.println(
        "Cluster of session "
            + reply.getSessionId()
            + ", head "
            + head()
            + ", "
            + alive
            + (alive == 1 ? " node" : " nodes"));
    out.println();
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("NODE", "ADDRESS", "STATE", "WORKERS", "STORE", "USED OF TOTAL"));
    reply.getNodesList().forEach(node -> rows.add(row(node)));
    Table.print(out, rows);
    if (reply.getPendingCount() > 0) {
      out.println();
      List<List<String>> pending = new ArrayList<>();
      pending.add(List.of("WAITING", "DEMAND", "REASON"));
      for (PendingStatus each : reply.getPendingList()) {
        pending.add(List.of(Integer.toString(each.getCount()), each.getDemand(), each.getReason()));
      }
      Table.print(out, pending);
    }
  }

  private String head() {
    if (reply.getHeadAddress().isEmpty()) {
      return "none now";
    }
    return reply.getHeadAddress()
        + (reply.getEpoch() > 0 ? " (epoch " + reply.getEpoch() + ")" : " (does not serve yet)");
  }

  private static List<String> row(NodeStatus node) {
    return List.of(
        id(node),
        node.getAddress(),
        node.getAlive() ? "alive" : "dead",
        Integer.toString(node.getWorkers()),
        Table.bytes(node.getStoreUsedBytes()) + "/" + Table.bytes(node.getStoreCapacityBytes()),
        used(node));
  }

  private static String used(NodeStatus node) {
    Map<String, Double> free = amounts(node.getNumbers().getAvailable());
    return amounts(node.getNumbers().getTotal()).entrySet().stream()
        .map(total -> {
          double used = total.getValue() - free.getOrDefault(total.getKey(), 0.0);
          return total.getKey().equals("memory")
              ? "memory "
                  + Table.bytes((long) used)
                  + "/"
                  + Table.bytes(total.getValue().longValue())
              : total.getKey() + " " + number(used) + "/" + number(total.getValue());
        })
        .collect(Collectors.joining(", "));
  }

  private static String number(double number) {
    String text = String.format(Locale.ROOT, "%.4f", number);
    return text.replaceAll("\\.?0+$", "");
  }
}
