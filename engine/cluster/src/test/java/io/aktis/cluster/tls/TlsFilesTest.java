package io.aktis.cluster.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files that are made, and files that cannot be used. */
final class TlsFilesTest {
  @TempDir Path directory;
  private Path cluster;
  private TlsFiles files;

  @BeforeEach
  void makeCa() throws TlsException {
    cluster = directory.resolve("cluster");
    files = ClusterCa.init(cluster, List.of("127.0.0.1", "[::1]", "node-1.example"));
  }

  private static void assertUnusable(TlsFiles files, Path culprit, String why) {
    assertThatThrownBy(() -> ClusterTls.load(files))
        .isInstanceOf(TlsException.class)
        .hasMessageContaining(culprit.toString())
        .hasMessageContaining(why);
  }

  @Test
  void init_ofADirectory_makesFourFilesThatOnlyTheOwnerMayRead() throws Exception {
    try (Stream<Path> made = Files.list(cluster)) {
      for (Path file : made.toList()) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
            .as(file.toString())
            .isEqualTo("rw-------");
      }
    }
    assertThat(cluster.toFile().list())
        .containsExactlyInAnyOrder("ca.pem", "ca-key.pem", "node.pem", "node-key.pem");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(cluster)))
        .isEqualTo("rwx------");
    assertThat(ClusterTls.load(files).files()).isEqualTo(TlsFiles.in(cluster));
  }

  @Test
  void init_ofACertificate_carriesTheFixedNameAndTheHosts() throws Exception {
    X509Certificate own = Pem.certificates(files.certificate()).getFirst();
    Collection<List<?>> names = own.getSubjectAlternativeNames();
    assertThat(names.stream().map(name -> name.get(1).toString()))
        .containsExactly("127.0.0.1", "0:0:0:0:0:0:0:1", "node-1.example", ClusterTls.NODE_NAME);
    assertThat(own.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2");
    assertThat(own.getBasicConstraints()).as("no CA").isEqualTo(-1);
    assertThat(Duration.between(Instant.now(), own.getNotAfter().toInstant()))
        .isBetween(Duration.ofDays(364), Duration.ofDays(365));
  }

  @Test
  void init_whereThereIsACa_changesNothing() throws Exception {
    byte[] before = Files.readAllBytes(files.ca());
    assertThatThrownBy(() -> ClusterCa.init(cluster, List.of()))
        .isInstanceOf(TlsException.class)
        .hasMessageContaining("ca.pem exists already; it is not overwritten");
    assertThat(Files.readAllBytes(files.ca())).isEqualTo(before);
  }

  @Test
  void init_whereOneOfTheFilesIs_makesNone() throws Exception {
    for (String name : List.of("ca.pem", "ca-key.pem", "node.pem", "node-key.pem")) {
      Path place = Files.createDirectory(directory.resolve("with-" + name));
      Files.writeString(place.resolve(name), "mine");
      assertThatThrownBy(() -> ClusterCa.init(place, List.of()))
          .isInstanceOf(TlsException.class)
          .hasMessage(place.resolve(name) + " exists already; it is not overwritten");
      assertThat(place.toFile().list()).containsExactly(name);
      assertThat(place.resolve(name)).hasContent("mine");
    }
  }

  @Test
  void init_thatBreaksOff_leavesNothing() throws Exception {
    Path place = Files.createDirectory(directory.resolve("broken"));
    // In the way of the certificate, the last file that is made.
    Files.createDirectories(place.resolve("node.pem.new").resolve("full"));
    assertThatThrownBy(() -> ClusterCa.init(place, List.of()))
        .isInstanceOf(TlsException.class)
        .hasMessageContaining("node.pem cannot be written");
    assertThat(place.toFile().list()).containsExactly("node.pem.new");
  }

  @Test
  void init_withAValidity_usesItAndEndsWithTheCaAtTheLatest() throws Exception {
    TlsFiles brief = ClusterCa.init(directory.resolve("brief"), List.of(), Duration.ofDays(7));
    assertThat(ClusterTls.load(brief).expires())
        .isBetween(Instant.now().plus(Duration.ofDays(6)), Instant.now().plus(Duration.ofDays(7)));

    TlsFiles longest =
        ClusterCa.init(directory.resolve("longest"), List.of(), Duration.ofDays(5_000));
    assertThat(ClusterTls.load(longest).expires())
        .isEqualTo(Pem.certificates(longest.ca()).getFirst().getNotAfter().toInstant());
    assertThatThrownBy(
            () -> ClusterCa.init(directory.resolve("none"), List.of(), Duration.ofDays(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not PT-24H");
    assertThat(directory.resolve("none")).doesNotExist();
  }

  @Test
  void init_whereItMayNotWrite_namesTheDirectory() throws Exception {
    Path file = Files.createFile(directory.resolve("a-file"));
    assertThatThrownBy(() -> ClusterCa.init(file.resolve("tls"), List.of()))
        .isInstanceOf(TlsException.class)
        .hasMessageContaining("the directory " + file.resolve("tls") + " cannot be made");
  }

  @Test
  void init_withAHostThatIsNone_namesItAndMakesNothing() {
    for (String host : List.of("", "a b", "host:6380", "-x", "*.example", "[node]", "a..b")) {
      assertThatThrownBy(() -> ClusterCa.init(directory.resolve("none"), List.of(host)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("not '" + host + "'");
    }
    assertThat(directory.resolve("none")).doesNotExist();
  }

  @Test
  void issue_again_replacesCertificateAndKeyAndKeepsTheCa() throws Exception {
    byte[] ca = Files.readAllBytes(files.ca());
    String before = Files.readString(files.certificate());
    ClusterTls tls = ClusterTls.load(files);
    assertThat(tls.current().generation()).isZero();
    ClusterCa.issue(cluster, cluster, List.of("other"), Duration.ofDays(7));
    assertThat(Files.readString(files.certificate())).isNotEqualTo(before);
    assertThat(Files.readAllBytes(files.ca())).isEqualTo(ca);
    assertThat(tls.current().generation()).as("seen without a restart").isEqualTo(1);
    assertThat(tls.current().identity().left()).isLessThan(Duration.ofDays(8));
  }

  @Test
  void issue_thatBreaksOff_leavesTheFormerPair() throws Exception {
    Files.createDirectories(cluster.resolve("node.pem.new").resolve("in-the-way"));
    String key = Files.readString(files.key());
    assertThatThrownBy(() -> ClusterCa.issue(cluster, cluster, List.of(), Duration.ofDays(7)))
        .isInstanceOf(TlsException.class)
        .hasMessageContaining("node.pem cannot be written");
    assertThat(files.key()).hasContent(key);
    assertThat(cluster.resolve("node-key.pem.new")).doesNotExist();
    assertThat(ClusterTls.load(files).expires()).isAfter(Instant.now().plus(Duration.ofDays(300)));
  }

  @Test
  void issue_withWhatDoesNotFit_saysWhat() throws Exception {
    Path other = directory.resolve("other");
    ClusterCa.init(other, List.of());
    assertThatThrownBy(() -> ClusterCa.issue(cluster, other, List.of(), Duration.ofDays(1)))
        .isInstanceOf(TlsException.class)
        .hasMessageContaining(other.resolve("ca.pem") + " is another CA than that of " + cluster);
    assertThatThrownBy(() -> ClusterCa.issue(cluster, cluster, List.of(), Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not PT0S");
    Files.copy(
        other.resolve("ca-key.pem"),
        cluster.resolve("ca-key.pem"),
        StandardCopyOption.REPLACE_EXISTING);
    assertThatThrownBy(() -> ClusterCa.issue(cluster, cluster, List.of(), Duration.ofDays(1)))
        .isInstanceOf(TlsException.class)
        .hasMessageContaining("ca-key.pem is not that of the certificate of");
  }

  @Test
  void load_withAFileMissing_namesIt() throws Exception {
    for (Path file : files.all()) {
      Path away = file.resolveSibling("away");
      Files.move(file, away);
      assertUnusable(files, file, "does not exist");
      Files.move(away, file);
    }
  }

  @Test
  void load_ofAKeyThatOthersMayRead_saysHowToMendIt() throws Exception {
    Files.setPosixFilePermissions(files.key(), PosixFilePermissions.fromString("rw-r--r--"));
    assertUnusable(files, files.key(), "(rw-r--r--); run 'chmod 600 ");
    Files.setPosixFilePermissions(files.key(), PosixFilePermissions.fromString("rw--w----"));
    assertUnusable(files, files.key(), "(rw--w----)");
  }

  @Test
  void load_ofFilesThatAreSomethingElse_saysWhatIsMissing() throws Exception {
    assertUnusable(
        new TlsFiles(files.key(), files.certificate(), files.key()),
        files.key(),
        "has no certificate in PEM form");
    assertUnusable(
        new TlsFiles(files.ca(), files.certificate(), files.ca()),
        files.ca(),
        "has no private key in PEM form");
    assertUnusable(
        new TlsFiles(files.certificate(), files.certificate(), files.key()),
        files.certificate(),
        "not one of a CA");
    String key = Files.readString(files.key());
    Files.writeString(files.key(), key.replace("PRIVATE KEY", "EC PRIVATE KEY"));
    assertUnusable(files, files.key(), "openssl pkcs8 -topk8 -nocrypt");
    Files.writeString(files.key(), "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----");
    assertUnusable(files, files.key(), "cannot be read; it must be of [EC, RSA]");
    Files.writeString(
        files.certificate(), "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----");
    assertUnusable(files, files.certificate(), "cannot be read");
  }

  @Test
  void load_ofFilesThatDoNotFit_saysWhich() throws Exception {
    TlsFiles other = ClusterCa.init(directory.resolve("other"), List.of());
    assertUnusable(
        new TlsFiles(files.ca(), files.certificate(), other.key()),
        other.key(),
        "is not that of the certificate of");
    assertUnusable(
        new TlsFiles(files.ca(), other.certificate(), other.key()),
        other.certificate(),
        "does not fit the CA of " + files.ca() + ": it is signed by another CA");
  }

  @Test
  void load_ofAnExpiredCertificate_saysWhen() throws Exception {
    sign(Duration.ofSeconds(-2), true);
    assertUnusable(files, files.certificate(), "expired at 20");
  }

  @Test
  void load_ofACertificateThatIsNotForAktis_saysSo() throws Exception {
    sign(Duration.ofDays(1), false);
    assertUnusable(files, files.certificate(), ClusterTls.NODE_NAME + " is not among");
  }

  /** Replaces the certificate by one that the door does not make. */
  private void sign(Duration validity, boolean forAktis) throws Exception {
    KeyPair pair = CertificateMaker.newKey();
    X509Certificate certificate =
        CertificateMaker.node(
            pair.getPublic(),
            forAktis ? List.of(ClusterTls.NODE_NAME) : List.of("web.example"),
            validity,
            Pem.certificates(files.ca()).getFirst(),
            Pem.key(cluster.resolve("ca-key.pem")));
    Files.writeString(files.certificate(), Pem.of(certificate));
    Files.writeString(files.key(), Pem.of(pair.getPrivate()));
  }

  @Test
  void load_ofFilesOfOpenssl_isFine() throws Exception {
    // What another CA makes, with RSA and a certificate in between.
    Path out = Files.createDirectories(directory.resolve("openssl"));
    String script =
        """
        set -e
        openssl req -x509 -newkey rsa:2048 -nodes -keyout ca-key.pem -out ca.pem -days 30 \
          -subj '/CN=Our CA' -addext basicConstraints=critical,CA:TRUE
        openssl req -newkey rsa:2048 -nodes -keyout mid-key.pem -out mid.csr -subj '/CN=Mid CA'
        echo basicConstraints=critical,CA:TRUE > mid.ext
        openssl x509 -req -in mid.csr -CA ca.pem -CAkey ca-key.pem -CAcreateserial -days 20 \
          -extfile mid.ext -out mid.pem
        openssl req -newkey rsa:2048 -nodes -keyout node-key.pem -out node.csr -subj /CN=n1
        echo subjectAltName=DNS:node.aktis.internal > node.ext
        openssl x509 -req -in node.csr -CA mid.pem -CAkey mid-key.pem -CAcreateserial -days 10 \
          -extfile node.ext -out own.pem
        cat own.pem mid.pem > node.pem
        chmod 600 node-key.pem
        """;
    Process process =
        new ProcessBuilder("sh", "-c", script)
            .directory(out.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    ClusterTls tls = ClusterTls.load(TlsFiles.in(out));
    assertThat(tls.keyManager().chooseEngineServerAlias("RSA", null, null)).isEqualTo("0");
    assertThat(tls.keyManager().chooseEngineServerAlias("EC", null, null)).isNull();
    assertThat(tls.keyManager().getCertificateChain("0")).hasSize(2);
  }
}
