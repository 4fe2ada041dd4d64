package io.aktis.testkit;

import io.aktis.cluster.session.NodeStopper;
import io.aktis.cluster.session.SessionDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A process that ends the nodes of tests when the JVM of the tests has ended, in whatever way: it
 * waits for the end of its input, which comes with the end of that JVM.
 */
final class ProcessGuard {
  private static final String HOME_PROPERTY = "aktis.home.dir";
  private static final Duration GRACE = Duration.ofSeconds(5);
  private static final long END_TIMEOUT_MS = 60_000;

  private ProcessGuard() {}

  /**
   * Gives the nodes that this JVM starts from now on a directory of their own, apart from the
   * user's clusters, and starts the guard of it. To be called once.
   *
   * @return the option that makes another JVM look for the nodes of this one
   */
  static String watch() {
    try {
      Path home = Files.createTempDirectory("aktis-test");
      System.setProperty(HOME_PROPERTY, home.toString());
      Process guard =
          new ProcessBuilder(command(home, ProcessGuard.class))
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      endWithThisJvm(guard);
      return homeOption(home);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start the process that ends the nodes of tests", e);
    }
  }

  /** Has this JVM wait, when it ends, until a process has ended that ends with its input. */
  static void endWithThisJvm(Process process) {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(process), "testkit-end-nodes"));
  }

  /**
   * Returns how a program of the testkit is started. It has a session of its own, for a Ctrl-C that
   * ends the tests must not end it before it has done its work.
   *
   * @param home where the clusters of the program have their files
   */
  static List<String> command(Path home, Class<?> program) {
    List<String> command = new ArrayList<>();
    Path setsid = Path.of("/usr/bin/setsid");
    if (Files.isExecutable(setsid)) {
      command.add(setsid.toString());
    }
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx64m",
            homeOption(home),
            "-cp",
            System.getProperty("java.class.path"),
            program.getName()));
    return command;
  }

  private static String homeOption(Path home) {
    return "-D" + HOME_PROPERTY + "=" + home;
  }

  /** Waits until all is ended, so that nothing is left when the build goes on. */
  private static void end(Process guard) {
    try {
      guard.getOutputStream().close();
      if (!guard.waitFor(END_TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
        System.err.println("The nodes of the tests do not end.");
      }
    } catch (IOException e) {
      System.err.println("The nodes of the tests cannot be ended: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for the end of the input, then ends all nodes and deletes what they left. */
  public static void main(String[] args) throws IOException, InterruptedException {
    while (System.in.read() >= 0) {
      // nothing is ever said
    }
    endAll();
  }

  /** Ends all nodes of the clusters of this process, and deletes all that there is of them. */
  static void endAll() throws IOException, InterruptedException {
    SessionDirectory directory = SessionDirectory.open();
    new NodeStopper(GRACE).stop(directory.liveNodes());
    directory.removeStale();
    try (Stream<Path> files = Files.walk(directory.base())) {
      List<Path> all = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : all) {
        Files.delete(file);
      }
    }
  }
}
