package io.aktis.core.owner;

/**
 * The limits of an owner.
 *
 * @param ownerNumber the number in the ids that it gives
 * @param infeasibleGraceMs how long work waits that no node can hold, before it fails
 * @param maxLineageBytes bytes kept to make lost objects again
 */
public record OwnerConfig(long ownerNumber, long infeasibleGraceMs, long maxLineageBytes) {
  /** Checks the limits. */
  public OwnerConfig {
    if (infeasibleGraceMs < 0 || maxLineageBytes < 0) {
      throw new IllegalArgumentException("limits of an owner must not be negative");
    }
  }
}
