package io.aktis.cluster.session;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;

/**
 * A host and a port, as people write them: {@code 127.0.0.1:6380}, {@code name:6380}, {@code
 * [::1]:6380}. Immutable.
 *
 * @param host a name or an address, IPv6 without brackets
 * @param port from 1 to 65,535
 */
public record HostPort(String host, int port) {
  private static final String SCHEME = "aktis://";

  /** Checks the parts. */
  public HostPort {
    if (host.isEmpty() || port < 1 || port > 65_535) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "'%s' and %d are no host and port; a port is from 1 to 65,535",
              host,
              port));
    }
  }

  /**
   * Reads {@code HOST:PORT}, with {@code aktis://} before it or not.
   *
   * @throws IllegalArgumentException when it is something else; the message says what is allowed
   */
  public static HostPort parse(String text) {
    String rest = text.startsWith(SCHEME) ? text.substring(SCHEME.length()) : text;
    int colon = rest.lastIndexOf(':');
    if (colon > 0) {
      String host = rest.substring(0, colon);
      boolean bracketed = host.startsWith("[") && host.endsWith("]");
      try {
        int port = Integer.parseInt(rest.substring(colon + 1));
        if ((bracketed || host.indexOf(':') < 0) && !host.contains("/") && !host.isBlank()) {
          return new HostPort(bracketed ? host.substring(1, host.length() - 1) : host, port);
        }
      } catch (IllegalArgumentException e) {
        // told below
      }
    }
    throw new IllegalArgumentException(
        "'"
            + text
            + "' is not an address; write HOST:PORT, such as 127.0.0.1:6380 or [::1]:6380, or"
            + " auto");
  }

  /**
   * Looks the host up.
   *
   * @throws IllegalArgumentException when the name resolves to nothing
   */
  public static InetAddress resolve(String host) {
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("the host name '" + host + "' resolves to nothing", e);
    }
  }

  /** Returns {@code host:port}, with brackets where they are needed. */
  @Override
  public String toString() {
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }
}
