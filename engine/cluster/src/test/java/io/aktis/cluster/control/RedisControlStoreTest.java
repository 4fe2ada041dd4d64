package io.aktis.cluster.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.aktis.cluster.tls.ClusterCa;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The store in a real Redis. */
class RedisControlStoreTest extends ControlStoreContract {
  @TempDir Path dir;
  private RedisServer server;

  @BeforeEach
  void start() throws IOException {
    server = RedisServer.start(dir);
  }

  @AfterEach
  void end() {
    server.close();
  }

  @Override
  ControlStore open() throws IOException {
    return ControlPlace.parse(server.url()).open(dir);
  }

  @Override
  void crash(ControlStore store) throws IOException {
    store.close();
    server.kill();
    server.startAgain();
  }

  @Test
  void heads_onTwoConnections_areFencedByTheEpoch() throws IOException {
    try (ControlStore one = open();
        ControlStore two = open()) {
      assertThat(one.claim(0, new ControlBatch())).isTrue();
      assertThat(two.claim(two.epoch(), new ControlBatch())).isTrue();

      assertThatThrownBy(() -> one.write(1, new ControlBatch()))
          .isInstanceOf(FencedException.class);
      two.write(2, new ControlBatch().put("jobs", "a", ByteString.copyFromUtf8("1")));
      assertThat(one.read("jobs")).containsOnlyKeys("a");
    }
  }

  @Test
  void databases_ofOneServer_areTwoStores() throws IOException {
    try (ControlStore zero = open();
        ControlStore three = ControlPlace.parse(server.url() + "/3").open(dir)) {
      zero.session("zero");

      assertThat(three.session("three")).isEqualTo("three");
      assertThat(zero.session("")).isEqualTo("zero");
      assertThat(three).hasToString(server.url() + "/3");
    }
  }

  @Test
  @Timeout(60)
  void server_thatIsGone_isToldSoonAndUsedAgainWhenItIsBack() throws Exception {
    try (ControlStore store = open()) {
      store.claim(0, new ControlBatch());
      server.kill();

      assertThatThrownBy(store::epoch)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the control store at " + server.url() + "/0 does not work");

      server.startAgain();
      long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (true) {
        try {
          assertThat(store.epoch()).isEqualTo(1);
          return;
        } catch (IOException e) {
          if (System.nanoTime() - deadlineNanos > 0) {
            throw e;
          }
          java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);
        }
      }
    }
  }

  @Test
  void server_thatIsNotThere_isToldByItsAddress() {
    server.close();

    assertThatThrownBy(this::open)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(server.url() + "/0 does not work: ")
        .hasMessageContaining("refused");
  }

  @Test
  void password_isUsedAndNeverTold() throws IOException {
    server.close();
    server = RedisServer.start(dir, "--requirepass", "a:secret word");
    String host = "127.0.0.1:" + server.port();

    try (ControlStore store =
        ControlPlace.parse("redis://:a%3Asecret%20word@" + host + "/1").open(dir)) {
      assertThat(store.session("abc")).isEqualTo("abc");
      assertThat(store.toString()).isEqualTo("redis://" + host + "/1");
    }
    for (String wrong : new String[] {"redis://" + host, "redis://:guess@" + host}) {
      assertThatThrownBy(() -> ControlPlace.parse(wrong).open(dir).close())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("does not work: ")
          .hasMessageNotContaining("guess");
    }
  }

  @Test
  void tls_isUsedAndItsCertificateChecked() throws IOException {
    server.close();
    Path tls = dir.resolve("tls");
    ClusterCa.init(tls, List.of("localhost"));
    server =
        RedisServer.start(
            dir,
            "--tls-port",
            "PORT",
            "--tls-cert-file",
            tls.resolve("node.pem").toString(),
            "--tls-key-file",
            tls.resolve("node-key.pem").toString(),
            "--tls-ca-cert-file",
            tls.resolve("ca.pem").toString(),
            "--tls-auth-clients",
            "no");
    String address = "rediss://localhost:" + server.port();

    try (ControlStore store =
        ControlPlace.parse(address + "?ca=" + tls.resolve("ca.pem")).open(dir)) {
      assertThat(store.session("abc")).isEqualTo("abc");
    }
    assertThatThrownBy(() -> ControlPlace.parse(address).open(dir).close())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not work: ");
    assertThatThrownBy(() ->
            ControlPlace.parse(
                    "rediss://127.0.0.1:" + server.port() + "?ca=" + tls.resolve("ca.pem"))
                .open(dir)
                .close())
        .as("a host that the certificate does not name")
        .isInstanceOf(IOException.class);
  }
}
