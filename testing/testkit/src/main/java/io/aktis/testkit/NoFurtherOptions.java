package io.aktis.testkit;

import io.aktis.SessionOptions;
import java.util.function.UnaryOperator;

/** Leaves the options of a session as they are. */
final class NoFurtherOptions implements UnaryOperator<SessionOptions> {
  @Override
  public SessionOptions apply(SessionOptions options) {
    return options;
  }
}
