package io.aktis.cluster.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Options of JVMs that several have a say in. */
final class JvmOptions {
  private static final Pattern COLLECTOR =
      Pattern.compile("-XX:\\+Use(Serial|Parallel|G1|Z|Shenandoah|Epsilon)GC");

  /**
   * Options that are known to go with a cache of loaded classes. With some others a JVM ignores the
   * cache, and the one of the JDK too; with some it does not start. The package is opened in all
   * workers, and so in the one that made the cache.
   */
  private static final Pattern GOES_WITH_CACHE =
      Pattern.compile(
          "-D(?!java\\.system\\.class\\.loader|jdk\\.module).*"
              + "|-X(mx|ms|mn|ss).*"
              + "|-(ea|da|esa|dsa|enableassertions|disableassertions)(:.*)?"
              + "|-(Xlog|verbose):gc.*"
              + "|-XX:\\+Use(Serial|Parallel|G1)GC"
              + "|-XX:(Max|Min|Initial)\\w*(Size|Percentage)=.*"
              + "|-XX:[+-](ExitOnOutOfMemoryError|HeapDumpOnOutOfMemoryError)"
              + "|-XX:(ErrorFile|HeapDumpPath|ActiveProcessorCount|ParallelGCThreads)=.*"
              + "|-XX:TieredStopAtLevel=.*"
              + "|--(enable-native-access|sun-misc-unsafe-memory-access)=.*"
              + "|--add-opens=java\\.base/java\\.nio=ALL-UNNAMED");

  /** A JVM takes options from these as well. */
  private static final List<String> VARIABLES =
      List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

  private JvmOptions() {}

  /** Returns whether options, and what variables add to them, go with a cache for sure. */
  static boolean goWithCache(List<String> options, Map<String, String> environment) {
    return options.stream().allMatch(option -> GOES_WITH_CACHE.matcher(option).matches())
        && VARIABLES.stream().allMatch(name -> environment.getOrDefault(name, "").isBlank());
  }

  /**
   * Joins options, the later ones over the earlier ones. A JVM does so itself for most, but does
   * not start when it is given two collectors: the last one counts.
   */
  @SafeVarargs
  static List<String> joined(List<String>... parts) {
    List<String> all = new ArrayList<>();
    for (List<String> part : parts) {
      if (part.stream().anyMatch(JvmOptions::isCollector)) {
        all.removeIf(JvmOptions::isCollector);
      }
      all.addAll(part);
    }
    return all;
  }

  private static boolean isCollector(String option) {
    return COLLECTOR.matcher(option).matches();
  }
}
