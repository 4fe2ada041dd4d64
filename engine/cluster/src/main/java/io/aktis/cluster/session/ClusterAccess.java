package io.aktis.cluster.session;

import io.aktis.cluster.rpc.Credentials;

/**
 * What one needs to use a cluster. Immutable.
 *
 * @param address of one of its nodes
 * @param token its token, which is a secret
 */
public record ClusterAccess(HostPort address, String token) {
  /**
   * Returns what the nodes of the cluster are shown.
   *
   * @param sessionId the session that is meant; empty for who does not know it yet
   */
  public Credentials credentials(String sessionId) {
    return new Credentials(token, sessionId);
  }

  @Override
  public String toString() {
    return address.toString(); // the token is a secret
  }
}
