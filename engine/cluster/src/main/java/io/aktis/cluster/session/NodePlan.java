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
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Chooses what a {@link NodeRequest} leaves open, and finds out before anything is started what
 * cannot work. Confined to one thread.
 */
final class NodePlan {
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");
  private static final String VISIBLE_GPUS = "CUDA_VISIBLE_DEVICES";
  private static final long LEAST_STORE_BYTES = 64L << 20;

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
  Places places(NodeDirectory node, Path tokenFile, Optional<TlsFiles> tls) {
    Path own = node.path();
    String name = NodeDirectory.PREFIX + node.sessionId() + "-" + node.number();
    Path store = storeParent();
    Path spill = request.files().spillDir();
    return new Places(
        store == null ? own.resolve(name + "-store") : child(store, name + "-store", "store"),
        spill == null ? own.resolve(name + "-spill") : child(spill, name + "-spill", "spill"),
        own.resolve("logs"),
        tokenFile.toAbsolutePath(),
        tls);
  }

  private @Nullable Path storeParent() {
    Path chosen = request.files().storeDir();
    if (chosen != null) {
      return chosen;
    }
    return Files.isDirectory(SHARED_MEMORY) && Files.isWritable(SHARED_MEMORY)
        ? SHARED_MEMORY
        : null;
  }

  private static Path child(Path parent, String name, String use) {
    String problem = "";
    if (!Files.exists(parent)) {
      problem = "does not exist";
    } else if (!Files.isDirectory(parent)) {
      problem = "is not a directory";
    } else if (!Files.isWritable(parent)) {
      problem = "cannot be written to";
    }
    if (!problem.isEmpty()) {
      throw new IllegalStateException("the " + use + " directory " + parent + " " + problem);
    }
    return parent.toAbsolutePath().resolve(name);
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
   * Chooses what the node offers.
   *
   * @param storeDir where the memory of the object store will be
   * @throws IllegalArgumentException when an amount makes no sense
   * @throws IllegalStateException when there is no room for the object store
   */
  Capacity capacity(Path storeDir) {
    NodeRequest.Amounts amounts = request.amounts();
    long memory = machineMemoryBytes();
    long store = objectStoreBytes(storeDir, memory);
    List<String> gpus = gpuIds();
    Resources resources =
        Resources.of(
            amounts.cpus() != null ? amounts.cpus() : Runtime.getRuntime().availableProcessors(),
            gpus.size(),
            amounts.memoryBytes() != null
                ? amounts.memoryBytes()
                : Math.max(LEAST_STORE_BYTES, (memory - store) / 10 * 7),
            amounts.custom());
    return new Capacity(resources, gpus, amounts.labels(), store);
  }

  /** That of the container, if this is one. */
  private static long machineMemoryBytes() {
    if (ManagementFactory.getOperatingSystemMXBean()
        instanceof com.sun.management.OperatingSystemMXBean system) {
      return system.getTotalMemorySize();
    }
    return Runtime.getRuntime().maxMemory();
  }

  private long objectStoreBytes(Path storeDir, long memory) {
    Path parent = NodeDirectory.parentOf(storeDir);
    long room;
    try {
      room = Files.getFileStore(parent).getUsableSpace();
    } catch (IOException e) {
      throw new IllegalStateException(
          "cannot tell how much room " + parent + " has: " + SessionDirectory.reason(e), e);
    }
    Long chosen = request.amounts().objectStoreBytes();
    long wanted =
        chosen != null ? chosen : Math.max(LEAST_STORE_BYTES, Math.min(memory / 5, room / 10 * 8));
    if (wanted > room) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "an object store of %,d MiB has no room in %s, where %,d MiB are free; choose less"
                  + " with --object-store-memory or another place with --store-dir",
              wanted >> 20,
              parent,
              room >> 20));
    }
    return wanted;
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
