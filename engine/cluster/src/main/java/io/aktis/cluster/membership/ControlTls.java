package io.aktis.cluster.membership;

import io.aktis.cluster.tls.ClusterTls;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import org.apache.pekko.remote.artery.tcp.SSLEngineProvider;
import scala.Option;

/**
 * Gives Pekko the TLS of the cluster. Host names are not looked at, see {@link
 * ClusterTls#NODE_NAME}. Thread-safe; called by Pekko, once for each connection.
 */
final class ControlTls implements SSLEngineProvider {
  private final ClusterTls tls;

  ControlTls(ClusterTls tls) {
    this.tls = tls;
  }

  @Override
  public SSLEngine createServerSSLEngine(String hostname, int port) {
    return tls.engine(false);
  }

  @Override
  public SSLEngine createClientSSLEngine(String hostname, int port) {
    return tls.engine(true);
  }

  /** The trust manager has checked the other end by then. */
  @Override
  public Option<Throwable> verifyClientSession(String hostname, SSLSession session) {
    return Option.empty();
  }

  @Override
  public Option<Throwable> verifyServerSession(String hostname, SSLSession session) {
    return Option.empty();
  }
}
