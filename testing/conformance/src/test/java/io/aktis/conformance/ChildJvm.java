package io.aktis.conformance;

import io.aktis.testkit.Deployment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** A program in a JVM of its own, for what would disturb this one or needs limits of its own. */
final class ChildJvm {
  private static final Duration PATIENCE = Duration.ofSeconds(170);

  /** How a program ended, and what it wrote to both of its streams. */
  record Result(int exitCode, String output) {}

  private final Class<?> program;
  private final List<String> options = new ArrayList<>();
  private final List<String> arguments = new ArrayList<>();
  private final Map<String, String> environment = new TreeMap<>();

  private ChildJvm(Class<?> program) {
    this.program = program;
  }

  static ChildJvm of(Class<?> program) {
    return new ChildJvm(program);
  }

  ChildJvm options(String... more) {
    options.addAll(List.of(more));
    return this;
  }

  ChildJvm arguments(String... more) {
    arguments.addAll(List.of(more));
    return this;
  }

  /** Makes the program a driver on nodes of this test: {@link Programs#on} uses them. */
  ChildJvm on(Deployment nodes) {
    options.addAll(nodes.jvmOptions());
    options.add("-D" + Programs.ADDRESS + "=" + nodes.address());
    return this;
  }

  ChildJvm environment(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** Starts the program; who calls this ends it. Its output goes nowhere. */
  Process start() throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().putAll(environment);
    return builder.start();
  }

  Result run() {
    try {
      Path output = Files.createTempFile("aktis-child", ".txt");
      try {
        return run(output);
      } finally {
        Files.delete(output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private Result run(Path output) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(command()).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError(program.getSimpleName() + " hangs. It wrote: " + read(output));
      }
      return new Result(process.exitValue(), read(output));
    } finally {
      process.destroyForcibly();
    }
  }

  private List<String> command() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(arguments);
    return command;
  }

  private static String read(Path output) throws IOException {
    return Files.readString(output, StandardCharsets.UTF_8);
  }
}
