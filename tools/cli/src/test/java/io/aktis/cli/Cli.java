package io.aktis.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs the {@code aktis} command, here or in a process of its own. */
final class Cli {
  /**
   * What a run left.
   *
   * @param exitCode its exit code
   * @param out what it printed to standard output
   * @param err what it printed to standard error
   */
  record Result(int exitCode, String out, String err) {}

  private Cli() {}

  /** Runs a command in this JVM; a program that it runs prints to the same streams. */
  static Result run(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream outBefore = System.out;
    PrintStream errBefore = System.err;
    System.setOut(new PrintStream(out, true, UTF_8));
    System.setErr(new PrintStream(err, true, UTF_8));
    try {
      int exitCode =
          Main.commandLine()
              .setOut(new PrintWriter(out, true, UTF_8))
              .setErr(new PrintWriter(err, true, UTF_8))
              .execute(args);
      return new Result(exitCode, out.toString(UTF_8), err.toString(UTF_8));
    } finally {
      System.setOut(outBefore);
      System.setErr(errBefore);
    }
  }

  /** Runs a command in a JVM of its own, as the launcher does. */
  static Result runProcess(Path folder, String... args) throws IOException, InterruptedException {
    return runProcess(folder, List.of(), args);
  }

  /** Runs a command in a JVM of its own with more options. */
  static Result runProcess(Path folder, List<String> jvmOptions, String... args)
      throws IOException, InterruptedException {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.add("--enable-native-access=ALL-UNNAMED");
    line.add("--sun-misc-unsafe-memory-access=allow");
    line.addAll(jvmOptions);
    line.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    line.addAll(List.of(args));
    Path out = folder.resolve("stdout");
    Path err = folder.resolve("stderr");
    int exitCode =
        new ProcessBuilder(line)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start()
            .waitFor();
    return new Result(exitCode, Files.readString(out), Files.readString(err));
  }
}
