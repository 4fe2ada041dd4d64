package io.aktis.testkit;

import io.aktis.cluster.session.SessionDirectory;
import io.aktis.cluster.session.TlsPlaces;
import io.aktis.cluster.tls.ClusterCa;
import io.aktis.cluster.tls.TlsException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What all clusters have in common that tests of this JVM start: a directory apart from the user's
 * clusters, and certificates if the system property {@value #TLS} is {@code true}. Immutable; made
 * when it is asked for first, and deleted at the end of the JVM.
 *
 * @param token the file with the token of the clusters
 * @param tlsDir has the certificates for nodes and programs; empty for no TLS
 * @param programOptions options of a JVM that uses the clusters
 */
record TestHome(Path token, Optional<Path> tlsDir, List<String> programOptions) {
  static final String TLS = "aktis.test.tls";

  private static final class Holder {
    static final TestHome HOME = make();
  }

  /** Returns that of this JVM. */
  static TestHome instance() {
    return Holder.HOME;
  }

  private static TestHome make() {
    String homeOption = ProcessGuard.watch();
    SessionDirectory directory = SessionDirectory.open();
    directory.token(); // makes it
    if (!Boolean.getBoolean(TLS)) {
      return new TestHome(directory.tokenFile(), Optional.empty(), List.of(homeOption));
    }
    Path tls = directory.base().resolve("tls");
    try {
      ClusterCa.init(tls, List.of());
    } catch (TlsException e) {
      throw new UncheckedIOException("no certificates can be made for tests", e);
    }
    System.setProperty(TlsPlaces.PROPERTY, tls.toString());
    return new TestHome(
        directory.tokenFile(),
        Optional.of(tls),
        List.of(homeOption, "-D" + TlsPlaces.PROPERTY + "=" + tls));
  }
}
