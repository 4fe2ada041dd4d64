package io.aktis.cluster.code;

import io.aktis.cluster.code.PackedJar.Content;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Lists what is in a directory of classes, links followed. Confined to one thread. */
final class CodeDirectory extends SimpleFileVisitor<Path> {
  /** No directory of classes is larger; a home directory on the class path by mistake is. */
  static final long MAX_BYTES = 1L << 30;

  static final int MAX_FILES = 100_000;

  private final Path root;
  private final SortedMap<String, Content> contents = new TreeMap<>();
  private long sizeBytes;

  private CodeDirectory(Path root) {
    this.root = root;
  }

  /**
   * Returns the contents by their names in a jar.
   *
   * @throws IOException when it cannot be read, or has more than can be sent; the message names it
   */
  static SortedMap<String, Content> list(Path root) throws IOException {
    CodeDirectory directory = new CodeDirectory(root);
    try {
      Files.walkFileTree(root, Set.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE, directory);
    } catch (CodeException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException("cannot pack " + root + " of the class path: " + e, e);
    }
    return directory.contents;
  }

  @Override
  public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes)
      throws IOException {
    if (!path.equals(root)) {
      add(nameOf(path) + "/", InputStream::nullInputStream);
    }
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) throws IOException {
    if (attributes.isRegularFile()) {
      sizeBytes += attributes.size();
      add(nameOf(path), () -> Files.newInputStream(path));
    }
    return FileVisitResult.CONTINUE;
  }

  private String nameOf(Path path) {
    return root.relativize(path).toString().replace(path.getFileSystem().getSeparator(), "/");
  }

  private void add(String name, Content content) throws IOException {
    contents.put(name, content);
    if (contents.size() > MAX_FILES || sizeBytes > MAX_BYTES) {
      throw new CodeException(
          CodeException.Reason.NO_ROOM,
          root
              + " is on the class path of this program and holds more than the "
              + MAX_FILES
              + " files or "
              + (MAX_BYTES >> 20)
              + " MiB that can be sent to nodes; start the program with a class path (-cp) of what"
              + " it needs");
    }
  }
}
