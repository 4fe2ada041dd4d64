package io.aktis.core.placement;

import io.aktis.core.id.GroupId;
import org.jspecify.annotations.Nullable;

/**
 * Names a timer. Timers are never cancelled; those that come too late are ignored.
 *
 * @param group the group, or null for all of them
 * @param kind what it is for
 * @param round the attempt, or the count of the kind, for which it was set
 */
public record TimerKey(@Nullable GroupId group, Kind kind, int round) {
  /** What a timer is for. */
  public enum Kind {
    /** Nodes should have answered. */
    ANSWER,
    /** A failed attempt may be followed by the next. */
    RETRY,
    /** The creator of an infeasible group should be told. */
    GRACE,
    /** Waiting groups should be planned on what the nodes told. */
    REPLAN
  }
}
