package io.aktis.acceptance;

import io.aktis.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A Redis of the test, on loopback, with its files in a directory of the test. */
final class Redis implements AutoCloseable {
  private static final Path PROGRAM = Path.of("/usr/bin/redis-server");

  private final int port;
  private final Program server;

  private Redis(int port, Program server) {
    this.port = port;
    this.server = server;
  }

  /** Returns why there can be none here; empty when there can. */
  static String obstacle() {
    return Files.isExecutable(PROGRAM) || System.getenv("CI") != null
        ? ""
        : PROGRAM + " is not there; .ci/install installs it";
  }

  static Redis start(Path folder) {
    int port = freePort();
    List<String> line =
        List.of(
            PROGRAM.toString(),
            "--bind",
            "127.0.0.1",
            "--port",
            Integer.toString(port),
            "--save",
            "",
            "--appendonly",
            "yes",
            "--dir",
            folder.toString());
    Redis redis = new Redis(port, Program.start(line, Map.of(), folder));
    Await.until(
        "redis to answer", Duration.ofSeconds(60), redis::answers, () -> redis.server.err());
    return redis;
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean answers() {
    try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  String url() {
    return "redis://127.0.0.1:" + port;
  }

  @Override
  public void close() {
    server.close();
  }
}
