package io.aktis.spi;

import io.aktis.AktisSession;
import io.aktis.SessionOptions;

/** Opens sessions for a kind of address; found by {@link java.util.ServiceLoader}. */
public interface EngineProvider {
  /**
   * Returns whether this engine serves {@code address}, such as {@code local} or {@code
   * aktis://host:port}.
   */
  boolean accepts(String address);

  /**
   * Opens a session; returns when it can take work.
   *
   * @throws IllegalArgumentException when options contradict each other
   */
  AktisSession open(SessionOptions options);
}
