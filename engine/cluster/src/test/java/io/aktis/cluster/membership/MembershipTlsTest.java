package io.aktis.cluster.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.aktis.cluster.tls.ClusterCa;
import io.aktis.cluster.tls.ClusterTls;
import io.aktis.cluster.tls.TlsException;
import io.aktis.cluster.tls.TlsFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes with TLS between them, and nodes that may not join them. */
final class MembershipTlsTest {
  private static final Duration SHORT = Duration.ofSeconds(4);

  @TempDir Path directory;
  private ClusterTls tls;

  @BeforeEach
  void makeCertificates() throws TlsException {
    tls = load("cluster");
  }

  private ClusterTls load(String name) throws TlsException {
    return ClusterTls.load(ClusterCa.init(directory.resolve(name), List.of()));
  }

  private static MembershipConfig joining(PekkoMembership head, Duration timeout) {
    Nodes.Config config = Nodes.Config.joining(head);
    config.joinTimeout = timeout;
    return config.make();
  }

  private static JoinException failure(MembershipConfig config) {
    return catchThrowableOfType(JoinException.class, () -> PekkoMembership.start(config));
  }

  @Test
  void start_withTlsOfTheSameCa_makesThemMembers() throws Exception {
    ClusterTls another =
        ClusterTls.load(
            ClusterCa.issue(
                directory.resolve("cluster"),
                directory.resolve("another"),
                List.of("somewhere.example"),
                Duration.ofDays(1)));
    try (Nodes nodes = new Nodes()) {
      PekkoMembership head = nodes.start(new Nodes.Config().make().withTls(tls));
      PekkoMembership second = nodes.start(Nodes.Config.joining(head).make().withTls(another));
      Recorder atHead = Recorder.of(head);
      assertThat(atHead.next(5_000)).startsWith("up ");
      assertThat(atHead.next(5_000)).startsWith("up ");
      assertThat(second.members()).hasSize(2).isEqualTo(head.members());
      second.close();
      assertThat(atHead.next(5_000)).startsWith("gone ");
    }
  }

  @Test
  void start_ofStrangers_isRefusedAndLeavesTheClusterAlone() throws Exception {
    ClusterTls other = load("other");
    Path both = directory.resolve("both.pem");
    Files.writeString(
        both, Files.readString(tls.files().ca()) + Files.readString(other.files().ca()));
    ClusterTls trusting =
        ClusterTls.load(new TlsFiles(both, other.files().certificate(), other.files().key()));
    try (Nodes nodes = new Nodes()) {
      PekkoMembership head = nodes.start(new Nodes.Config().make().withTls(tls));

      assertThat(failure(joining(head, SHORT)))
          .as("without TLS")
          .hasMessage(
              "the cluster at " + head.controlAddress() + " uses TLS, and this node does not");
      assertThat(failure(joining(head, SHORT).withTls(other)))
          .as("of another CA")
          .hasMessageContaining("is refused: it is signed by another CA")
          .returns(JoinException.Reason.SEED_UNREACHABLE, JoinException::reason);
      assertThat(failure(joining(head, SHORT).withTls(trusting)))
          .as("of another CA, but it trusts the cluster")
          .hasMessageContaining("it does not accept the certificate of this node");

      assertThat(head.members()).hasSize(1);
      assertThat(nodes.start(joining(head, Duration.ofSeconds(30)).withTls(tls)).members())
          .hasSize(2);
    }
  }

  @Test
  void start_withTlsInAClusterWithoutIt_saysSoAtOnce() throws Exception {
    try (Nodes nodes = new Nodes()) {
      PekkoMembership head = nodes.first();
      assertThat(failure(joining(head, Duration.ofSeconds(30)).withTls(tls)))
          .hasMessageContaining("does it use TLS?")
          .returns(JoinException.Reason.SEED_UNREACHABLE, JoinException::reason);
    }
  }
}
