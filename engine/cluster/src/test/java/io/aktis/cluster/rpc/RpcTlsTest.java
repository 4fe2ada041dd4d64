package io.aktis.cluster.rpc;

import static io.aktis.cluster.rpc.HealthServer.CREDENTIALS;
import static io.aktis.cluster.rpc.HealthServer.tell;
import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.cluster.tls.ClusterCa;
import io.aktis.cluster.tls.ClusterTls;
import io.aktis.cluster.tls.TlsException;
import io.aktis.cluster.tls.TlsFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real servers and channels with TLS, and who is refused. */
final class RpcTlsTest {
  private static final Duration SHORT = Duration.ofSeconds(4);

  @TempDir Path directory;
  private TlsFiles files;
  private ClusterTls tls;

  @BeforeEach
  void makeCertificates() throws TlsException {
    files = ClusterCa.init(directory.resolve("cluster"), List.of("127.0.0.1"));
    tls = ClusterTls.load(files);
  }

  private ClusterTls ofAnotherCa() throws TlsException {
    return ClusterTls.load(ClusterCa.init(directory.resolve("other"), List.of("127.0.0.1")));
  }

  /** Returns one that was fine when it was read. */
  private ClusterTls expired() throws TlsException {
    Instant until = Instant.now().plus(SHORT);
    TlsFiles shortLived =
        ClusterCa.issue(directory.resolve("cluster"), directory.resolve("short"), List.of(), SHORT);
    ClusterTls expired = ClusterTls.load(shortLived);
    while (!Instant.now().isAfter(until)) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
    return expired;
  }

  private static String tellTls(HealthServer server, ClusterTls tls) {
    return tell(server.address, CREDENTIALS, Optional.of(tls));
  }

  @Test
  void call_withTlsOfTheSameCa_isAnsweredAtWhateverAddress() throws Exception {
    ClusterTls another =
        ClusterTls.load(
            ClusterCa.issue(
                directory.resolve("cluster"),
                directory.resolve("another"),
                List.of("somewhere.example"),
                Duration.ofDays(1)));
    try (HealthServer server = HealthServer.encrypted(another)) {
      assertThat(tellTls(server, tls)).isEqualTo("well");
      assertThat(tell("localhost:" + server.server.port(), CREDENTIALS, Optional.of(another)))
          .isEqualTo("well");
      assertThat(server.server.lastRefusal()).isEmpty();
    }
  }

  @Test
  void call_withTlsAndAnotherToken_isRefused() throws Exception {
    try (HealthServer server = HealthServer.encrypted(tls)) {
      assertThat(tell(server.address, new Credentials("guess", ""), Optional.of(tls)))
          .startsWith("REFUSED")
          .contains("the token is not that of this cluster");
    }
  }

  @RepeatedTest(5)
  void call_withoutTlsOfAServerWithIt_isRefusedOnBothSides() throws Exception {
    try (HealthServer server = HealthServer.encrypted(tls)) {
      assertThat(tell(server.address, CREDENTIALS, Optional.empty()))
          .isEqualTo(
              "REFUSED "
                  + server.address
                  + " cannot be used: it uses TLS, and this side does not; --tls DIR or"
                  + " AKTIS_TLS_DIR says where its certificates are");
      assertThat(server.refusal("TLS"))
          .startsWith("refused /127.0.0.1:")
          .endsWith("it does not use TLS, and this side does");
    }
  }

  @RepeatedTest(5)
  void call_withTlsOfAServerWithoutIt_isRefusedOnBothSides() throws Exception {
    try (HealthServer server = HealthServer.plain()) {
      assertThat(tellTls(server, tls))
          .isEqualTo(
              "REFUSED "
                  + server.address
                  + " cannot be used: it does not use TLS, and this side does");
      assertThat(server.refusal("TLS")).endsWith("it uses TLS, and this side does not");
    }
  }

  @RepeatedTest(5)
  void call_ofAServerOfAnotherCa_isRefusedOnBothSides() throws Exception {
    try (HealthServer server = HealthServer.encrypted(ofAnotherCa())) {
      assertThat(tellTls(server, tls))
          .startsWith("REFUSED " + server.address + " cannot be used: the certificate of")
          .endsWith("is refused: it is signed by another CA");
      assertThat(server.refusal("certificate"))
          .contains("it does not accept the certificate of this side");
    }
  }

  @RepeatedTest(10)
  void call_withACertificateThatTheServerRefuses_isRefusedOnBothSides() throws Exception {
    ClusterTls other = ofAnotherCa();
    Path both = directory.resolve("both.pem");
    Files.writeString(both, Files.readString(files.ca()) + Files.readString(other.files().ca()));
    // It trusts the server, which does not trust it.
    ClusterTls trusting =
        ClusterTls.load(new TlsFiles(both, other.files().certificate(), other.files().key()));
    try (HealthServer server = HealthServer.encrypted(tls)) {
      assertThat(tellTls(server, trusting))
          .startsWith("REFUSED " + server.address)
          .contains("it does not accept the certificate of this side");
      assertThat(server.refusal("another CA")).endsWith("it is signed by another CA");
    }
  }

  @Test
  void call_withAnExpiredCertificate_isRefusedOnBothSides() throws Exception {
    ClusterTls expired = expired();
    try (HealthServer server = HealthServer.encrypted(tls)) {
      assertThat(tellTls(server, expired))
          .startsWith("REFUSED " + server.address)
          .contains("expired");
      assertThat(server.refusal("expired")).endsWith("it has expired");
    }
    try (HealthServer server = HealthServer.encrypted(expired)) {
      assertThat(tellTls(server, tls)).startsWith("REFUSED").endsWith("is refused: it has expired");
      assertThat(server.refusal("certificate")).contains("expired");
    }
  }

  @Test
  void call_afterTheFilesHaveChanged_usesThem() throws Exception {
    ClusterTls other = ofAnotherCa();
    TlsFiles live = copy(files, "live");
    ClusterTls rotating = ClusterTls.load(live);
    try (HealthServer server = HealthServer.encrypted(rotating);
        RpcChannel before = RpcChannel.open(server.address, CREDENTIALS.withTls(tls))) {
      assertThat(tell(before)).isEqualTo("well");
      assertThat(tellTls(server, other)).startsWith("REFUSED");

      copy(other.files(), "live");
      assertThat(tellTls(server, other)).isEqualTo("well");
      assertThat(tellTls(server, tls)).startsWith("REFUSED");
      assertThat(tell(before)).as("a connection that was there").isEqualTo("well");

      Files.writeString(live.certificate(), "rubbish");
      assertThat(tellTls(server, other)).as("the former stay in use").isEqualTo("well");
    }
  }

  private TlsFiles copy(TlsFiles from, String name) throws Exception {
    Path to = Files.createDirectories(directory.resolve(name));
    for (Path file : List.of(from.ca(), from.certificate(), from.key())) {
      Files.copy(
          file,
          to.resolve(file.getFileName()),
          StandardCopyOption.REPLACE_EXISTING,
          StandardCopyOption.COPY_ATTRIBUTES);
    }
    return TlsFiles.in(to);
  }
}
