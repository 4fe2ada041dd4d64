package io.aktis.cluster.tls;

import java.nio.file.Path;
import java.util.List;

/**
 * The three files, all PEM, that a process of a cluster with TLS has. Immutable; reads nothing, see
 * {@link ClusterTls#load}.
 *
 * @param ca the certificates of whom to trust: one, or while a CA is replaced the old and the new
 * @param certificate the own certificate, then those between it and the CA, if there are any
 * @param key the private key of the own certificate, as PKCS#8 and not encrypted; only its owner
 *     may read it
 */
public record TlsFiles(Path ca, Path certificate, Path key) {
  static final String CA = "ca.pem";
  static final String CERTIFICATE = "node.pem";
  static final String KEY = "node-key.pem";

  /** Makes the paths absolute. */
  public TlsFiles {
    ca = ca.toAbsolutePath().normalize();
    certificate = certificate.toAbsolutePath().normalize();
    key = key.toAbsolutePath().normalize();
  }

  /** Returns the files as {@link ClusterCa} names them: ca.pem, node.pem and node-key.pem. */
  public static TlsFiles in(Path directory) {
    return new TlsFiles(
        directory.resolve(CA), directory.resolve(CERTIFICATE), directory.resolve(KEY));
  }

  List<Path> all() {
    return List.of(ca, certificate, key);
  }
}
