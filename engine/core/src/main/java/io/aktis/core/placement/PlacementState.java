package io.aktis.core.placement;

import static io.aktis.core.placement.PlacementStep.ALL_COMMITTED;
import static io.aktis.core.placement.PlacementStep.ALL_PREPARED;
import static io.aktis.core.placement.PlacementStep.BUNDLES_LOST;
import static io.aktis.core.placement.PlacementStep.PLACE_REST_AGAIN;
import static io.aktis.core.placement.PlacementStep.PLAN_FOUND;
import static io.aktis.core.placement.PlacementStep.REMOVE;
import static io.aktis.core.placement.PlacementStep.START_OVER;

import io.aktis.core.machine.TransitionTable;

/** The states of a placement group. */
public enum PlacementState {
  /** Waits for room, or is infeasible. */
  PENDING,
  /** Nodes were asked to set bundles aside. */
  RESERVING,
  /** All have; they were asked to make it last. */
  COMMITTING,
  /** Work may run in it. */
  CREATED,
  /** Some bundles are lost and wait for room, before all groups that are pending. */
  RESCHEDULING,
  /** Gone for good. */
  REMOVED;

  /** The moves between the states. */
  public static final TransitionTable<PlacementState, PlacementStep> TABLE =
      TransitionTable.of(PlacementState.class, PlacementStep.class)
          .startsIn(PENDING)
          .on(PENDING, PLAN_FOUND, RESERVING)
          .on(PENDING, REMOVE, REMOVED)
          .on(RESERVING, ALL_PREPARED, COMMITTING)
          .on(RESERVING, START_OVER, PENDING)
          .on(RESERVING, PLACE_REST_AGAIN, RESCHEDULING)
          .on(RESERVING, REMOVE, REMOVED)
          .on(COMMITTING, ALL_COMMITTED, CREATED)
          .on(COMMITTING, START_OVER, PENDING)
          .on(COMMITTING, PLACE_REST_AGAIN, RESCHEDULING)
          .on(COMMITTING, REMOVE, REMOVED)
          .on(CREATED, BUNDLES_LOST, RESCHEDULING)
          .on(CREATED, REMOVE, REMOVED)
          .stays(RESCHEDULING, BUNDLES_LOST)
          .on(RESCHEDULING, PLAN_FOUND, RESERVING)
          .on(RESCHEDULING, REMOVE, REMOVED)
          .ignores(REMOVED, REMOVE)
          .endsIn(REMOVED)
          .build();

  /** Tells whether the group waits for room. */
  public boolean isWaiting() {
    return this == PENDING || this == RESCHEDULING;
  }

  /** Tells whether nodes were asked and have not all answered. */
  public boolean isInFlight() {
    return this == RESERVING || this == COMMITTING;
  }
}
