package io.aktis.cluster.session;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The caches of loaded classes that make JVMs start faster. The launcher script names their folder
 * in the system property {@code aktis.aot.dir}; it is different for each JDK and set of jars, and a
 * JVM ignores a cache that is not for it.
 */
final class AotCache {
  private AotCache() {}

  /** Returns the options for a JVM in a role, such as {@code node}; none when there is no cache. */
  static List<String> options(String role) {
    String folder = System.getProperty("aktis.aot.dir", "");
    Path file = Path.of(folder, role + ".aot");
    return !folder.isEmpty() && Files.isReadable(file)
        ? List.of("-XX:AOTCache=" + file, "-Xlog:aot=off", "-Xlog:cds=off")
        : List.of();
  }
}
