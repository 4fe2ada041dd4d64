package io.aktis.simulation;

import io.aktis.core.link.LinkLimits;
import io.aktis.core.placement.PlacementLimits;

/** The times of the simulated cluster, in milliseconds of its clock. */
final class Timing {
  /** Short, so that a few simulated seconds hold many failures. */
  static final LinkLimits LINK = new LinkLimits(50, 400, 250, 1_500, 64, 20_000);

  static final PlacementLimits PLACEMENT = new PlacementLimits(800, 4_000, 50, 800, 20, 2_000);

  /** How long work waits that no node can hold. */
  static final long INFEASIBLE_GRACE = 3_000;

  /** How often nodes tell how they are. */
  static final long GOSSIP = 150;

  /** How often nodes tell which bundles they have. */
  static final long REPORT = 500;

  /** How long after a head starts it counts nodes as lost that it has not heard of. */
  static final long HEAD_WARM_UP = 4_000;

  /** How long an owner may be out of sight of the head before its job is over. */
  static final long JOB_GRACE = 5_000;

  /** How long an interrupted attempt may go on before its result is taken away. */
  static final long CANCEL_GRACE = 300;

  /** How long code waits for one of several values at most. */
  static final long WAIT_FOR_ONE = 1_000;

  /** How long work takes to end that runs in a bundle which is given up. */
  static final long KILL = 20;

  /** When faults stop, at the latest. */
  static final long FAULTS_END = 10_000;

  /** How long after that everything may take to be over. */
  static final long ALL_OVER = 120_000;

  /** How long a node may keep leases of an owner that is dead. */
  static final long DEAD_OWNER = 10_000;

  private Timing() {}
}
