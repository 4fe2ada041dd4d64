package io.aktis.core.invariant;

/** States what must hold whatever users do and however machines fail. */
public final class Invariant {
  private Invariant() {}

  /**
   * Checks that {@code holds}.
   *
   * @throws BrokenInvariantError when it does not
   */
  public static void check(boolean holds, String rule) {
    if (!holds) {
      throw new BrokenInvariantError(rule);
    }
  }

  /**
   * Checks that {@code holds}; the rule and its subject are joined only on failure.
   *
   * @throws BrokenInvariantError when it does not
   */
  public static void check(boolean holds, String rule, Object subject) {
    if (!holds) {
      throw new BrokenInvariantError(rule + ": " + subject);
    }
  }
}
