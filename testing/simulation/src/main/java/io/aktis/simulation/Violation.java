package io.aktis.simulation;

import org.jspecify.annotations.Nullable;

/** A rule is broken: a bug of the engine, or of the simulation. */
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Violation(String rule) {
    super(rule);
  }

  Violation(String story, Throwable cause) {
    super(story, cause);
  }

  static void check(boolean holds, String rule, @Nullable Object... about) {
    if (!holds) {
      StringBuilder out = new StringBuilder(rule).append(':');
      for (Object each : about) {
        out.append(' ').append(each);
      }
      throw new Violation(out.toString());
    }
  }
}
