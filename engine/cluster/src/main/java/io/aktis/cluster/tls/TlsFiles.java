package io.aktis.cluster.tls;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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

  private static final String CA_ENTRY = "tls-ca";
  private static final String CERTIFICATE_ENTRY = "tls-certificate";
  private static final String KEY_ENTRY = "tls-key";

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

  /** Returns the paths as entries of a file of settings, for {@link #of}. */
  public Map<String, String> entries() {
    return Map.of(
        CA_ENTRY,
        ca.toString(),
        CERTIFICATE_ENTRY,
        certificate.toString(),
        KEY_ENTRY,
        key.toString());
  }

  /**
   * Reads what {@link #entries} tells, from among other entries.
   *
   * @return empty when there is none of them: no TLS
   * @throws IllegalArgumentException when only some of them are there
   */
  public static Optional<TlsFiles> of(Map<String, String> entries) {
    @Nullable String ca = entries.get(CA_ENTRY);
    @Nullable String certificate = entries.get(CERTIFICATE_ENTRY);
    @Nullable String key = entries.get(KEY_ENTRY);
    if (ca == null && certificate == null && key == null) {
      return Optional.empty();
    }
    if (ca == null || certificate == null || key == null) {
      throw new IllegalArgumentException(
          "TLS needs all of %s, %s and %s".formatted(CA_ENTRY, CERTIFICATE_ENTRY, KEY_ENTRY));
    }
    return Optional.of(new TlsFiles(Path.of(ca), Path.of(certificate), Path.of(key)));
  }
}
