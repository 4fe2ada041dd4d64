package io.aktis.testkit;

import static java.util.stream.Collectors.joining;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The class path of daemons and workers: no class of a test is on it by accident. */
final class EngineClassPath {
  /** One entry of each artifact of the engine. */
  private static final List<String> ENGINE =
      List.of(
          "io/aktis/Aktis.class",
          "io/aktis/core",
          "io/aktis/wire",
          "io/aktis/store",
          "io/aktis/runtime",
          "io/aktis/cluster");

  private EngineClassPath() {}

  /**
   * Returns the class path of this process without the directories that hold nothing of the engine.
   * Jars stay: libraries of the engine are among them.
   */
  static String ofThisProcess() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> isNeeded(Path.of(entry)))
        .collect(joining(File.pathSeparator));
  }

  private static boolean isNeeded(Path entry) {
    return !Files.isDirectory(entry)
        || ENGINE.stream().anyMatch(name -> Files.exists(entry.resolve(name)));
  }
}
