package io.aktis.core.placement;

import io.aktis.core.id.GroupId;
import io.aktis.core.id.NodeId;
import io.aktis.core.lease.Bundle;
import java.util.List;
import java.util.SortedMap;

/** What a {@link PlacementMachine} wants done. */
public sealed interface PlacementEffect {
  /** Ask a node to set bundles aside for {@code holdMs} from when it hears of it. */
  record SendPrepare(NodeId node, GroupId group, int attempt, List<Bundle> bundles, long holdMs)
      implements PlacementEffect {}

  /** Ask a node to make prepared bundles last. */
  record SendCommit(NodeId node, GroupId group, List<Integer> indexes, int attempt)
      implements PlacementEffect {}

  /** Ask a node to give up bundles of this attempt or an earlier one. */
  record SendCancel(NodeId node, GroupId group, List<Integer> indexes, int attempt)
      implements PlacementEffect {}

  /** Ask a node to give up the group for good. */
  record SendRemove(NodeId node, GroupId group) implements PlacementEffect {}

  /** Tell that work may run in the group. */
  record TellReady(GroupId group, SortedMap<Integer, NodeId> nodes) implements PlacementEffect {}

  /** Tell that bundles were lost with their node and are placed again. */
  record TellLost(GroupId group, List<Integer> indexes) implements PlacementEffect {}

  /** Tell that no nodes that are known can hold the group; it waits on for some that can. */
  record TellInfeasible(GroupId group, String reason) implements PlacementEffect {}

  /** Tell that the group is gone. */
  record TellRemoved(GroupId group) implements PlacementEffect {}

  /** Send a {@link PlacementEvent.Timer} at this time. */
  record SetTimer(TimerKey key, long atMs) implements PlacementEffect {}

  /** Write the group down, before the effects that follow. */
  record Save(GroupRecord group) implements PlacementEffect {}

  /** Strike the group out. */
  record Erase(GroupId group) implements PlacementEffect {}
}
