package io.aktis.core.schedule;

import io.aktis.core.id.NodeId;
import io.aktis.core.resource.Resources;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** Collects why nodes were rejected; made only when none was chosen. */
final class Story {
  private final List<Rejection> first = new ArrayList<>();
  private final EnumMap<Rejection.Why, Integer> counts = new EnumMap<>(Rejection.Why.class);

  void add(NodeId node, Rejection.Why why, Resources lacking) {
    counts.merge(why, 1, Integer::sum);
    if (first.size() < Decision.MAX_REJECTIONS) {
      first.add(new Rejection(node, why, lacking));
    }
  }

  List<Rejection> rejectedBy() {
    return List.copyOf(first);
  }

  /** Returns for example {@code {cpu: 4}: of 3 nodes 2 busy, 1 too small}. */
  String reason(Object need) {
    int all = counts.values().stream().mapToInt(Integer::intValue).sum();
    if (all == 0) {
      return need + ": no node is known";
    }
    StringJoiner parts = new StringJoiner(", ");
    for (Map.Entry<Rejection.Why, Integer> entry : counts.entrySet()) {
      parts.add(entry.getValue() + " " + entry.getKey().words());
    }
    return need + ": of " + all + (all == 1 ? " node " : " nodes ") + parts;
  }
}
