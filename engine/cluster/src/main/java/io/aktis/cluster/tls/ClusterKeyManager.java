package io.aktis.cluster.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Shows the certificate that is in the files at the time. The alias tells the generation of them,
 * so that certificate and key of one handshake belong together. Thread-safe; called by engines.
 */
final class ClusterKeyManager extends X509ExtendedKeyManager {
  private final ClusterTls tls;

  ClusterKeyManager(ClusterTls tls) {
    this.tls = tls;
  }

  /** There is one certificate; whom the other end trusts makes no difference. */
  private @Nullable String alias(@Nullable String... keyTypes) {
    ClusterTls.Loaded loaded = tls.current();
    String own = loaded.identity().key().getAlgorithm();
    for (String type : keyTypes) {
      // "EC" and "RSA", and of older versions of TLS "EC_EC", "EC_RSA".
      if (type != null && (type.equals(own) || type.startsWith(own + "_"))) {
        return Long.toString(loaded.generation());
      }
    }
    return null;
  }

  private TlsIdentity identity(String alias) {
    return tls.current().of(Long.parseLong(alias));
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return identity(alias).chain().toArray(X509Certificate[]::new);
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return identity(alias).key();
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return alias(keyTypes);
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return alias(keyType);
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return alias(keyTypes);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return alias(keyType);
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return aliases(keyType);
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return aliases(keyType);
  }

  private String @Nullable [] aliases(String keyType) {
    String alias = alias(keyType);
    return alias == null ? null : new String[] {alias};
  }
}
