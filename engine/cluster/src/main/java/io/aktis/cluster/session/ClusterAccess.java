package io.aktis.cluster.session;

/**
 * What one needs to use a cluster. Immutable.
 *
 * @param address of one of its nodes
 * @param token its token, which is a secret
 */
public record ClusterAccess(HostPort address, String token) {
  @Override
  public String toString() {
    return address.toString(); // the token is a secret
  }
}
