package io.aktis.runtime.session;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The memory that this process may still take: what is free on the machine, or in the container if
 * that is less. Read from Linux directly where it can be, because the JVM's own bean takes longer
 * to start than a session.
 */
final class FreeMemory {
  private static final Path MACHINE = Path.of("/proc/meminfo");
  private static final Path CONTAINERS = Path.of("/sys/fs/cgroup");
  private static final String AVAILABLE = "MemAvailable:";

  private FreeMemory() {}

  static long bytes() {
    try {
      long container =
          Math.min(
              containerBytes("memory.max", "memory.current"),
              containerBytes("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes"));
      return Math.min(machineBytes(), container);
    } catch (IOException | NumberFormatException e) {
      return beanBytes();
    }
  }

  private static long machineBytes() throws IOException {
    for (String line : Files.readAllLines(MACHINE)) {
      if (line.startsWith(AVAILABLE)) {
        String kilobytes = line.substring(AVAILABLE.length(), line.length() - " kB".length());
        return Long.parseLong(kilobytes.strip()) << 10;
      }
    }
    throw new IOException(MACHINE + " has no line " + AVAILABLE);
  }

  private static long containerBytes(String limitFile, String useFile) throws IOException {
    Path limit = CONTAINERS.resolve(limitFile);
    if (!Files.exists(limit)) {
      return Long.MAX_VALUE;
    }
    String text = Files.readString(limit).strip();
    return text.equals("max")
        ? Long.MAX_VALUE
        : Long.parseLong(text)
            - Long.parseLong(Files.readString(CONTAINERS.resolve(useFile)).strip());
  }

  private static long beanBytes() {
    if (ManagementFactory.getOperatingSystemMXBean()
        instanceof com.sun.management.OperatingSystemMXBean system) {
      return system.getFreeMemorySize();
    }
    return Runtime.getRuntime().maxMemory();
  }
}
