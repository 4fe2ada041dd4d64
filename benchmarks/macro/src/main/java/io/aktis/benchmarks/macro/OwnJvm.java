package io.aktis.benchmarks.macro;

import io.aktis.Aktis;
import io.aktis.AktisSession;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Loads that need a JVM of their own, with a heap of a known size or with nothing loaded yet. The
 * child runs {@link #main} and ends with a line that has the figure.
 */
enum OwnJvm {
  FIRST_RESULT(Load.WINDOWS, SessionLoads::firstResult),
  FIRST_TASKS(Load.WINDOWS, SessionLoads::firstTasks),
  RESIDENT(1, SessionLoads::resident, "-Xmx512m"),
  THREADS(1, SessionLoads::threadsLeft),
  OPEN_FILES(1, SessionLoads::openFilesLeft),
  MEMORY(1, SessionLoads::memoryLeft, "-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch"),
  PENDING(1, TaskLoads::heapPerPendingTask, "-Xmx2g"),
  NESTING(1, TaskLoads::nesting, "-Xmx2g");

  /** The address of the engine in the JVM that asks for it. */
  static final String EMBEDDED = "local";

  /**
   * What the child is to do.
   *
   * @param side the side whose work it does
   * @param cpus CPUs of the engine, or threads of the pool
   * @param address where the engine is
   * @param daemons the process ids of its daemons
   */
  record Task(Side side, int cpus, String address, List<Long> daemons) {
    static Task of(Side side, int cpus) {
      return new Task(side, cpus, EMBEDDED, List.of());
    }

    Task at(Clusters.Cluster cluster) {
      return new Task(side, cpus, cluster.address(), cluster.daemons());
    }

    Task withCpus(int number) {
      return new Task(side, number, address, daemons);
    }

    /** Opens a session; a cluster has its own CPUs and memory. */
    AktisSession openSession() {
      return address.equals(EMBEDDED)
          ? Aktis.open(options -> options.cpus(cpus).objectStoreBytes(Rig.STORE_BYTES))
          : Aktis.open(options -> options.address(address));
    }

    private List<String> words() {
      String pids = daemons.stream().map(String::valueOf).collect(Collectors.joining(","));
      return List.of(side.name(), Integer.toString(cpus), address, pids);
    }

    private static Task parse(String side, String cpus, String address, String pids) {
      List<Long> daemons =
          Arrays.stream(pids.split(",")).filter(pid -> !pid.isEmpty()).map(Long::valueOf).toList();
      return new Task(Side.valueOf(side), Integer.parseInt(cpus), address, daemons);
    }
  }

  /** Does the work of one side in the child. */
  @FunctionalInterface
  interface Child {
    double measure(Task task) throws Exception;
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
    return rig -> {
      Task task = Task.of(side, rig.cpus());
      boolean inCluster = side == Side.AKTIS && rig.setting().isSeparate();
      Task placed = inCluster ? task.at(rig.cluster()) : task;
      return _ -> run(placed);
    };
  }

  double run(Task task) throws IOException, InterruptedException {
    List<String> line = commandLine(flags, OwnJvm.class);
    line.add(name());
    line.addAll(task.words());
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

  /** Returns the command line of a JVM with the jars of this one, up to the main class. */
  static List<String> commandLine(List<String> flags, Class<?> main) {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String own : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (own.startsWith("--")) {
        line.add(own);
      }
    }
    String home = System.getProperty("aktis.home.dir");
    if (home != null) {
      line.add("-Daktis.home.dir=" + home);
    }
    line.addAll(flags);
    line.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    return line;
  }

  private static String firstWords(List<String> said) {
    return String.join(" | ", said.subList(0, Math.min(3, said.size())));
  }

  /** Measures one window in this JVM. */
  public static void main(String[] args) throws Exception {
    Child child = valueOf(args[0]).child;
    double figure = child.measure(Task.parse(args[1], args[2], args[3], args[4]));
    System.out.println(RESULT + figure);
    System.exit(0);
  }
}
