package io.aktis.benchmarks.macro;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** What this process holds. */
final class OwnProcess {
  private static final long PAGE_BYTES = 4096;
  private static final long LOOK_MS = 50;
  private static final int STEADY_LOOKS = 10;

  private OwnProcess() {}

  /**
   * Returns the resident memory in 10^6 bytes, after a collection, and after the JVM has given back
   * what it does not need: it does so bit by bit. Linux only.
   */
  static double residentMegabytes() throws IOException, InterruptedException {
    System.gc();
    double least = currentMegabytes();
    for (int steady = 0; steady < STEADY_LOOKS; ) {
      Thread.sleep(LOOK_MS);
      double now = currentMegabytes();
      steady = now < least - 1 ? 0 : steady + 1;
      least = Math.min(least, now);
    }
    return least;
  }

  private static double currentMegabytes() throws IOException {
    String[] pages = Files.readString(Path.of("/proc/self/statm")).split(" ");
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
