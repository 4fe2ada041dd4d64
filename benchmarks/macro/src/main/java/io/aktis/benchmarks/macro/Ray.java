package io.aktis.benchmarks.macro;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Ray in processes of its own, the first of which runs {@code ray_loads.py} and takes the names of
 * loads line by line. They run while they measure and are stopped at all other times, for even idle
 * ones take a part of the CPUs from who has its turn. Confined to the thread of the bench.
 */
final class Ray implements AutoCloseable {
  private static final String SCRIPT = "ray_loads.py";
  private static final long END_SECONDS = 60;

  /** A process that is about to start another one while it is stopped has done so by then. */
  private static final int MOST_LOOKS = 5;

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
      String answer = ask(load + " " + seconds);
      if (answer == null) {
        throw new IOException("Ray has ended: " + last(Files.readAllLines(stderr())));
      }
      if (answer.startsWith("error ")) {
        throw new IOException("Ray says " + answer.substring("error ".length()));
      }
      return Double.parseDouble(answer);
    };
  }

  private @Nullable String ask(String request) throws IOException, InterruptedException {
    resume();
    try {
      requests.write(request + "\n");
      requests.flush();
      return answers.readLine();
    } finally {
      pause();
    }
  }

  private void pause() throws IOException, InterruptedException {
    Set<Long> stopped = new HashSet<>();
    for (int look = 0; look < MOST_LOOKS; look++) {
      List<Long> others = processes().filter(pid -> !stopped.contains(pid)).toList();
      if (others.isEmpty()) {
        return;
      }
      signal("-STOP", others);
      stopped.addAll(others);
    }
  }

  private void resume() throws IOException, InterruptedException {
    signal("-CONT", processes().toList());
  }

  private Stream<Long> processes() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants())
        .filter(ProcessHandle::isAlive)
        .map(ProcessHandle::pid);
  }

  /** One that has ended in the meantime does not matter. */
  private static void signal(String signal, List<Long> pids)
      throws IOException, InterruptedException {
    if (pids.isEmpty()) {
      return;
    }
    List<String> line = new ArrayList<>(List.of("kill", signal));
    pids.forEach(pid -> line.add(pid.toString()));
    new ProcessBuilder(line)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
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
      resume();
      requests.close(); // the script takes that as the end
    } catch (IOException e) {
      process.destroy(); // it does not listen any more
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // so it is not waited for
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
