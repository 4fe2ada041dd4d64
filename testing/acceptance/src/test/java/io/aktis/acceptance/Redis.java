package io.aktis.acceptance;

import io.aktis.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A Redis of the test, with its files in a directory of the test. */
final class Redis implements AutoCloseable {
  private static final Path PROGRAM = Path.of("/usr/bin/redis-server");

  private final InetSocketAddress address;
  private final Program server;

  private Redis(InetSocketAddress address, Program server) {
    this.address = address;
    this.server = server;
  }

  /** Returns why there can be none here; empty when there can. */
  static String obstacle() {
    return Files.isExecutable(PROGRAM) || System.getenv("CI") != null
        ? ""
        : PROGRAM + " is not there; .ci/install installs it";
  }

  /** Starts one on loopback. */
  static Redis start(Path folder) {
    return start(List.of(), "127.0.0.1", freePort(), folder);
  }

  /**
   * Starts one.
   *
   * @param prefix words before its command
   * @param host where it listens, which this JVM can reach
   */
  static Redis start(List<String> prefix, String host, int port, Path folder) {
    List<String> line = new ArrayList<>(prefix);
    line.addAll(List.of(PROGRAM.toString(), "--bind", host, "--port", Integer.toString(port)));
    line.addAll(List.of("--protected-mode", "no", "--save", "", "--appendonly", "yes"));
    line.addAll(List.of("--appendfsync", "always"));
    line.addAll(List.of("--dir", folder.toString()));
    Redis redis =
        new Redis(new InetSocketAddress(host, port), Program.start(line, Map.of(), folder));
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
    try (Socket _ = new Socket(address.getAddress(), address.getPort())) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  String url() {
    return "redis://" + address.getHostString() + ":" + address.getPort();
  }

  @Override
  public void close() {
    server.close();
  }
}
