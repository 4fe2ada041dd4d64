package io.aktis.conformance;

import io.aktis.SessionOptions;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** A session in which infeasible work fails soon. */
final class ShortGrace implements UnaryOperator<SessionOptions> {
  @Override
  public SessionOptions apply(SessionOptions options) {
    return options.infeasibleGrace(Duration.ofMillis(100));
  }
}
