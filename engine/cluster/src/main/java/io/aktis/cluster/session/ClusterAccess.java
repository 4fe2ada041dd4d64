package io.aktis.cluster.session;

import io.aktis.cluster.rpc.Credentials;
import io.aktis.cluster.rpc.HostPort;
import io.aktis.cluster.tls.ClusterTls;
import java.util.Optional;

/**
 * What one needs to use a cluster. Immutable.
 *
 * @param address of one of its nodes
 * @param token its token, which is a secret
 * @param tls the certificates, where the cluster uses TLS
 */
public record ClusterAccess(HostPort address, String token, Optional<ClusterTls> tls) {
  /**
   * Returns what the nodes of the cluster are shown.
   *
   * @param sessionId the session that is meant; empty for who does not know it yet
   */
  public Credentials credentials(String sessionId) {
    return new Credentials(token, sessionId, tls);
  }

  @Override
  public String toString() {
    return address.toString(); // the token is a secret
  }
}
