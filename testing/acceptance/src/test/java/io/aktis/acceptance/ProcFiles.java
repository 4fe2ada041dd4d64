package io.aktis.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** What the kernel tells of processes and sockets, as ps and ss show it. */
final class ProcFiles {
  private static final Path PROC = Path.of("/proc");
  private static final String LISTEN = "0A";

  private ProcFiles() {}

  /** Returns the daemons that have their files in a directory, and all that came from them. */
  static List<ProcessHandle> processesOfNodes(Path home) {
    return processesWith("AKTIS_NODE_DIR=" + home);
  }

  /** Returns the living processes that know of a directory from their environment. */
  static List<ProcessHandle> processesOf(Path directory) {
    return processesWith("=" + directory);
  }

  private static List<ProcessHandle> processesWith(String text) {
    List<ProcessHandle> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (Path entry : entries) {
        if (read(entry.resolve("environ")).contains(text) && !isZombie(entry)) {
          ProcessHandle.of(Long.parseLong(entry.getFileName().toString())).ifPresent(found::add);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  /** Returns the main class of a JVM, or something else. */
  static String mainClass(long pid) {
    String[] words = read(PROC.resolve(pid + "/cmdline")).split("\0");
    for (int i = 1; i < words.length - 1; i++) {
      if (words[i].equals("-cp")) {
        return words[Math.min(i + 2, words.length - 1)];
      }
    }
    return words[0];
  }

  private static boolean isZombie(Path process) {
    return read(process.resolve("stat")).matches("(?s).*\\) [ZX] .*");
  }

  /** Returns the ports on which anybody listens in the network that a process sees. */
  static Set<Integer> listeningPorts(long pid) {
    return listeningPorts(pid, inode -> true);
  }

  /** Returns the ports on which a process itself listens. */
  static Set<Integer> listeningPortsOf(long pid) {
    Set<String> sockets = new TreeSet<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(PROC.resolve(pid + "/fd"))) {
      for (Path file : files) {
        sockets.add(target(file));
      }
    } catch (IOException gone) {
      return Set.of();
    }
    return listeningPorts(pid, inode -> sockets.contains("socket:[" + inode + "]"));
  }

  private static String target(Path file) {
    try {
      return Files.readSymbolicLink(file).toString();
    } catch (IOException closed) {
      return "";
    }
  }

  private static Set<Integer> listeningPorts(long pid, Predicate<String> isMeant) {
    Set<Integer> ports = new TreeSet<>();
    for (String table : List.of("tcp", "tcp6")) {
      read(PROC.resolve(pid + "/net/" + table))
          .lines()
          .skip(1)
          .map(line -> line.strip().split("\\s+"))
          .filter(fields -> fields[3].equals(LISTEN) && isMeant.test(fields[9]))
          .map(fields -> fields[1])
          .forEach(at -> ports.add(Integer.parseInt(at.substring(at.indexOf(':') + 1), 16)));
    }
    return ports;
  }

  /** Returns the memory of a process that is in RAM, in KiB. */
  static long residentKib(long pid) {
    return status(pid, "VmRSS:");
  }

  static long threads(long pid) {
    return status(pid, "Threads:");
  }

  private static long status(long pid, String name) {
    return read(PROC.resolve(pid + "/status"))
        .lines()
        .filter(line -> line.startsWith(name))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow(() -> new AssertionError("process " + pid + " is gone"));
  }

  /** Returns how many files and sockets a process has open. */
  static long openFiles(long pid) {
    try (Stream<Path> open = Files.list(PROC.resolve(pid + "/fd"))) {
      return open.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns nothing for a process that is gone. */
  private static String read(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    } catch (IOException gone) {
      return "";
    }
  }
}
