package io.aktis.testkit;

import io.aktis.SessionOptions;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Nodes that are ready for sessions. Immutable.
 *
 * @param address where they are; {@code local} when a session makes them
 * @param options all options of a session on them, for {@code Aktis.init} and {@code Aktis.open}
 * @param jvmOptions what another JVM on this machine needs to open sessions there
 */
public record Deployment(
    String address, UnaryOperator<SessionOptions> options, List<String> jvmOptions) {
  /** Copies. */
  public Deployment {
    jvmOptions = List.copyOf(jvmOptions);
  }
}
