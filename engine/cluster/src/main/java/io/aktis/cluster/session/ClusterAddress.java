package io.aktis.cluster.session;

import io.aktis.cluster.rpc.HostPort;

/** The address of a cluster as its users write it. Stateless. */
public final class ClusterAddress {
  private static final String SCHEME = "aktis://";

  private ClusterAddress() {}

  /**
   * Reads {@code HOST:PORT}, with {@code aktis://} before it or not.
   *
   * @throws IllegalArgumentException when it is something else; the message says what is allowed
   */
  public static HostPort parse(String text) {
    try {
      return HostPort.parse(
          "an address", text.startsWith(SCHEME) ? text.substring(SCHEME.length()) : text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is not an address; write HOST:PORT, such as 127.0.0.1:6380 or [::1]:6380, or"
              + " auto",
          e);
    }
  }
}
