package io.aktis.cli;

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JVM like this one that runs the {@code aktis} command. */
final class ChildJvm {
  private ChildJvm() {}

  /**
   * Runs a command with the options and class path of this JVM and waits for its end. Its standard
   * output goes to the standard error of this process. It ends when this JVM does.
   *
   * @return its exit code
   */
  static int run(List<String> command) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    line.add("-cp");
    line.add(System.getProperty("java.class.path"));
    line.add(Main.class.getName());
    line.addAll(command);
    Process child =
        new ProcessBuilder(line)
            .redirectInput(ProcessBuilder.Redirect.INHERIT)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Thread killer = new Thread(child::destroy, "end-child-jvm");
    Runtime.getRuntime().addShutdownHook(killer);
    try (InputStream out = child.getInputStream()) {
      out.transferTo(System.err);
      return child.waitFor();
    } finally {
      child.destroy();
      Runtime.getRuntime().removeShutdownHook(killer);
    }
  }
}
