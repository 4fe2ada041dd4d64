package io.aktis.cluster.control;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a Redis is, as {@code redis[s]://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE][?ca=FILE]}.
 * Immutable; its text has no password.
 *
 * @param tls whether it speaks TLS
 * @param host its host
 * @param port its port
 * @param database the number of its database
 * @param user empty for the default one
 * @param password empty for none
 * @param ca a file with the certificate of the CA that has signed its own; else those count that
 *     the JVM trusts
 */
record RedisAddress(
    boolean tls,
    String host,
    int port,
    int database,
    String user,
    String password,
    Optional<String> ca) {
  static final String PLAIN = "redis";
  static final String TLS = "rediss";
  private static final int DEFAULT_PORT = 6379;
  private static final int MAX_PORT = 65_535;
  private static final String FORM =
      "redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE], or rediss:// for TLS, which can end in"
          + " ?ca=FILE";

  /**
   * Reads an address.
   *
   * @throws IllegalArgumentException when it is none; the message says what is wrong, and has no
   *     password
   */
  static RedisAddress parse(String text) {
    URI uri;
    try {
      uri = new URI(text);
    } catch (URISyntaxException e) {
      // Not the cause: its message has the whole text.
      throw wrong("it is no address at character " + e.getIndex());
    }
    boolean tls = TLS.equals(uri.getScheme());
    if (uri.getHost() == null || uri.getFragment() != null) {
      throw wrong("it has no host, or something after #");
    }
    String[] login = login(uri.getUserInfo());
    return new RedisAddress(
        tls,
        uri.getHost(),
        port(uri.getPort()),
        database(uri.getPath()),
        login[0],
        login[1],
        ca(tls, uri.getQuery()));
  }

  private static IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException(
        "the control store is to be " + FORM + "; what was given is not: " + what);
  }

  private static int port(int given) {
    int port = given < 0 ? DEFAULT_PORT : given;
    if (port < 1 || port > MAX_PORT) {
      throw wrong(port + " is no port");
    }
    return port;
  }

  private static String[] login(@Nullable String userInfo) {
    if (userInfo == null || userInfo.isEmpty()) {
      return new String[] {"", ""};
    }
    int colon = userInfo.indexOf(':');
    if (colon < 0) {
      throw wrong("a user without a password");
    }
    return new String[] {userInfo.substring(0, colon), userInfo.substring(colon + 1)};
  }

  private static int database(@Nullable String path) {
    String number = path == null || path.length() < 2 ? "0" : path.substring(1);
    if (!number.matches("\\d{1,5}")) {
      throw wrong("'" + number + "' is no number of a database");
    }
    return Integer.parseInt(number);
  }

  private static Optional<String> ca(boolean tls, @Nullable String query) {
    if (query == null) {
      return Optional.empty();
    }
    if (!query.startsWith("ca=") || query.length() < 4 || !tls) {
      throw wrong("'?" + query + "', and only rediss:// can have something there: ?ca=FILE");
    }
    return Optional.of(query.substring("ca=".length()));
  }

  @Override
  public String toString() {
    return (tls ? TLS : PLAIN) + "://" + host + ":" + port + "/" + database;
  }
}
