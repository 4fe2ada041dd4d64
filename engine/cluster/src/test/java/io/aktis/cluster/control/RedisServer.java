package io.aktis.cluster.control;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;

/**
 * A real Redis, a process on loopback that keeps its files in the directory of the test and is
 * killed by {@link #close}. Confined to one thread.
 */
public final class RedisServer implements AutoCloseable {
  private static final Path PROGRAM = Path.of("/usr/bin/redis-server");
  private static final long START_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final Path directory;
  private final int port;
  private final List<String> options;
  private Process process;

  private RedisServer(Path directory, int port, List<String> options) throws IOException {
    this.directory = directory;
    this.port = port;
    this.options = options;
    this.process = launch();
  }

  /** Starts one; a test without Redis is skipped, but not where all is installed. */
  public static RedisServer start(Path directory, String... options) throws IOException {
    if (!Files.isExecutable(PROGRAM) && System.getenv("CI") == null) {
      Assumptions.abort(PROGRAM + " is not there; .ci/install installs it");
    }
    return new RedisServer(directory, freePort(), List.of(options));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private Process launch() throws IOException {
    List<String> line = new ArrayList<>();
    line.addAll(List.of(PROGRAM.toString(), "--bind", "127.0.0.1", "--save", ""));
    line.addAll(List.of("--appendonly", "yes", "--appendfsync", "always"));
    line.addAll(List.of("--dir", directory.toString()));
    boolean tls = options.contains("--tls-port");
    line.addAll(List.of("--port", tls ? "0" : Integer.toString(port)));
    for (String option : options) {
      line.add(option.equals("PORT") ? Integer.toString(port) : option);
    }
    Process started =
        new ProcessBuilder(line)
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(directory.resolve("redis.log").toFile()))
            .start();
    long deadlineNanos = System.nanoTime() + START_NANOS;
    while (!answers()) {
      if (!started.isAlive() || System.nanoTime() - deadlineNanos > 0) {
        started.destroyForcibly();
        throw new IOException(
            "redis does not start: " + Files.readString(directory.resolve("redis.log")));
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
    return started;
  }

  private boolean answers() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  public int port() {
    return port;
  }

  /** Returns its address without a password. */
  public String url() {
    return "redis://127.0.0.1:" + port;
  }

  /** Kills it, as if its machine had lost its power. */
  public void kill() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Starts it again on its port, with its files. */
  public void startAgain() throws IOException {
    process = launch();
  }

  @Override
  public void close() {
    kill();
  }
}
