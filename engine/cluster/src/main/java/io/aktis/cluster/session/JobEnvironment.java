package io.aktis.cluster.session;

import io.aktis.RuntimeEnv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The runtime environment that a program was submitted with, as a file in the directory of its job:
 * the head writes it, and sessions that the program opens read it. Stateless.
 */
public final class JobEnvironment {
  /** The variable with the directory of a job, in the processes of its program. */
  public static final String JOB_DIR = "AKTIS_JOB_DIR";

  private static final String FILE = "environment";
  private static final String VARIABLE = "variable.";
  private static final String OPTION = "option.";
  private static final String WORKING_DIRECTORY = "working.directory";

  private JobEnvironment() {}

  /**
   * Writes the environment of a job.
   *
   * @throws IOException when the file cannot be written
   */
  public static void write(Path jobDir, RuntimeEnv environment) throws IOException {
    Map<String, String> entries = new HashMap<>();
    environment.variables().forEach((name, value) -> entries.put(VARIABLE + name, value));
    List<String> options = environment.jvmOptions();
    IntStream.range(0, options.size()).forEach(i -> entries.put(OPTION + i, options.get(i)));
    environment
        .workingDirectory()
        .ifPresent(directory -> entries.put(WORKING_DIRECTORY, directory.toString()));
    PropertiesFile.write(jobDir.resolve(FILE), entries);
  }

  /**
   * Returns the environment that this process was submitted with; nothing when it was not.
   *
   * @throws IOException when it cannot be read
   */
  public static RuntimeEnv ofThisProcess() throws IOException {
    String jobDir = System.getenv(JOB_DIR);
    return jobDir == null ? RuntimeEnv.NONE : read(Path.of(jobDir));
  }

  static RuntimeEnv read(Path jobDir) throws IOException {
    Path file = jobDir.resolve(FILE);
    if (!Files.exists(file)) {
      return RuntimeEnv.NONE;
    }
    Map<String, String> entries = PropertiesFile.read(file);
    Map<String, String> variables = new HashMap<>();
    List<String> options = new ArrayList<>();
    entries.forEach((key, value) -> {
      if (key.startsWith(VARIABLE)) {
        variables.put(key.substring(VARIABLE.length()), value);
      }
    });
    for (int i = 0; entries.containsKey(OPTION + i); i++) {
      options.add(entries.getOrDefault(OPTION + i, ""));
    }
    return new RuntimeEnv(
        variables,
        List.of(),
        options,
        Optional.ofNullable(entries.get(WORKING_DIRECTORY)).map(Path::of));
  }
}
