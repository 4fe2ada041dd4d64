package io.aktis.cluster.node;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Options of JVMs that several have a say in. */
final class JvmOptions {
  private static final Pattern COLLECTOR =
      Pattern.compile("-XX:\\+Use(Serial|Parallel|G1|Z|Shenandoah|Epsilon)GC");

  private JvmOptions() {}

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
