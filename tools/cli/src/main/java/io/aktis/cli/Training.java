package io.aktis.cli;

import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;

/**
 * Does for a moment what the commands about clusters do, with a cluster of its own, while the JVM
 * takes notes for a cache that lets these commands and the daemon start faster. Run by the launcher
 * script; not for people.
 */
final class Training {
  private Training() {}

  /**
   * Runs the commands.
   *
   * @param args a directory for all that they leave
   */
  public static void main(String[] args) {
    Path scratch = Path.of(args[0]).toAbsolutePath();
    System.setProperty("aktis.home.dir", scratch.resolve("home").toString());
    String[] start = {
      "start",
      "--head",
      "--port",
      "0",
      "--cpus",
      "1",
      "--object-store-memory",
      "64MiB",
      "--store-dir",
      scratch.toString(),
      "--json"
    };
    int code = run(start);
    if (code == ExitCode.OK) {
      code = run("status");
      code |= run("status", "--json");
      code |= run("healthcheck");
      // The daemon writes its cache when it ends, which takes a while.
      code |= run("stop", "--grace", "2m");
    }
    System.exit(code);
  }

  private static int run(String... line) {
    return Main.commandLine().setOut(new PrintWriter(Writer.nullWriter())).execute(line);
  }
}
