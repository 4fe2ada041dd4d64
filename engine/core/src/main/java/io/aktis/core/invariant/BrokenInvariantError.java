package io.aktis.core.invariant;

/** A rule of the engine does not hold: a bug of the engine, never of the user. */
public final class BrokenInvariantError extends Error {
  private static final long serialVersionUID = 1L;

  /** Makes the error for the rule that is broken. */
  public BrokenInvariantError(String rule) {
    super(rule);
  }
}
