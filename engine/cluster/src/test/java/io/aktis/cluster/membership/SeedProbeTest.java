package io.aktis.cluster.membership;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.cluster.rpc.HostPort;
import io.aktis.cluster.tls.ClusterCa;
import io.aktis.cluster.tls.ClusterTls;
import io.aktis.cluster.tls.TlsException;
import io.aktis.cluster.tls.TlsFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is told of a seed that does not want this node. */
final class SeedProbeTest {
  private static final int PATIENCE_MS = 30_000;

  @TempDir private Path directory;
  private ClusterTls tls;

  @BeforeEach
  void makeCertificates() throws TlsException {
    tls = load("cluster");
  }

  private ClusterTls load(String name) throws TlsException {
    return ClusterTls.load(ClusterCa.init(directory.resolve(name), List.of()));
  }

  /** The refusal comes in the middle of the handshake of this side, or after it. */
  @RepeatedTest(20)
  void tlsProblem_ofASeedThatRefusesTheCertificate_isToldWheneverTheRefusalComes()
      throws Exception {
    ClusterTls other = load("other");
    Path both = directory.resolve("both.pem");
    Files.writeString(
        both, Files.readString(tls.files().ca()) + Files.readString(other.files().ca()));
    TlsFiles trusting = new TlsFiles(both, other.files().certificate(), other.files().key());

    String problem = problemAtASeedWithTls(ClusterTls.load(trusting));

    assertThat(problem).isEqualTo("it does not accept the certificate of this node");
  }

  @Test
  void tlsProblem_ofASeedThatAccepts_isNone() throws Exception {
    assertThat(problemAtASeedWithTls(tls)).isEmpty();
  }

  @Test
  void tlsProblem_ofASeedThatIsSignedByAnotherCa_saysSo() throws Exception {
    assertThat(problemAtASeedWithTls(load("other")))
        .contains("is refused: it is signed by another CA");
  }

  @Test
  void tlsProblem_ofASeedWithoutTls_asksForIt() throws Exception {
    try (ServerSocket seed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread closing = Thread.ofVirtual().start(() -> serve(seed, Socket::close));

      assertThat(SeedProbe.tlsProblem(at(seed), tls, PATIENCE_MS))
          .startsWith("the handshake of TLS failed; does it use TLS?");
      closing.join();
    }
  }

  @Test
  void tlsProblem_ofASeedThatSaysNothing_tellsHowLongItWaited() throws Exception {
    try (ServerSocket seed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(SeedProbe.tlsProblem(at(seed), tls, 50))
          .isEqualTo("no answer to the handshake of TLS within 50 ms; does it use TLS?");
    }
  }

  private String problemAtASeedWithTls(ClusterTls joining) throws Exception {
    SSLContext context = SSLContext.getInstance(ClusterTls.PROTOCOL);
    context.init(
        new KeyManager[] {tls.keyManager()}, new TrustManager[] {tls.trustManager()}, null);
    try (SSLServerSocket seed =
        (SSLServerSocket)
            context
                .getServerSocketFactory()
                .createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      seed.setNeedClientAuth(true);
      Thread serving =
          Thread.ofVirtual()
              .start(() ->
                  serve(
                      seed,
                      peer -> {
                        ((SSLSocket) peer).startHandshake();
                        peer.getInputStream().read(); // a seed waits for more
                      }));
      String problem = SeedProbe.tlsProblem(at(seed), joining, PATIENCE_MS);
      serving.join();
      return problem;
    }
  }

  private static HostPort at(ServerSocket seed) {
    return new HostPort(seed.getInetAddress().getHostAddress(), seed.getLocalPort());
  }

  /** How a seed treats who connects. */
  private interface Manners {
    void meet(Socket peer) throws IOException;
  }

  private static void serve(ServerSocket seed, Manners manners) {
    try (Socket peer = seed.accept()) {
      manners.meet(peer);
    } catch (IOException _) {
      // the handshake has failed, as it should in most of these tests; the other end tells why
    }
  }
}
