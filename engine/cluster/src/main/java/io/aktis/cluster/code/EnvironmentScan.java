package io.aktis.cluster.code;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The files of runtime environments as they can be sent, read once for each path. Belongs to one
 * session of a driver, and is closed with it. Thread-safe; methods read files and may wait.
 */
public final class EnvironmentScan implements AutoCloseable {
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Path, CodeUnitScan> jars = new HashMap<>();
  private final Map<Path, CodeUnitScan> directories = new HashMap<>();
  private boolean closed;

  /** Reads what a path leads to; the path is absolute. */
  private interface Reading {
    CodeUnitScan read(Path path) throws IOException;
  }

  /**
   * Returns what a path adds to a class path: a jar and what its manifest names, the contents of a
   * directory, or another file as a resource with its name.
   *
   * @throws IOException when it is not there, cannot be read, is too large, or is called a jar and
   *     is none; the message names it
   */
  public CodeUnitScan jar(Path path) throws IOException {
    return find(jars, path, EnvironmentScan::readJar);
  }

  /**
   * Returns the archive of a working directory.
   *
   * @param path a directory, or such an archive itself
   * @throws IOException when it is not there, cannot be read, or cannot be sent; the message names
   *     it
   */
  public CodeUnitScan workingDirectory(Path path) throws IOException {
    return find(directories, path, EnvironmentScan::readDirectory);
  }

  private CodeUnitScan find(Map<Path, CodeUnitScan> known, Path path, Reading reading)
      throws IOException {
    Path place = path.toAbsolutePath();
    lock.lock();
    try {
      if (closed) {
        throw new IOException("the session is closed");
      }
      CodeUnitScan scan = known.get(place);
      if (scan == null) {
        scan = reading.read(place);
        known.put(place, scan);
      }
      return scan;
    } finally {
      lock.unlock();
    }
  }

  private static CodeUnitScan readJar(Path path) throws IOException {
    if (!Files.exists(path)) {
      throw new IOException("there is no jar " + path);
    }
    if (Files.isDirectory(path) || isJar(path)) {
      return CodeUnitScan.ofClassPath(List.of(path));
    }
    if (!Files.isRegularFile(path)) {
      throw new IOException(path + " is neither a file nor a directory");
    }
    if (path.getFileName().toString().endsWith(".jar")) {
      throw new IOException(path + " is not a jar: it has no table of contents");
    }
    return CodeUnitScan.ofResource(path);
  }

  private static boolean isJar(Path path) throws IOException {
    return Files.isRegularFile(path) && JarFacts.of(path, FileStamp.of(path)).isJar();
  }

  private static CodeUnitScan readDirectory(Path path) throws IOException {
    if (!Files.exists(path)) {
      throw new IOException("there is no working directory " + path);
    }
    if (!Files.isDirectory(path) && !WorkingDirectory.isArchive(path)) {
      throw new IOException("the working directory " + path + " is not a directory");
    }
    return CodeUnitScan.ofWorkingDirectory(path);
  }

  /** Lets all go that was packed. Idempotent. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      jars.values().forEach(CodeUnitScan::close);
      directories.values().forEach(CodeUnitScan::close);
      jars.clear();
      directories.clear();
    } finally {
      lock.unlock();
    }
  }
}
