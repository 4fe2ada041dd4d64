package io.aktis.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A network of hosts that this machine imitates: each is a network namespace with an address of its
 * own, shared memory of its own, and another name of the running system; a switch joins them. Needs
 * Linux and root. Each namespace is held by one process that ends with this JVM, in whatever way
 * that ends; a namespace is gone when its last process is. Confined to one thread.
 */
public final class HostNetwork implements AutoCloseable {
  private static final int MAX_HOSTS = 99;
  private static final int OF_THIS_MACHINE = 254;

  /** Holds a namespace until its input ends. */
  private static final String HOLD = "echo ready && exec cat";

  /** A host says another name of the running system, and shares no memory with others. */
  private static final String HOLD_HOST =
      "mount -t tmpfs tmpfs /dev/shm"
          + " && echo \"$1\" >/dev/shm/boot-id"
          + " && mount --bind /dev/shm/boot-id /proc/sys/kernel/random/boot_id"
          + " && rm /dev/shm/boot-id && "
          + HOLD;

  private final String prefix = freePrefix();
  private final Process switchHolder = hold(HOLD);
  private final List<Process> holders = new ArrayList<>();

  private HostNetwork() {}

  /** Returns why no such network can be made here; empty when it can. */
  public static String obstacle() {
    if (!Files.isExecutable(Path.of("/usr/bin/unshare"))
        || !Files.isExecutable(Path.of("/usr/bin/nsenter"))) {
      return "unshare and nsenter of util-linux are not installed";
    }
    try {
      run(List.of("/usr/bin/unshare", "--net", "--mount", "ip", "link", "set", "lo", "up"));
      return "";
    } catch (UncheckedIOException | IllegalStateException e) {
      return "network namespaces cannot be made here, or ip of iproute2 is missing: "
          + e.getMessage();
    }
  }

  /**
   * Makes a network.
   *
   * @param hosts how many, from 1 to 99
   * @throws IllegalStateException when it cannot be made; the message says why
   */
  public static HostNetwork make(int hosts) {
    if (hosts < 1 || hosts > MAX_HOSTS) {
      throw new IllegalArgumentException(
          "a network has 1 to " + MAX_HOSTS + " hosts, not " + hosts);
    }
    HostNetwork network = new HostNetwork();
    boolean made = false;
    try {
      network.inSwitch("ip", "link", "add", "switch0", "type", "bridge");
      network.inSwitch("ip", "link", "set", "switch0", "up");
      for (int number = 1; number <= hosts; number++) {
        network.addHost(number);
      }
      made = true;
      return network;
    } finally {
      if (!made) {
        network.close();
      }
    }
  }

  private void addHost(int number) {
    Process holder = hold(HOLD_HOST, "host-" + number + "-of-" + switchHolder.pid());
    holders.add(holder);
    String port = "port" + number;
    String pid = Long.toString(holder.pid());
    inSwitch("ip", "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", pid);
    inSwitch("ip", "link", "set", port, "master", "switch0", "up");
    run(number, "ip", "link", "set", "lo", "up");
    run(number, "ip", "addr", "add", address(number) + "/24", "dev", "eth0");
    run(number, "ip", "link", "set", "eth0", "up");
  }

  /**
   * Joins this machine itself to the network, until the network is closed.
   *
   * @return its address there
   * @throws IllegalStateException when that is not possible; the message says why
   */
  public String joinThisMachine() {
    String own = "aktis" + switchHolder.pid();
    String peer = Long.toString(switchHolder.pid());
    String address = prefix + OF_THIS_MACHINE;
    run(List.of("ip", "link", "add", own, "type", "veth", "peer", "name", "out0", "netns", peer));
    inSwitch("ip", "link", "set", "out0", "master", "switch0", "up");
    run(List.of("ip", "addr", "add", address + "/24", "dev", own));
    run(List.of("ip", "link", "set", own, "up"));
    return address;
  }

  /** Chooses a range of addresses that no other network of tests has on this machine. */
  private static String freePrefix() {
    long start = ProcessHandle.current().pid();
    for (long offset = 0; offset < 256; offset++) {
      String prefix = "10.214." + (start + offset) % 256 + ".";
      if (localAddresses().stream().noneMatch(address -> address.startsWith(prefix))) {
        return prefix;
      }
    }
    throw new IllegalStateException("all networks of 10.214.0.0/16 are in use on this machine");
  }

  private static List<String> localAddresses() {
    try {
      return NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .map(InetAddress::getHostAddress)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list the addresses of this machine", e);
    }
  }

  /** Returns the address of a host, from 1. */
  public String address(int number) {
    return prefix + number;
  }

  /** Returns the words before a command that make it run on a host, from 1. */
  public List<String> on(int number) {
    return inside(holders.get(number - 1));
  }

  /** Returns a process of a host, to look at its network. */
  public long pidOn(int number) {
    return holders.get(number - 1).pid();
  }

  /**
   * Runs a command on a host.
   *
   * @return what it printed
   * @throws IllegalStateException when it does not succeed; the message has what it printed
   */
  public String run(int number, String... command) {
    return run(holders.get(number - 1), command);
  }

  /** Pulls the cable of a host: nothing comes from it or to it, and nobody is told. */
  public void cut(int number) {
    inSwitch("ip", "link", "set", "port" + number, "nomaster");
  }

  /** Puts the cable of a host back that was cut. */
  public void mend(int number) {
    inSwitch("ip", "link", "set", "port" + number, "master", "switch0");
  }

  private void inSwitch(String... command) {
    run(switchHolder, command);
  }

  private static String run(Process holder, String... command) {
    List<String> line = new ArrayList<>(inside(holder));
    Collections.addAll(line, command);
    return run(line);
  }

  private static List<String> inside(Process holder) {
    return List.of("/usr/bin/nsenter", "-t", Long.toString(holder.pid()), "-n", "-m", "--");
  }

  private static String run(List<String> line) {
    try {
      Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException(String.join(" ", line) + " failed: " + output.strip());
      }
      return output;
    } catch (IOException e) {
      throw new UncheckedIOException(String.join(" ", line) + " cannot be run", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while " + line + " runs", e);
    }
  }

  private static Process hold(String script, String... arguments) {
    List<String> line = new ArrayList<>(List.of("/usr/bin/unshare", "--net", "--mount"));
    Collections.addAll(line, "sh", "-ec", script, "holder");
    Collections.addAll(line, arguments);
    try {
      Process holder =
          new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      awaitReady(holder);
      return holder;
    } catch (IOException e) {
      throw new UncheckedIOException("a namespace cannot be made", e);
    }
  }

  private static void awaitReady(Process holder) throws IOException {
    BufferedReader output = holder.inputReader();
    if (!"ready".equals(output.readLine())) {
      holder.destroyForcibly();
      throw new IllegalStateException("a namespace cannot be made; standard error says why");
    }
  }

  /** Ends the network; what runs on hosts still is cut off. Idempotent. */
  @Override
  public void close() {
    List<Process> all = new ArrayList<>(holders);
    all.add(switchHolder);
    all.forEach(Process::destroyForcibly);
    all.forEach(holder -> holder.onExit().join());
  }
}
