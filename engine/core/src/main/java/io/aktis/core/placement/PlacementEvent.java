package io.aktis.core.placement;

import io.aktis.core.id.GroupId;
import io.aktis.core.id.NodeId;
import io.aktis.core.lease.BundleStatus;
import io.aktis.core.lease.Refusal;
import io.aktis.core.resource.NodeNumbers;
import io.aktis.core.schedule.NodeView;
import java.util.List;

/** What can happen to placement groups. */
public sealed interface PlacementEvent {
  /** Returns the time of the event. */
  long nowMs();

  /** A group is asked for. */
  record Create(GroupId group, GroupSpec spec, long nowMs) implements PlacementEvent {}

  /** A node has set these bundles aside. */
  record Prepared(
      NodeId node,
      GroupId group,
      List<Integer> indexes,
      int attempt,
      NodeNumbers numbers,
      long nowMs)
      implements PlacementEvent {}

  /** A node has not. */
  record Refused(
      NodeId node, GroupId group, int attempt, Refusal reason, NodeNumbers numbers, long nowMs)
      implements PlacementEvent {}

  /** A node has made its bundles last, or could not since they had expired. */
  record Committed(NodeId node, GroupId group, int attempt, boolean done, long nowMs)
      implements PlacementEvent {}

  /** A node joined, or tells how it is now. */
  record NodeChanged(NodeView node, long nowMs) implements PlacementEvent {}

  /** A node is gone, and all that was on it. */
  record NodeLost(NodeId node, long nowMs) implements PlacementEvent {}

  /** A node tells, now and then, which bundles it has: so that lost messages cannot leak any. */
  record Reported(NodeId node, List<BundleStatus> bundles, long nowMs) implements PlacementEvent {}

  /** A group is to go. */
  record Remove(GroupId group, long nowMs) implements PlacementEvent {}

  /** A job is over: its groups go, but for those that are detached. */
  record JobEnded(long job, long nowMs) implements PlacementEvent {}

  /** A timer that was asked for. */
  record Timer(TimerKey key, long nowMs) implements PlacementEvent {}
}
