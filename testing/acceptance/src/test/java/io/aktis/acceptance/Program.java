package io.aktis.acceptance;

import io.aktis.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A process that a test has started. Thread-safe. */
final class Program implements AutoCloseable {
  /** A process takes seconds; more than that only where the machine has much else to do. */
  static final Duration PATIENCE = Duration.ofMinutes(2);

  /** A shell has what it starts in the background ignore them, and so would all below. */
  private static final List<String> TAKING_INTERRUPTS = List.of("env", "--default-signal=INT");

  private final Process process;
  private final Path out;
  private final Path err;

  /** How it ended, and what it wrote. */
  record Result(int exitCode, String out, String err) {
    /** Both streams. */
    String text() {
      return out + err;
    }
  }

  private Program(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  static Program start(List<String> line, Map<String, String> environment, Path folder) {
    try {
      Path out = Files.createTempFile(folder, "program", ".out");
      Path err = Files.createTempFile(folder, "program", ".err");
      List<String> command = new ArrayList<>(TAKING_INTERRUPTS);
      command.addAll(line);
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
      builder.environment().keySet().removeIf(name -> name.startsWith("AKTIS_"));
      builder.environment().putAll(environment);
      Process process = builder.start();
      process.getOutputStream().close();
      return new Program(process, out, err);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a tool that has to succeed; returns what it printed. */
  static String run(List<String> line, Machine machine) {
    try (Program program = start(line, Map.of(), machine.file(""))) {
      return program.awaitSuccess();
    }
  }

  /** Waits until the program has printed a line that begins so, and returns the rest of it. */
  String awaitLine(String start) {
    Await.until(
        "a line '" + start + "…'",
        PATIENCE,
        () -> line(start).isPresent() || !process.isAlive(),
        () -> "It printed: " + text());
    return line(start)
        .orElseThrow(() -> new AssertionError("it ended without '" + start + "': " + text()));
  }

  private Optional<String> line(String start) {
    return read(out)
        .lines()
        .filter(line -> line.startsWith(start))
        .findFirst()
        .map(line -> line.substring(start.length()).strip());
  }

  Result awaitEnd() {
    try {
      if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError("the program does not end; it printed: " + text());
      }
      return new Result(process.exitValue(), read(out), read(err));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Waits for its end, which has to be a good one; returns what it printed. */
  String awaitSuccess() {
    Result result = awaitEnd();
    if (result.exitCode() != 0) {
      throw new AssertionError("the program failed: " + result);
    }
    return result.out();
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Ends it with SIGKILL, and nothing else of what it started. */
  void kill() {
    process.destroyForcibly();
  }

  /** Returns what it has written to standard error so far. */
  String err() {
    return read(err);
  }

  private String text() {
    return read(out) + read(err);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
