package io.aktis.cluster.node;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds and kills what a process of a node has started, a worker or the driver of a job. Children
 * are found through their parents while those live. What is left when a parent has gone before is
 * found, on Linux, by its session or by the environment variable that it has inherited. Methods
 * wait; thread-safe.
 */
final class ProcessTree {
  /** Every process of a worker inherits this variable with the id of the worker. */
  static final String MARK = "AKTIS_WORKER_ID";

  private static final Logger LOG = LoggerFactory.getLogger(ProcessTree.class);
  private static final Path PROC = Path.of("/proc");
  private static final int ROUNDS = 40;
  private static final long ROUND_MS = 25;

  private ProcessTree() {}

  /** Kills a process, and all of its descendants. */
  static void kill(ProcessHandle root) {
    List<ProcessHandle> all = new ArrayList<>();
    all.add(root);
    root.descendants().forEach(all::add);
    all.forEach(ProcessHandle::destroyForcibly);
  }

  /**
   * Kills what is left of a process that has ended; returns when nothing is left.
   *
   * @param mark the variable that all of it has inherited, and its value, with = between
   * @param pid what the process was, and with it the session that it led
   * @return false when something cannot be killed
   */
  static boolean killLeft(String mark, long pid) {
    try {
      for (int round = 0; round < ROUNDS; round++) {
        List<ProcessHandle> left = left(mark, pid);
        if (left.isEmpty()) {
          return true;
        }
        left.forEach(ProcessHandle::destroyForcibly);
        Thread.sleep(ROUND_MS);
      }
      return left(mark, pid).isEmpty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (IOException | DirectoryIteratorException e) {
      LOG.warn("the processes of the machine cannot be listed: {}", e.toString());
      return false;
    }
  }

  private static List<ProcessHandle> left(String mark, long pid) throws IOException {
    List<ProcessHandle> found = new ArrayList<>();
    if (!Files.isDirectory(PROC.resolve("self"))) {
      return found;
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (Path entry : entries) {
        if (isOf(mark, pid, entry)) {
          ProcessHandle.of(Long.parseLong(entry.getFileName().toString())).ifPresent(found::add);
        }
      }
    }
    return found;
  }

  private static boolean isOf(String mark, long pid, Path entry) {
    String stat = read(entry.resolve("stat"));
    if (stat == null) {
      return false;
    }
    // The name of the command is in brackets and may hold anything; state and numbers follow it.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    if (fields[0].equals("Z") || fields[0].equals("X")) {
      return false; // dead, and waits for its parent to see it
    }
    if (entry.endsWith(Long.toString(ProcessHandle.current().pid()))) {
      return false; // a daemon does not end itself, whatever its environment is
    }
    if (Long.parseLong(fields[3]) == pid) {
      return true;
    }
    String environment = read(entry.resolve("environ"));
    return environment != null && ("\0" + environment).contains("\0" + mark + "\0");
  }

  /** Returns null for a process that has gone meanwhile, or is another user's. */
  private static @Nullable String read(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return null;
    }
  }
}
