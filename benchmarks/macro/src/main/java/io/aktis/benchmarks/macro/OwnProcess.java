package io.aktis.benchmarks.macro;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What this process holds. */
final class OwnProcess {
  private static final long PAGE_BYTES = 4096;
  private static final long LOOK_MS = 50;
  private static final int STEADY_LOOKS = 10;

  private OwnProcess() {}

  /**
   * Returns the resident memory in 10^6 bytes, after a collection, and after the JVM has given back
   * what it does not need: it does so bit by bit. Linux only.
   *
   * @param others other processes, which count with all that they have started; nobody asks these
   *     for a collection
   */
  static double residentMegabytes(List<Long> others) throws IOException, InterruptedException {
    System.gc();
    double least = currentMegabytes(others);
    for (int steady = 0; steady < STEADY_LOOKS; ) {
      Thread.sleep(LOOK_MS);
      double now = currentMegabytes(others);
      steady = now < least - 1 ? 0 : steady + 1;
      least = Math.min(least, now);
    }
    return least;
  }

  private static double currentMegabytes(List<Long> others) throws IOException {
    double sum = currentMegabytes("self");
    for (long pid : others) {
      sum += currentMegabytes(Long.toString(pid));
      for (ProcessHandle child :
          ProcessHandle.of(pid).stream().flatMap(ProcessHandle::descendants).toList()) {
        sum += currentMegabytes(Long.toString(child.pid()));
      }
    }
    return sum;
  }

  private static double currentMegabytes(String process) throws IOException {
    String[] pages = Files.readString(Path.of("/proc", process, "statm")).split(" ");
    return Long.parseLong(pages[1]) * PAGE_BYTES / 1e6;
  }

  /** Returns the bytes that objects take, after a collection. */
  static long usedHeapBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  static int threads() {
    return ManagementFactory.getThreadMXBean().getThreadCount();
  }

  static long openFiles() {
    if (ManagementFactory.getOperatingSystemMXBean()
        instanceof com.sun.management.UnixOperatingSystemMXBean unix) {
      return unix.getOpenFileDescriptorCount();
    }
    throw new UnsupportedOperationException("open files are counted on Unix only");
  }
}
