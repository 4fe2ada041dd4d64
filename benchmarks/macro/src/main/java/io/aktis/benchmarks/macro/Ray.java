package io.aktis.benchmarks.macro;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Ray in a process of its own, which runs {@code ray_loads.py} and takes the names of loads line by
 * line. Confined to the thread of the bench.
 */
final class Ray implements AutoCloseable {
  private static final String SCRIPT = "ray_loads.py";
  private static final long END_SECONDS = 60;

  private final Path folder;
  private final Process process;
  private final BufferedReader answers;
  private final BufferedWriter requests;

  private Ray(Path folder, Process process) {
    this.folder = folder;
    this.process = process;
    this.answers = process.inputReader(UTF_8);
    this.requests = process.outputWriter(UTF_8);
  }

  /** Says why a Python cannot run Ray; empty when it can. */
  static Optional<String> whyNot(Path python) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(python.toString(), "-c", "import ray, numpy")
              .redirectErrorStream(true)
              .start();
      process.getOutputStream().close();
      List<String> lines = process.inputReader(UTF_8).readAllLines();
      return process.waitFor() == 0 ? Optional.empty() : Optional.of(python + ": " + last(lines));
    } catch (IOException | UncheckedIOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  static Ray start(Path python, int cpus) throws IOException {
    Path folder = Files.createTempDirectory("aktis-bench-");
    Path script = folder.resolve(SCRIPT);
    try (InputStream in = Ray.class.getResourceAsStream(SCRIPT)) {
      if (in == null) {
        throw new IllegalStateException(SCRIPT + " is missing from the jar of the benchmarks");
      }
      Files.copy(in, script);
    }
    Process process =
        new ProcessBuilder(
                python.toString(),
                script.toString(),
                Integer.toString(cpus),
                Long.toString(Rig.STORE_BYTES))
            .redirectError(folder.resolve("stderr").toFile())
            .start();
    return new Ray(folder, process);
  }

  /** Returns the probe of a load that the script knows. */
  Probe probe(String load) {
    return seconds -> {
      requests.write(load + " " + seconds + "\n");
      requests.flush();
      String answer = answers.readLine();
      if (answer == null) {
        throw new IOException("Ray has ended: " + last(Files.readAllLines(stderr())));
      }
      if (answer.startsWith("error ")) {
        throw new IOException("Ray says " + answer.substring("error ".length()));
      }
      return Double.parseDouble(answer);
    };
  }

  private Path stderr() {
    return folder.resolve("stderr");
  }

  private static String last(List<String> lines) {
    return lines.isEmpty() ? "it said nothing" : lines.getLast();
  }

  @Override
  public void close() {
    try {
      requests.close(); // the script takes that as the end
    } catch (IOException e) {
      process.destroy(); // it does not listen any more
    }
    if (!hasEnded()) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    for (String file : List.of(SCRIPT, "stderr", "")) {
      folder.resolve(file).toFile().delete();
    }
  }

  private boolean hasEnded() {
    try {
      return process.waitFor(END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
