package io.aktis.cluster.session;

import io.aktis.cluster.tls.ClusterTls;
import io.aktis.cluster.tls.TlsException;
import io.aktis.cluster.tls.TlsFiles;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where the certificates of a cluster with TLS are. All methods are static and read the environment
 * or files; thread-safe.
 */
public final class TlsPlaces {
  /** Names the directory with the certificates. */
  public static final String PROPERTY = "aktis.tls.dir";

  static final String VARIABLE = "AKTIS_TLS_DIR";

  private TlsPlaces() {}

  /**
   * Returns the directory that is meant where none is named: that of the system property {@code
   * aktis.tls.dir} or the variable {@code AKTIS_TLS_DIR}; else {@code tls} in the directory that
   * {@code aktis.home.dir} or {@code AKTIS_HOME_DIR} names; else {@code .aktis/tls} in the user's
   * home, for the one in {@code /tmp} is no place for what is kept for years.
   */
  public static Path usual() {
    return given()
        .or(() -> SessionDirectory.chosen().map(base -> base.resolve("tls")))
        .orElseGet(
            () -> Path.of(System.getProperty("user.home"), ".aktis", "tls").toAbsolutePath());
  }

  /** Returns the directory that the property or the variable names: TLS is wanted, then. */
  private static Optional<Path> given() {
    String given = System.getProperty(PROPERTY, System.getenv(VARIABLE));
    return given == null || given.isBlank()
        ? Optional.empty()
        : Optional.of(Path.of(given).toAbsolutePath().normalize());
  }

  /**
   * Reads the certificates that somebody wants to be used.
   *
   * @param directory {@code null} to look at the property and the variable
   * @return empty when nobody wants TLS
   * @throws IllegalStateException when they cannot be used; the message names the file and says why
   */
  static Optional<ClusterTls> wanted(@Nullable Path directory) {
    return Optional.ofNullable(directory)
        .or(TlsPlaces::given)
        .map(chosen -> load(TlsFiles.in(chosen)));
  }

  /**
   * Reads certificates.
   *
   * @throws IllegalStateException when they cannot be used; the message names the file and says why
   */
  static ClusterTls load(TlsFiles files) {
    try {
      return ClusterTls.load(files);
    } catch (TlsException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }
}
