package io.aktis.benchmarks.macro;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Loads that need a JVM of their own, with a heap of a known size or with nothing loaded yet. The
 * child runs {@link #main} and ends with a line that has the figure.
 */
enum OwnJvm {
  FIRST_RESULT(Load.WINDOWS, SessionLoads::firstResult),
  RESIDENT(1, SessionLoads::resident, "-Xmx512m"),
  THREADS(1, SessionLoads::threadsLeft),
  OPEN_FILES(1, SessionLoads::openFilesLeft),
  MEMORY(1, SessionLoads::memoryLeft, "-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch"),
  PENDING(1, TaskLoads::heapPerPendingTask, "-Xmx2g"),
  NESTING(1, TaskLoads::nesting, "-Xmx2g");

  /** Does the work of one side in the child. */
  @FunctionalInterface
  interface Child {
    double measure(Side side, int cpus) throws Exception;
  }

  private static final String RESULT = "result: ";

  private final int windows;
  private final Child child;
  private final List<String> flags;

  OwnJvm(int windows, Child child, String... flags) {
    this.windows = windows;
    this.child = child;
    this.flags = List.of(flags);
  }

  /** Returns how many windows are taken, each in a JVM that has done nothing before. */
  int windows() {
    return windows;
  }

  /** Returns how a side is measured. */
  Probe.Setup of(Side side) {
    return rig -> _ -> run(side, rig.cpus());
  }

  private double run(Side side, int cpus) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String own : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (own.startsWith("--")) {
        line.add(own);
      }
    }
    line.addAll(flags);
    line.addAll(List.of("-cp", System.getProperty("java.class.path"), OwnJvm.class.getName()));
    line.addAll(List.of(name(), side.name(), Integer.toString(cpus)));
    Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
    try {
      process.getOutputStream().close();
      List<String> said = process.inputReader().readAllLines();
      String last = ""; // what the JVM says while it ends comes after the result
      for (String each : said) {
        last = each.startsWith(RESULT) ? each : last;
      }
      if (process.waitFor() != 0 || last.isEmpty()) {
        throw new IOException("the JVM of " + this + " has failed: " + firstWords(said));
      }
      return Double.parseDouble(last.substring(RESULT.length()));
    } finally {
      process.destroyForcibly();
    }
  }

  private static String firstWords(List<String> said) {
    return String.join(" | ", said.subList(0, Math.min(3, said.size())));
  }

  /** Measures one window in this JVM. */
  public static void main(String[] args) throws Exception {
    Child child = valueOf(args[0]).child;
    double figure = child.measure(Side.valueOf(args[1]), Integer.parseInt(args[2]));
    System.out.println(RESULT + figure);
    System.exit(0);
  }
}
