package io.aktis.cli;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Does for a moment what the commands about clusters do, with a cluster of its own and a program
 * that uses it, while the JVMs take notes for caches that let these commands, the daemon and
 * workers start faster. Run by the launcher script; not for people.
 */
final class Training {
  private Training() {}

  /**
   * Runs the commands.
   *
   * @param args a directory for all that they leave, where the cache of workers is made as {@code
   *     worker.aot}; then options for their JVM
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path scratch = Path.of(args[0]).toAbsolutePath();
    System.setProperty("aktis.home.dir", scratch.resolve("home").toString());
    List<String> start = new ArrayList<>(List.of("start", "--head", "--port", "0", "--json"));
    start.addAll(List.of("--cpus", "1", "--object-store-memory", "64MiB"));
    start.addAll(List.of("--store-dir", scratch.toString()));
    List<String> options = new ArrayList<>(List.of(args).subList(1, args.length));
    options.add("-XX:AOTCacheOutput=" + scratch.resolve("worker.aot"));
    for (String option : options) {
      start.addAll(List.of("--worker-jvm-option", option));
    }
    StringWriter told = new StringWriter();
    int code =
        Main.commandLine().setOut(new PrintWriter(told)).execute(start.toArray(String[]::new));
    if (code == ExitCode.OK) {
      code = run("status");
      code |= run("status", "--json");
      code |= run("healthcheck");
      code |= work(told.toString());
      Optional<MethodHandle> _ = QuickEnd.function();
      // The daemon writes its cache when it ends, which takes a while.
      code |= run("stop", "--grace", "2m");
    }
    System.exit(code);
  }

  private static int run(String... line) {
    return Main.commandLine().setOut(new PrintWriter(Writer.nullWriter())).execute(line);
  }

  /** In a JVM of its own: the cache of the commands is not to hold what programs load. */
  private static int work(String told) throws IOException, InterruptedException {
    Object address = JSON.std.mapFrom(told).get("address");
    List<String> line =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-XX:TieredStopAtLevel=1",
            "-Daktis.home.dir=" + System.getProperty("aktis.home.dir"),
            "-cp",
            System.getProperty("java.class.path"),
            TrainingProgram.class.getName(),
            String.valueOf(address));
    return new ProcessBuilder(line).inheritIO().start().waitFor();
  }
}
