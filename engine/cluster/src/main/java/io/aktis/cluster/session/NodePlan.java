package io.aktis.cluster.session;

import io.aktis.cluster.rpc.HostPort;
import io.aktis.cluster.session.NodeSettings.Capacity;
import io.aktis.cluster.session.NodeSettings.Network;
import io.aktis.cluster.session.NodeSettings.Places;
import io.aktis.cluster.tls.TlsFiles;
import io.aktis.core.resource.Resources;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Chooses what a {@link NodeRequest} leaves open, and finds out before anything is started what
 * cannot work. Confined to one thread.
 */
final class NodePlan {
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");
  private static final String VISIBLE_GPUS = "CUDA_VISIBLE_DEVICES";

  private final NodeRequest request;
  private final List<NodeDirectory> others;

  /**
   * Plans a node.
   *
   * @param others the nodes that run here already
   */
  NodePlan(NodeRequest request, List<NodeDirectory> others) {
    this.request = request;
    this.others = others;
  }

  // ---- network ----------------------------------------------------------------------------

  /**
   * Chooses where the node listens.
   *
   * @param target the node to join; {@code null} for a head
   * @throws IllegalArgumentException when a name resolves to nothing
   * @throws IllegalStateException when it cannot listen there
   */
  Network network(@Nullable HostPort target) {
    NodeRequest.Listen listen = request.listen();
    String host = listen.host() != null ? listen.host() : defaultHost(target);
    InetAddress bound = HostPort.resolve(host);
    String advertised = listen.advertisedHost();
    if (advertised == null) {
      if (bound.isAnyLocalAddress()) {
        throw new IllegalArgumentException(
            "others cannot reach a node at "
                + host
                + ", which stands for all addresses of this machine; name one of them with"
                + " --advertise-host");
      }
      advertised = host;
    }
    HostPort.resolve(advertised);
    checkFree(host, bound, listen.port());
    checkFree(host, bound, listen.controlPort());
    checkFree(host, bound, listen.dataPort());
    Network network =
        new Network(
            host,
            advertised,
            listen.port(),
            listen.controlPort(),
            listen.dataPort(),
            target == null ? "" : target.toString());
    checkApart("services and membership", listen.port(), listen.controlPort());
    checkApart("services and data", listen.port(), listen.dataPort());
    checkApart("membership and data", network.membershipPort(), listen.dataPort());
    return network;
  }

  private static void checkApart(String uses, int port, int otherPort) {
    if (port != 0 && port == otherPort) {
      throw new IllegalArgumentException(uses + " need two ports; both are " + port);
    }
  }

  private static String defaultHost(@Nullable HostPort target) {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    if (target == null) {
      return loopback.getHostAddress();
    }
    InetAddress there = HostPort.resolve(target.host());
    if (there.isLoopbackAddress()) {
      return there.getHostAddress();
    }
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(there, target.port()); // sends nothing, but chooses the way
      return socket.getLocalAddress().getHostAddress();
    } catch (SocketException e) {
      throw new IllegalStateException("no way leads to " + target + ": " + e.getMessage(), e);
    }
  }

  private void checkFree(String host, InetAddress bound, int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(bound, port));
    } catch (IOException e) {
      String where = port == 0 ? "on " + host : "on port " + port + " of " + host;
      throw new IllegalStateException(
          "cannot listen " + where + ": " + e.getMessage() + blame(port), e);
    }
  }

  /** Says which node of this user has a port, if one has. */
  private String blame(int port) {
    for (NodeDirectory node : others) {
      boolean has =
          node.ready()
              .filter(ready ->
                  ready.address().endsWith(":" + port)
                      || ready.controlAddress().endsWith(":" + port))
              .isPresent();
      if (has) {
        return ". Your cluster of session "
            + node.sessionId()
            + " has it; 'aktis stop --session "
            + node.sessionId()
            + "' ends that, --port takes another port";
      }
    }
    return "";
  }

  // ---- files ------------------------------------------------------------------------------

  /**
   * Chooses the directories of the node, which are not there yet.
   *
   * @param tls the certificates, where the cluster uses TLS
   * @throws IllegalStateException when they cannot be made where they are wanted
   */
  Places places(NodeDirectory node, StorePlan store, Path tokenFile, Optional<TlsFiles> tls) {
    Path own = node.path();
    String name = node.nameElsewhere();
    Path spill = request.files().spillDir();
    return new Places(
        store.parent().resolve(name + "-store"),
        spill == null ? own.resolve(name + "-spill") : child(spill, name + "-spill", "spill"),
        own.resolve("logs"),
        tokenFile.toAbsolutePath(),
        tls);
  }

  private static Path child(Path parent, String name, String use) {
    return usable(parent, use).resolve(name);
  }

  private static Path usable(Path directory, String use) {
    String problem = problemOf(directory);
    if (!problem.isEmpty()) {
      throw new IllegalStateException("the " + use + " directory " + directory + " " + problem);
    }
    return directory.toAbsolutePath();
  }

  /** Says why nothing can be made in a directory; empty when it can. */
  static String problemOf(Path directory) {
    if (!Files.exists(directory)) {
      return "does not exist";
    }
    if (!Files.isDirectory(directory)) {
      return "is not a directory";
    }
    return Files.isWritable(directory) ? "" : "cannot be written to";
  }

  /**
   * Makes the directories. Called when the settings are written, so that who finds these knows what
   * to delete.
   *
   * @throws IllegalStateException when that is not possible
   */
  static void make(Places places) {
    for (Path directory : List.of(places.storeDir(), places.spillDir(), places.logDir())) {
      try {
        Files.createDirectory(directory, SessionDirectory.OWNER_ONLY);
      } catch (IOException e) {
        throw new IllegalStateException(
            "cannot make the directory " + directory + ": " + SessionDirectory.reason(e), e);
      }
    }
  }

  // ---- capacity ---------------------------------------------------------------------------

  /**
   * Chooses where the memory for objects is, and how much.
   *
   * @throws IllegalStateException when there is no room for it
   */
  StorePlan store(NodeDirectory node) {
    Path chosen = request.files().storeDir();
    Long bytes = request.amounts().objectStoreBytes();
    long memory = machineMemoryBytes();
    return chosen != null
        ? StorePlan.at(StorePlan.Place.of(usable(chosen, "store")), bytes, memory)
        : StorePlan.in(
            StorePlan.Place.ofSharedMemory(SHARED_MEMORY),
            StorePlan.Place.of(node.path()),
            bytes,
            memory);
  }

  /**
   * Chooses what the node offers.
   *
   * @param storeBytes the capacity of its object store
   * @throws IllegalArgumentException when an amount makes no sense
   */
  Capacity capacity(long storeBytes) {
    NodeRequest.Amounts amounts = request.amounts();
    List<String> gpus = gpuIds();
    Resources resources =
        Resources.of(
            amounts.cpus() != null ? amounts.cpus() : Runtime.getRuntime().availableProcessors(),
            gpus.size(),
            amounts.memoryBytes() != null
                ? amounts.memoryBytes()
                : Math.max(StorePlan.LEAST_BYTES, (machineMemoryBytes() - storeBytes) / 10 * 7),
            amounts.custom());
    return new Capacity(resources, gpus, amounts.labels(), storeBytes);
  }

  /** That of the container, if this is one. */
  private static long machineMemoryBytes() {
    if (ManagementFactory.getOperatingSystemMXBean()
        instanceof com.sun.management.OperatingSystemMXBean system) {
      return system.getTotalMemorySize();
    }
    return Runtime.getRuntime().maxMemory();
  }

  private List<String> gpuIds() {
    String variable = System.getenv(VISIBLE_GPUS);
    List<String> visible =
        variable == null
            ? List.of()
            : Arrays.stream(variable.split(","))
                .map(String::strip)
                .filter(id -> !id.isEmpty() && !id.equals("-1"))
                .toList();
    Integer chosen = request.amounts().gpus();
    if (chosen == null) {
      return visible;
    }
    if (variable != null && chosen > visible.size()) {
      throw new IllegalArgumentException(
          chosen + " GPUs are asked for, and " + VISIBLE_GPUS + " is '" + variable + "'");
    }
    if (variable != null) {
      return visible.subList(0, chosen);
    }
    List<String> numbers = new ArrayList<>();
    for (int number = 0; number < chosen; number++) {
      numbers.add(Integer.toString(number));
    }
    return numbers;
  }
}
