package io.aktis.testkit;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What this process had at one moment, to find later what was added and not taken away. */
public final class Leaks {
  /** Every thread that the engine starts has a name that begins like this. */
  public static final String THREAD_PREFIX = "aktis-";

  private static final Path OPEN_FILES = Path.of("/proc/self/fd");
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Set<String> threadsBefore;
  private final List<String> filesBefore;

  private Leaks(Set<String> threadsBefore, List<String> filesBefore) {
    this.threadsBefore = threadsBefore;
    this.filesBefore = filesBefore;
  }

  /** Takes note of the engine's threads and of the open files. */
  public static Leaks since() {
    return new Leaks(engineThreads(), openFiles());
  }

  /**
   * Waits until what was added is gone.
   *
   * @throws AssertionError when it is not after 5 seconds; names what is left
   */
  public void awaitNone() {
    awaitNone(PATIENCE);
  }

  void awaitNone(Duration limit) {
    Await.until(
        "threads and files of the engine to be gone",
        limit,
        () -> found().isEmpty(),
        () -> "Left are " + found());
  }

  private List<String> found() {
    List<String> left = new ArrayList<>();
    Set<String> threads = engineThreads();
    threads.removeAll(threadsBefore);
    left.addAll(threads);
    List<String> files = openFiles();
    filesBefore.forEach(files::remove);
    left.addAll(files);
    return left;
  }

  private static Set<String> engineThreads() {
    Set<String> names = new TreeSet<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith(THREAD_PREFIX)) {
        names.add(thread.getName() + "#" + thread.threadId());
      }
    }
    return names;
  }

  /** Empty where there is no /proc. Jars are left out: class loaders open them when they like. */
  private static List<String> openFiles() {
    List<String> files = new ArrayList<>();
    if (!Files.isDirectory(OPEN_FILES)) {
      return files;
    }
    try (DirectoryStream<Path> links = Files.newDirectoryStream(OPEN_FILES)) {
      for (Path link : links) {
        target(link).filter(file -> !isOfTheJvm(file)).ifPresent(files::add);
      }
    } catch (IOException e) {
      throw new IllegalStateException("cannot list " + OPEN_FILES, e);
    }
    return files;
  }

  private static Optional<String> target(Path link) {
    try {
      return Optional.of(Files.readSymbolicLink(link).toString());
    } catch (IOException closedMeanwhile) {
      return Optional.empty();
    }
  }

  private static boolean isOfTheJvm(String file) {
    return file.endsWith(".jar")
        || file.endsWith("/modules")
        || file.startsWith("/dev/")
        || file.endsWith("/fd")
        || file.startsWith("anon_inode:");
  }
}
