package io.aktis.conformance;

import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.ObjectRef;
import io.aktis.SessionOptions;
import io.aktis.testkit.Gate;
import io.aktis.testkit.Leaks;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.management.ObjectName;

/** Programs that tests run in a JVM of their own. */
final class Programs {
  /** The system property that names the nodes that a program is to use. */
  static final String ADDRESS = "program.address";

  private Programs() {}

  /** Returns the options of a session on the nodes that were named, else on one that it makes. */
  static UnaryOperator<SessionOptions> on(double cpus) {
    return onOr(options -> options.cpus(cpus));
  }

  private static UnaryOperator<SessionOptions> onOr(UnaryOperator<SessionOptions> embedded) {
    String address = System.getProperty(ADDRESS, "local");
    return options -> address.equals("local") ? embedded.apply(options) : options.address(address);
  }

  /** Starts the session that the environment says. */
  static final class InitOnly {
    static void main() {
      Aktis.init();
    }
  }

  /** Leaves its session open, with a task that runs. */
  static final class NeverCloses {
    static void main() {
      Aktis.init(on(2));
      System.out.println("result " + Aktis.task(() -> 42).remote().get());
      Gate gate = Gate.closed();
      Aktis.run(NeverCloses::waitForExit, gate).remote();
      gate.awaitArrivals(1);
    }

    static void waitForExit(Gate gate) {
      try {
        gate.pass();
      } catch (InterruptedException e) {
        System.out.println("interrupted at exit");
      }
    }
  }

  /** Has a task that takes a CPU and waits at the gate whose id is the argument. */
  static final class HoldsACpu {
    static void main(String[] args) {
      Aktis.init(on(2));
      Aktis.run(Gate::pass, new Gate(args[0])).remote().get();
    }
  }

  /** Has a task that prints. */
  static final class Prints {
    static void main() {
      try (AktisSession session = Aktis.init(on(2))) {
        session.run(Prints::print).remote().get();
      }
    }

    static void print() {
      System.out.println("a line of a task");
      System.err.println("an error of a task");
    }
  }

  /** Has a task that prints, and does not want to see it. */
  static final class PrintsToTheNodesOnly {
    static void main() {
      try (AktisSession session = Aktis.init(o -> on(2).apply(o).logToDriver(false))) {
        session.run(Prints::print).remote().get();
        System.out.println("the task is done");
      }
    }
  }

  /** Waits for tasks that wait for tasks, 100,000 deep, on one CPU. */
  static final class DeepNesting {
    private static final int DEPTH = 100_000;

    static void main() {
      try (AktisSession session = Aktis.init(on(1))) {
        System.out.println("depth " + session.task(DeepNesting::depth, DEPTH).remote().get());
      }
    }

    static int depth(int n) {
      return n == 0 ? 0 : 1 + Aktis.task(DeepNesting::depth, n - 1).remote().get();
    }
  }

  /** Queues a million tasks behind one that waits, and weighs them. */
  static final class MillionQueued {
    private static final int COUNT = 1_000_000;

    static void main() throws Exception {
      try (AktisSession session = Aktis.init(on(1))) {
        Gate gate = Gate.closed();
        ObjectRef<Void> busy = session.run(Gate::pass, gate).remote();
        gate.awaitArrivals(1);
        long before = usedHeap();
        List<ObjectRef<Long>> queued = new ArrayList<>(COUNT);
        for (long i = 0; i < COUNT; i++) {
          queued.add(session.task(Long::sum, i, 1L).remote());
        }
        System.out.println("bytes a task " + (usedHeap() - before) / COUNT);
        gate.open();
        busy.get();
        System.out.println("last " + queued.getLast().get());
      }
    }

    private static long usedHeap() {
      System.gc();
      return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
  }

  /** Opens and closes sessions that do some work, and prints what the process has after each. */
  static final class Cycles {
    private static final Pattern NATIVE_TOTAL = Pattern.compile("Total:.*committed=(\\d+)KB");

    static void main(String[] args) throws Exception {
      int cycles = Integer.parseInt(args[0]);
      for (int cycle = 1; cycle <= cycles; cycle++) {
        Leaks leaks = Leaks.since();
        work();
        leaks.awaitNone();
        System.out.printf(
            "cycle %d threads %d files %d native %d%n",
            cycle, Thread.activeCount(), openFiles(), outsideOfHeapKib());
      }
    }

    private static void work() {
      try (AktisSession session =
          Aktis.init(onOr(options -> options.cpus(2).objectStoreBytes(64 << 20)))) {
        ObjectRef<byte[]> big = session.put(new byte[4 << 20]);
        ObjectRef<Integer> length = session.task((byte[] bytes) -> bytes.length, big).remote();
        List<Integer> mapped = session.map(List.of(1, 2, 3), i -> i + length.get()).get();
        session.actor(() -> new ArrayList<Integer>()).remote().call(List::size).get();
        if (mapped.getFirst() != (4 << 20) + 1) {
          throw new IllegalStateException("wrong result " + mapped);
        }
      }
    }

    private static long openFiles() throws Exception {
      Path files = Path.of("/proc/self/fd");
      if (!Files.isDirectory(files)) {
        return 0;
      }
      try (Stream<Path> open = Files.list(files)) {
        return open.count();
      }
    }

    /** Memory that the JVM took from the system for other things than the heap, in KiB. */
    private static long outsideOfHeapKib() throws Exception {
      System.gc();
      String summary =
          (String)
              ManagementFactory.getPlatformMBeanServer()
                  .invoke(
                      new ObjectName("com.sun.management:type=DiagnosticCommand"),
                      "vmNativeMemory",
                      new Object[] {new String[] {"summary"}},
                      new String[] {String[].class.getName()});
      return committed(NATIVE_TOTAL, summary)
          - committed(Pattern.compile("Java Heap .*committed=(\\d+)KB"), summary);
    }

    private static long committed(Pattern pattern, String summary) {
      Matcher matcher = pattern.matcher(summary);
      if (!matcher.find()) {
        throw new IllegalStateException("no " + pattern + " in " + summary);
      }
      return Long.parseLong(matcher.group(1));
    }
  }
}
