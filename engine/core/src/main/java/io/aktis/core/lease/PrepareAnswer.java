package io.aktis.core.lease;

import io.aktis.core.id.GroupId;
import io.aktis.core.id.LeaseId;
import io.aktis.core.resource.NodeNumbers;
import java.util.List;

/** What a ledger says when bundles are to be set aside. */
public sealed interface PrepareAnswer {
  /** Returns the group. */
  GroupId group();

  /** Returns the attempt that is answered. */
  int attempt();

  /**
   * All bundles are set aside until they are committed, cancelled or expire.
   *
   * @param group the group
   * @param indexes the bundles
   * @param attempt the attempt
   * @param numbers the node as it is now
   */
  record Prepared(GroupId group, List<Integer> indexes, int attempt, NodeNumbers numbers)
      implements PrepareAnswer {}

  /**
   * Nothing is set aside.
   *
   * @param group the group
   * @param attempt the attempt
   * @param reason why
   * @param numbers the node as it is now
   * @param idle idle leases whose end would make room; empty when they would not
   */
  record Refused(
      GroupId group, int attempt, Refusal reason, NodeNumbers numbers, List<LeaseId> idle)
      implements PrepareAnswer {}
}
