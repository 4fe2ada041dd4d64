package io.aktis.acceptance;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Copies of what is on a class path, for other users: they may not be allowed to read the folders
 * of whoever runs the tests. What is copied stays for as long as the folder does.
 */
final class CodeCopy implements UnaryOperator<String> {
  private final Path folder;
  private final Map<String, String> copies = new HashMap<>();

  CodeCopy(Path folder) {
    this.folder = folder;
    open(folder);
  }

  /** Returns a class path with the same content. */
  @Override
  public synchronized String apply(String classPath) {
    List<String> entries = new ArrayList<>();
    for (String entry : classPath.split(File.pathSeparator)) {
      entries.add(copies.computeIfAbsent(entry, this::copy));
    }
    return String.join(File.pathSeparator, entries);
  }

  private String copy(String entry) {
    Path from = Path.of(entry);
    Path to = folder.resolve(copies.size() + "-" + from.getFileName());
    if (Files.exists(from)) {
      copyAll(from, to);
    }
    return to.toString();
  }

  private static void copyAll(Path from, Path to) {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path copy = to.resolve(from.relativize(file).toString());
        Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
        open(copy);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void open(Path path) {
    try {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
