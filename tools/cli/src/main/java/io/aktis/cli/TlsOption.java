package io.aktis.cli;

import io.aktis.cluster.session.TlsPlaces;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option for the certificates of a cluster. Confined to one thread. */
final class TlsOption {
  @Option(
      names = "--tls",
      paramLabel = "DIR",
      arity = "0..1",
      fallbackValue = "",
      description =
          "Use TLS, with the certificates in DIR; without DIR, in AKTIS_TLS_DIR or ~/.aktis/tls"
              + " [when AKTIS_TLS_DIR is set, or the cluster runs here and uses TLS].")
  private @Nullable String directory;

  boolean isGiven() {
    return directory != null;
  }

  /** Returns the directory that is meant; null when the option was not given. */
  @Nullable Path directory() {
    String named = directory;
    if (named == null) {
      return null;
    }
    return named.isEmpty() ? TlsPlaces.usual() : Path.of(named).toAbsolutePath().normalize();
  }

  /** Has programs of this JVM use it: they find it as they find their address. */
  void applyToThisJvm() {
    Path meant = directory();
    if (meant != null) {
      System.setProperty(TlsPlaces.PROPERTY, meant.toString());
    }
  }
}
