package io.aktis.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.aktis.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A network of machines that this one imitates: each is a network namespace with an address of its
 * own and its own shared memory, joined by a switch. Each namespace is held by one process and is
 * gone with it, whatever becomes of the test. Confined to one thread.
 */
final class Network implements AutoCloseable {
  private static final String PREFIX = "10.214.77.";

  /** A machine that says another name of the running system, and shares no memory with others. */
  private static final String OTHER_MACHINE =
      "mount -t tmpfs tmpfs /dev/shm && mount --bind \"$1\" /proc/sys/kernel/random/boot_id"
          + " && echo ready && exec sleep infinity";

  private final Path folder;
  private final Program switchHolder;
  private final List<Program> holders = new ArrayList<>();

  private Network(Path folder) {
    this.folder = folder;
    this.switchHolder = hold("echo ready && exec sleep infinity", folder);
  }

  /** Returns why no such network can be made here; empty when it can. */
  static String obstacle() {
    if (!Files.isExecutable(Path.of("/usr/bin/unshare"))
        || !Files.isExecutable(Path.of("/usr/bin/nsenter"))) {
      return "unshare and nsenter of util-linux are not installed";
    }
    try {
      Process probe =
          new ProcessBuilder(
                  List.of("/usr/bin/unshare", "--net", "--mount", "ip", "link", "set", "lo", "up"))
              .redirectErrorStream(true)
              .start();
      String output = new String(probe.getInputStream().readAllBytes(), UTF_8);
      return probe.waitFor() == 0 ? "" : "network namespaces are not permitted here: " + output;
    } catch (IOException e) {
      return "ip of iproute2 is not installed: " + e.getMessage();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  static Network make(Path folder, int machines) {
    Network network = new Network(folder);
    boolean made = false;
    try {
      network.inSwitch("ip", "link", "add", "switch0", "type", "bridge");
      network.inSwitch("ip", "link", "set", "switch0", "up");
      for (int number = 1; number <= machines; number++) {
        network.addMachine(number);
      }
      made = true;
      return network;
    } catch (IOException e) {
      throw new AssertionError(e);
    } finally {
      if (!made) {
        network.close();
      }
    }
  }

  private void addMachine(int number) throws IOException {
    Path name = Files.writeString(folder.resolve("boot-id-" + number), "machine-" + number + "\n");
    Program holder = hold(OTHER_MACHINE, folder, name.toString());
    holders.add(holder);
    String port = "port" + number;
    String pid = Long.toString(holder.pid());
    inSwitch("ip", "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", pid);
    inSwitch("ip", "link", "set", port, "master", "switch0", "up");
    inMachine(number, "ip", "link", "set", "lo", "up");
    inMachine(number, "ip", "addr", "add", host(number) + "/24", "dev", "eth0");
    inMachine(number, "ip", "link", "set", "eth0", "up");
  }

  private static Program hold(String script, Path folder, String... arguments) {
    List<String> line = new ArrayList<>();
    line.addAll(List.of("/usr/bin/unshare", "--net", "--mount", "--kill-child"));
    line.addAll(List.of("sh", "-ec", script, "holder"));
    line.addAll(List.of(arguments));
    Program holder = Program.start(line, Map.of(), folder);
    holder.awaitLine("ready");
    return holder;
  }

  /** Returns the address of a machine, from 1. */
  static String host(int number) {
    return PREFIX + number;
  }

  /** Returns the words before a command that runs on a machine. */
  String[] on(int number) {
    return inside(holders.get(number - 1)).toArray(String[]::new);
  }

  /** Returns a process of a machine, to look at its network. */
  long pidOn(int number) {
    return holders.get(number - 1).pid();
  }

  private static List<String> inside(Program holder) {
    return List.of("/usr/bin/nsenter", "-t", Long.toString(holder.pid()), "-n", "-m", "--");
  }

  private void inSwitch(String... command) {
    run(switchHolder, command);
  }

  private void inMachine(int number, String... command) {
    run(holders.get(number - 1), command);
  }

  /** Runs a command that has to succeed on a machine; returns what it printed. */
  String run(int number, String... command) {
    return run(holders.get(number - 1), command);
  }

  private String run(Program holder, String... command) {
    List<String> line = new ArrayList<>(inside(holder));
    line.addAll(List.of(command));
    try (Program program = Program.start(line, Map.of(), folder)) {
      return program.awaitSuccess();
    }
  }

  @Override
  public void close() {
    holders.forEach(Program::close);
    switchHolder.close();
    Await.until(
        "the holders to be gone",
        Duration.ofSeconds(10),
        () -> holders.stream().noneMatch(Program::isAlive),
        () -> "");
  }
}
