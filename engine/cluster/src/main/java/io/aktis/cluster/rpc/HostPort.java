package io.aktis.cluster.rpc;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * A host and a port of it: {@code 127.0.0.1:6380}, {@code name:6380}, {@code [::1]:6380}.
 * Immutable.
 *
 * @param host a name or an address; one of IPv6 without brackets
 * @param port 1 to {@link #MAX_PORT}
 */
public record HostPort(String host, int port) {
  /** The largest number of a port. */
  public static final int MAX_PORT = 65_535;

  /** Takes the brackets from a host, and checks both. */
  public HostPort {
    host = bare(host);
    if (host.isBlank() || port < 1 || port > MAX_PORT) {
      throw new IllegalArgumentException(
          "'" + host + "' and " + port + " are no host and port; a port is 1 to " + MAX_PORT);
    }
  }

  /**
   * Reads {@code HOST:PORT}.
   *
   * @param what says in the error what it should have been
   * @throws IllegalArgumentException when it is not of this form
   */
  public static HostPort parse(String what, String text) {
    int colon = text.lastIndexOf(':');
    String host = text.substring(0, Math.max(colon, 0));
    String bare = bare(host);
    int port = port(text.substring(colon + 1));
    boolean clear = bare.indexOf(':') < 0 || !bare.equals(host);
    if (bare.isBlank() || !clear || bare.indexOf('/') >= 0 || port < 1 || port > MAX_PORT) {
      throw new IllegalArgumentException(
          what
              + " must be HOST:PORT with a port of 1 to "
              + MAX_PORT
              + ", and IPv6 in brackets as in [::1]:6380, not '"
              + text
              + "'");
    }
    return new HostPort(bare, port);
  }

  private static int port(String text) {
    boolean number = !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    return number && text.length() <= 5 ? Integer.parseInt(text) : -1;
  }

  private static String bare(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }

  /** Returns a host as it is written before a port: IPv6 in brackets. */
  public static String bracketed(String host) {
    String bare = bare(host);
    return bare.indexOf(':') < 0 ? bare : "[" + bare + "]";
  }

  /** Returns host and port as people write them, also for a port that is 0. */
  public static String join(String host, int port) {
    return bracketed(host) + ":" + port;
  }

  /**
   * Looks a host up.
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

  /** Returns it as people write it. */
  @Override
  public String toString() {
    return join(host, port);
  }
}
