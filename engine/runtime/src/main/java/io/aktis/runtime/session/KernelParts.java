package io.aktis.runtime.session;

import io.aktis.SessionOptions;
import io.aktis.core.id.NodeId;
import io.aktis.core.lease.LeaseLedger;
import io.aktis.core.resource.Resources;
import io.aktis.runtime.port.ClusterPort;
import io.aktis.store.ObjectStore;
import io.aktis.store.StoreConfig;
import io.aktis.wire.value.HandleHooks;
import io.aktis.wire.value.ValueCodec;
import java.time.Duration;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What an embedded session is put together from: ids, nodes, and the class loader of its values.
 *
 * @param sessionId id of the session
 * @param ownerNumber the random number in all ids that the session gives
 * @param options what the user asked for
 * @param nodes the virtual nodes
 * @param port reaches the processes of a cluster, {@code null} for an embedded session
 */
record KernelParts(
    String sessionId,
    long ownerNumber,
    SessionOptions options,
    Map<NodeId, VirtualNode> nodes,
    @Nullable ClusterPort port) {
  private static final double STORE_SHARE = 0.3;

  /** How long a value waits for room in a full store. */
  private static final Duration STORE_TIMEOUT = Duration.ofSeconds(10);

  private static final double MEMORY_SHARE = 0.7;

  static KernelParts of(SessionOptions options) {
    List<SessionOptions.NodeOptions> described = options.nodes();
    SplittableRandom random = new SplittableRandom(seed());
    long ownerNumber = newOwnerNumber();
    String sessionId = HexFormat.of().toHexDigits(random.nextInt());
    Map<NodeId, VirtualNode> nodes = new LinkedHashMap<>();
    for (SessionOptions.NodeOptions node : described) {
      NodeId id = new NodeId(ownerNumber, nodes.size() + 1L);
      nodes.put(id, node(id, node, options, described.size()));
    }
    return new KernelParts(sessionId, ownerNumber, options, nodes, null);
  }

  /**
   * Returns a number that no two processes share, by all chance: ids have to be unique and need not
   * be secret, and a secure generator takes as long to start as all the rest.
   */
  private static long seed() {
    return System.nanoTime() ^ System.currentTimeMillis() << 22;
  }

  private static VirtualNode node(
      NodeId id, SessionOptions.NodeOptions node, SessionOptions options, int count) {
    double cpus = node.cpus().orElse(Runtime.getRuntime().availableProcessors());
    long memory =
        node.memoryBytes().orElse((long) (Runtime.getRuntime().maxMemory() * MEMORY_SHARE / count));
    Resources total = Resources.of(cpus, 0, memory, node.resources()).withGpus(node.gpus());
    List<String> gpuIds = gpuIds(node.gpus(), options);
    long storeBytes = node.objectStoreBytes().orElse(defaultStoreBytes() / count);
    return new VirtualNode(
        id,
        new LeaseLedger(total, gpuIds),
        ObjectStore.open(new StoreConfig(storeBytes, STORE_TIMEOUT), Pressure::collect),
        node.labels());
  }

  private static List<String> gpuIds(int count, SessionOptions options) {
    List<String> ids = options.devices().deviceIds(count);
    if (ids.size() != count || new HashSet<>(ids).size() != count) {
      throw new IllegalArgumentException(
          "the device provider must give " + count + " different ids, it gave " + ids);
    }
    return ids;
  }

  /** Returns what a store may take by default: a share of the memory that is free. */
  private static long defaultStoreBytes() {
    return Math.max(64L << 20, (long) (FreeMemory.bytes() * STORE_SHARE));
  }

  /** Returns a random number for the owner half of all ids of a job. */
  static long newOwnerNumber() {
    return new SplittableRandom(seed()).nextLong() | Long.MIN_VALUE;
  }

  boolean isEmbedded() {
    return port == null;
  }

  Stores stores(OwnerKernel kernel) {
    if (port != null) {
      return new RemoteStores(port);
    }
    nodes.values().forEach(node -> kernel.addNode(new LocalNode(kernel, node)));
    return new LocalStores(nodes);
  }

  ValueCodec codec(HandleHooks hooks) {
    return ValueCodec.of(loader(), hooks, segment -> false);
  }

  /** Returns the loader of the classes of the program that opens the session. */
  ClassLoader loader() {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return context != null ? context : KernelParts.class.getClassLoader();
  }
}
