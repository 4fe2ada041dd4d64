package io.aktis.cluster.membership;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A node in a process of its own, see {@link NodeMain}. Closing kills it. */
final class NodeProcess implements AutoCloseable {
  private final Process process;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final Thread reader;

  private NodeProcess(Process process) {
    this.process = process;
    this.reader = Thread.ofVirtual().start(this::read);
  }

  /** Starts a node that joins the cluster of {@code seed}; its services are at port 20000 + n. */
  static NodeProcess joining(PekkoMembership seed, int number) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+UseSerialGC");
    command.add("-XX:TieredStopAtLevel=1");
    command.add("--sun-misc-unsafe-memory-access=allow");
    // Whatever reads the configuration of an application fails on this.
    command.add("-Dconfig.file=/no/such/file.conf");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(NodeMain.class.getName());
    command.addAll(List.of(seed.session(), seed.controlAddress(), Integer.toString(number)));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    return new NodeProcess(builder.start());
  }

  private void read() {
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.add(line);
      }
    } catch (IOException e) {
      lines.add("reading failed: " + e);
    }
  }

  /** Returns the next line that it prints. */
  String nextLine(long timeoutMs) throws InterruptedException {
    String line = lines.poll(timeoutMs, TimeUnit.MILLISECONDS);
    return line == null ? "nothing" : line;
  }

  /** Sends a signal, such as STOP. */
  void signal(String name) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
    assertThat(kill.waitFor()).as("exit code of kill -" + name).isZero();
  }

  /** Returns the exit code, -1 when it does not end in time. */
  int exitCode(long timeoutMs) throws InterruptedException {
    return process.waitFor(timeoutMs, TimeUnit.MILLISECONDS) ? process.exitValue() : -1;
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
      reader.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
