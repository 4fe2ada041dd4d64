package io.aktis.cluster.session;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The caches of loaded classes that make JVMs start faster. The launcher script makes them, and
 * names their folder in the system property {@code aktis.aot.dir}, which daemons hand on; it is
 * different for each JDK and set of jars. A JVM ignores a cache that is not for it, is broken or
 * gone, and says nothing about it.
 */
public final class AotCache {
  /** The role of node daemons. */
  static final String NODE = "node";

  /** The role of worker processes. */
  public static final String WORKER = "worker";

  private static final String FOLDER = "aktis.aot.dir";

  private AotCache() {}

  /** Returns the options for a JVM in a role; none when there is no cache. */
  public static List<String> options(String role) {
    String folder = System.getProperty(FOLDER, "");
    Path file = Path.of(folder, role + ".aot");
    return !folder.isEmpty() && Files.isReadable(file)
        ? List.of("-XX:AOTCache=" + file, "-Xlog:aot=off", "-Xlog:cds=off")
        : List.of();
  }

  /** Returns the options that tell a daemon where the caches are; none when there are none. */
  static List<String> handedOn() {
    String folder = System.getProperty(FOLDER, "");
    return folder.isEmpty() ? List.of() : List.of("-D" + FOLDER + "=" + folder);
  }
}
