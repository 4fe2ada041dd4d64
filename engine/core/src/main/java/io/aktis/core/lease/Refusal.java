package io.aktis.core.lease;

/** Why a ledger said no. */
public enum Refusal {
  /** Others hold it now. */
  BUSY,
  /** There is CPU, but work that waited in a get comes first. */
  RESUMING,
  /** The sum of free GPU shares would do, but no single device has it. */
  GPUS_SCATTERED,
  /** More than this node, or the bundle, has altogether. */
  INFEASIBLE,
  /** The bundle is not here, or not committed yet. */
  NO_BUNDLE,
  /** The placement group is removed for good. */
  GROUP_REMOVED,
  /** The preparation was cancelled before it came. */
  STALE_ATTEMPT,
  /** A bundle of an earlier attempt is still here: cancel it first. */
  OLD_BUNDLE_HERE;

  /** Tells whether the same request can succeed here once something is free. */
  public boolean isForNow() {
    return this == BUSY || this == RESUMING || this == GPUS_SCATTERED;
  }
}
