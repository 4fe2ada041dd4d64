package io.aktis.cluster.session;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The directory of one node on this machine: what it was told, and what it tells. The daemon and
 * whoever starts or stops it use it at the same time; every file is there as a whole or not at all.
 * Immutable and thread-safe.
 *
 * @param path the directory
 */
public record NodeDirectory(Path path) {
  /** How the directories of a node outside of its own begin; nothing else is ever deleted there. */
  static final String PREFIX = "aktis-";

  /** Returns the directory that a file of settings is in: how a daemon finds its own. */
  public static NodeDirectory ofSettings(Path settingsFile) {
    return new NodeDirectory(parentOf(settingsFile.toAbsolutePath()));
  }

  static Path parentOf(Path path) {
    Path parent = path.getParent();
    if (parent == null) {
      throw new IllegalArgumentException(path + " is not in a directory");
    }
    return parent;
  }

  /** Returns the file of {@link NodeSettings}. */
  public Path settingsFile() {
    return path.resolve("node.properties");
  }

  /** Returns the file that the daemon prints to. */
  public Path log() {
    return path.resolve("daemon.log");
  }

  /** Returns the number of the node among those of its session on this machine. */
  public int number() {
    return Integer.parseInt(path.getFileName().toString());
  }

  /** Returns the directory of the session, which nodes of it on this machine share. */
  public Path session() {
    return parentOf(parentOf(path));
  }

  /** Returns the id of the session, which names its directory. */
  public String sessionId() {
    return session().getFileName().toString();
  }

  /**
   * Returns the name of directories of the node that are not in this one. Another user, or another
   * home of this one, may have nodes of the same session on this machine.
   */
  String nameElsewhere() {
    String home = HexFormat.of().toHexDigits(session().toString().hashCode());
    return PREFIX + sessionId() + "-" + home + "-" + number();
  }

  /** Tells, in the daemon, that it can take work. */
  public void writeReady(ReadyNode ready) throws IOException {
    PropertiesFile.write(path.resolve("ready"), ready.entries());
  }

  /** Tells, in the daemon, in one line why it cannot start; it ends after that. */
  public void writeFailed(String reason) throws IOException {
    PropertiesFile.writeText(path.resolve("failed"), reason.replaceAll("\\s*\\R\\s*", " ") + "\n");
  }

  /** Returns what the daemon has told when it became ready, if it did. */
  public Optional<ReadyNode> ready() {
    return entries("ready").map(ReadyNode::of);
  }

  /** Returns why the daemon could not start, if it said so. */
  public Optional<String> failed() {
    return ifWritten(path.resolve("failed"), file -> Files.readString(file).strip());
  }

  /** Returns what the daemon was told, if it was told anything yet. */
  public Optional<NodeSettings> settings() {
    return ifWritten(settingsFile(), NodeSettings::read);
  }

  /** Returns the process of the node, if it runs: the daemon, or before that who starts it. */
  public Optional<ProcessHandle> process() {
    return entries("process")
        .flatMap(entries -> mark(entries).process())
        .or(() -> ready().flatMap(ready -> ready.process().process()));
  }

  /** Returns the daemon, if it runs. */
  Optional<ProcessHandle> daemon() {
    return entries("process")
        .filter(entries -> Boolean.parseBoolean(entries.get("daemon")))
        .flatMap(entries -> mark(entries).process())
        .or(() -> ready().flatMap(ready -> ready.process().process()));
  }

  /** Notes which process stands for the node: its daemon, or who starts that. */
  void writeProcess(ProcessMark mark, boolean daemon) throws IOException {
    PropertiesFile.write(
        path.resolve("process"),
        Map.of(
            "pid", Long.toString(mark.pid()),
            "birth", mark.birth(),
            "daemon", Boolean.toString(daemon)));
  }

  private static ProcessMark mark(Map<String, String> entries) {
    return new ProcessMark(
        Long.parseLong(entries.getOrDefault("pid", "0")), entries.getOrDefault("birth", ""));
  }

  private Optional<Map<String, String>> entries(String name) {
    return ifWritten(path.resolve(name), PropertiesFile::read);
  }

  /** How a file is read. */
  private interface Reading<T> {
    T read(Path file) throws IOException;
  }

  private static <T> Optional<T> ifWritten(Path file, Reading<? extends T> reading) {
    try {
      return Optional.of(reading.read(file));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  /** Returns the last lines that the daemon has printed. */
  public List<String> lastLines(int count) {
    try (var lines = Files.lines(log())) {
      List<String> all = lines.toList();
      return all.subList(Math.max(0, all.size() - count), all.size());
    } catch (IOException | UncheckedIOException e) {
      return List.of("(" + log() + " cannot be read: " + e.getMessage() + ")");
    }
  }

  /**
   * Deletes the directory, and those of store and spill that were made for the node.
   *
   * @return what was deleted
   */
  List<Path> delete() throws IOException {
    List<Path> own =
        settings()
            .map(settings -> List.of(settings.places().storeDir(), settings.places().spillDir()))
            .orElse(List.of());
    List<Path> deleted = new ArrayList<>();
    for (Path directory : own) {
      if (directory.getFileName().toString().startsWith(PREFIX)
          && Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
        deleteAll(directory);
        deleted.add(directory);
      }
    }
    deleteAll(path);
    deleted.add(path);
    return deleted;
  }

  /**
   * Deletes a directory and what is in it, if it is there; links are deleted, not followed. What
   * this user may not change is made changeable first: programs leave such directories.
   *
   * @throws IOException when something in it cannot be deleted
   */
  public static void deleteAll(Path directory) throws IOException {
    if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            if (!Files.isWritable(folder)) {
              open(folder);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE; // who made it has deleted it
            }
            if (!Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS) || Files.isReadable(file)) {
              throw e;
            }
            open(file);
            deleteAll(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e)
              throws IOException {
            if (e != null) {
              throw e;
            }
            Files.deleteIfExists(folder);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** Lets this user do everything with a directory; it fails when that is of no use. */
  private static void open(Path folder) throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    if (!Files.isReadable(folder) || !Files.isWritable(folder)) {
      throw new AccessDeniedException(folder.toString());
    }
  }
}
