package io.aktis.cluster.tls;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Accepts who has a certificate of the cluster's CA that is made for Aktis, under whatever address
 * it is reached. Thread-safe; called by engines.
 */
final class ClusterTrustManager extends X509ExtendedTrustManager {
  private final ClusterTls tls;
  private final Runnable whenTrusted;

  /**
   * Makes one.
   *
   * @param whenTrusted what is called each time a certificate is accepted
   */
  ClusterTrustManager(ClusterTls tls, Runnable whenTrusted) {
    this.tls = tls;
    this.whenTrusted = whenTrusted;
  }

  private interface Check {
    void run(X509TrustManager trust) throws CertificateException;
  }

  private void check(X509Certificate[] chain, Check check) throws CertificateException {
    try {
      check.run(tls.current().identity().trust());
      TlsIdentity.checkName(chain[0]);
      whenTrusted.run();
    } catch (CertificateException e) {
      throw new CertificateException(
          "the certificate of %s is refused: %s"
              .formatted(TlsIdentity.name(chain[0]), TlsIdentity.reason(e)),
          e);
    }
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    check(chain, trust -> trust.checkClientTrusted(chain, authType));
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    check(chain, trust -> trust.checkServerTrusted(chain, authType));
  }

  @Override
  public void checkClientTrusted(
      X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
      throws CertificateException {
    checkClientTrusted(chain, authType);
  }

  @Override
  public void checkServerTrusted(
      X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
      throws CertificateException {
    checkServerTrusted(chain, authType);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, @Nullable Socket socket)
      throws CertificateException {
    checkClientTrusted(chain, authType);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, @Nullable Socket socket)
      throws CertificateException {
    checkServerTrusted(chain, authType);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return tls.current().identity().trust().getAcceptedIssuers();
  }
}
