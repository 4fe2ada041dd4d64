package io.aktis.cluster.rpc;

/**
 * A host and a port of it. Immutable.
 *
 * @param host a name or an address; one of IPv6 without brackets
 * @param port 1 to 65535
 */
record RpcAddress(String host, int port) {
  private static final int MAX_PORT = 65_535;

  /**
   * Reads {@code host:port}.
   *
   * @throws IllegalArgumentException when it is not of this form
   */
  static RpcAddress parse(String text) {
    int colon = text.lastIndexOf(':');
    String host = text.substring(0, Math.max(colon, 0));
    String bare = bare(host);
    int port = port(text.substring(colon + 1));
    boolean clear = bare.indexOf(':') < 0 || !bare.equals(host);
    if (bare.isBlank() || !clear || port < 1 || port > MAX_PORT) {
      throw new IllegalArgumentException(
          "an address must be HOST:PORT with a port of 1 to "
              + MAX_PORT
              + ", and IPv6 in brackets as in [::1]:6380, not '"
              + text
              + "'");
    }
    return new RpcAddress(bare, port);
  }

  private static int port(String text) {
    boolean number = !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    return number && text.length() <= 5 ? Integer.parseInt(text) : -1;
  }

  /** Returns a host without brackets. */
  static String bare(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }

  /** Returns it as the path of a URI, in which IPv6 has characters that are not allowed. */
  String encoded() {
    return join(host, port).replace("%", "%25").replace("[", "%5B").replace("]", "%5D");
  }

  /** Returns host and port as people write them. */
  static String join(String host, int port) {
    String bare = bare(host);
    return (bare.indexOf(':') < 0 ? bare : "[" + bare + "]") + ":" + port;
  }
}
