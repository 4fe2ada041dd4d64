package io.aktis.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Makes files and directories that only their user can open. Thread-safe. */
final class PrivateFiles {
  private PrivateFiles() {}

  /** Makes an empty file that did not exist. */
  static void create(Path file) throws IOException {
    Files.createFile(file, only(file, "rw-------"));
  }

  /** Makes a directory and its parents, where they do not exist. */
  static void createDirectories(Path directory) throws IOException {
    Files.createDirectories(directory, only(directory, "rwx------"));
  }

  private static FileAttribute<?>[] only(Path path, String permissions) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }
}
