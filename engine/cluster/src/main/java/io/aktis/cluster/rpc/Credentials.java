package io.aktis.cluster.rpc;

import io.aktis.cluster.tls.ClusterTls;
import io.grpc.Metadata;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;

/**
 * What both ends of a connection show each other: that they belong to the same cluster, and speak
 * the same version of the protocol.
 *
 * @param token the secret of the cluster, printable ASCII; empty for a caller who has none
 * @param session the id of the cluster's session; empty for who does not know it yet
 * @param tls the certificates, where the cluster uses TLS
 */
public record Credentials(String token, String session, Optional<ClusterTls> tls) {
  /** The version of the protocol that this build speaks. */
  public static final int PROTOCOL = 1;

  static final Metadata.Key<String> TOKEN = key("aktis-token");
  static final Metadata.Key<String> SESSION = key("aktis-session");
  static final Metadata.Key<String> VERSION = key("aktis-protocol");

  /**
   * Checks the token.
   *
   * @throws IllegalArgumentException when it cannot be sent; the message does not repeat it
   */
  public Credentials {
    if (!token.chars().allMatch(c -> c > ' ' && c <= '~')) {
      throw new IllegalArgumentException(
          "the token of a cluster must be printable ASCII without spaces");
    }
  }

  /** Makes those of a cluster that does not use TLS. */
  public Credentials(String token, String session) {
    this(token, session, Optional.empty());
  }

  /** Returns the same for a cluster that uses TLS. */
  public Credentials withTls(ClusterTls use) {
    return new Credentials(token, session, Optional.of(use));
  }

  private static Metadata.Key<String> key(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  Metadata headers() {
    Metadata headers = new Metadata();
    if (!token.isEmpty()) {
      headers.put(TOKEN, token);
    }
    headers.put(VERSION, Integer.toString(PROTOCOL));
    if (!session.isEmpty()) {
      headers.put(SESSION, session);
    }
    return headers;
  }

  /** Returns what is wrong with the headers of a caller, empty when nothing is. */
  String problem(Metadata headers) {
    String theirToken = headers.get(TOKEN);
    if (theirToken == null) {
      return "no token was sent; give the token of the cluster";
    }
    if (!MessageDigest.isEqual(bytes(token), bytes(theirToken))) {
      return "the token is not that of this cluster";
    }
    String version = headers.get(VERSION);
    if (!Integer.toString(PROTOCOL).equals(version)) {
      return ("the caller speaks version %s of the protocol, this cluster version %d; both"
              + " need the same version of Aktis")
          .formatted(version == null ? "0" : version, PROTOCOL);
    }
    String theirSession = headers.get(SESSION);
    if (theirSession != null && !theirSession.equals(session)) {
      return "this is the cluster of session " + session + ", not of " + theirSession;
    }
    return "";
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return "Credentials[session "
        + session
        + (tls.isPresent() ? ", TLS]" : "]"); // the token is a secret
  }
}
