package io.aktis.conformance.messages;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.aktis.AktisSession;
import io.aktis.RuntimeEnv;
import io.aktis.RuntimeEnvException;
import io.aktis.SessionOptions;
import io.aktis.core.id.NodeId;
import io.aktis.core.lease.LeaseLedger;
import io.aktis.core.resource.Resources;
import io.aktis.runtime.form.WireIds;
import io.aktis.runtime.form.WireResources;
import io.aktis.runtime.port.ClusterPort;
import io.aktis.runtime.port.EnvironmentFiles;
import io.aktis.runtime.port.KeeperProcess;
import io.aktis.runtime.port.Location;
import io.aktis.runtime.port.NodeLink;
import io.aktis.runtime.port.StorePort;
import io.aktis.runtime.port.WorkerLink;
import io.aktis.runtime.port.WorkerListener;
import io.aktis.runtime.session.ClusterSession;
import io.aktis.runtime.session.EmbeddedInspector;
import io.aktis.runtime.session.WorkerSession;
import io.aktis.store.ObjectStore;
import io.aktis.store.StoreConfig;
import io.aktis.testkit.EngineInspection;
import io.aktis.wire.message.NodeHello;
import io.aktis.wire.message.NodeToOwner;
import io.aktis.wire.message.OwnerToNode;
import io.aktis.wire.message.OwnerToWorker;
import io.aktis.wire.message.WorkerToOwner;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A driver, nodes and a worker for each in one JVM, which know of each other by messages alone:
 * each message is turned into bytes and back, and delivered on the thread of its connection.
 */
final class MessagesCluster implements ClusterPort, EngineInspection {
  private static final long DEFAULT_STORE_BYTES = 1L << 30;
  private static final long DEFAULT_MEMORY_BYTES = 1L << 33;
  private static final Map<AktisSession, MessagesCluster> RUNNING = new WeakHashMap<>();

  private final long owner = ClusterSession.newOwnerNumber();
  private final Map<NodeId, MessagesNode> nodes = new LinkedHashMap<>();
  private final Map<NodeId, ObjectStore> stores = new ConcurrentHashMap<>();
  private final Map<NodeId, Post> toNodes = new ConcurrentHashMap<>();
  private final Map<NodeId, WorkerSession> workers = new ConcurrentHashMap<>();
  private final Set<Post> posts = new HashSet<>();
  private boolean closed; // guarded by posts
  private final Set<NodeId> killed = ConcurrentHashMap.newKeySet();
  private final AtomicReference<ClusterSession> driver = new AtomicReference<>();

  private MessagesCluster() {}

  static MessagesCluster start(SessionOptions options) {
    MessagesCluster cluster = new MessagesCluster();
    for (SessionOptions.NodeOptions node : options.nodes()) {
      cluster.addNode(node, options);
    }
    ClusterSession session =
        ClusterSession.open(options, Long.toHexString(cluster.owner), cluster.owner, cluster);
    cluster.driver.set(session);
    cluster.nodes.values().forEach(cluster::connect);
    synchronized (RUNNING) {
      RUNNING.put(session.session(), cluster);
    }
    return cluster;
  }

  static MessagesCluster of(AktisSession session) {
    synchronized (RUNNING) {
      MessagesCluster cluster = RUNNING.get(session);
      if (cluster == null) {
        throw new IllegalArgumentException("not a session of messages: " + session);
      }
      return cluster;
    }
  }

  AktisSession session() {
    return driver().session();
  }

  private ClusterSession driver() {
    ClusterSession session = driver.get();
    if (session == null) {
      throw new IllegalStateException("the driver is not there yet");
    }
    return session;
  }

  // ---- nodes ----------------------------------------------------------------------------------

  private void addNode(SessionOptions.NodeOptions node, SessionOptions options) {
    NodeId id = new NodeId(owner, nodes.size() + 1L);
    double cpus = node.cpus().orElse(Runtime.getRuntime().availableProcessors());
    Resources total =
        Resources.of(cpus, 0, node.memoryBytes().orElse(DEFAULT_MEMORY_BYTES), node.resources())
            .withGpus(node.gpus());
    List<String> gpuIds = options.devices().deviceIds(node.gpus());
    if (gpuIds.size() != node.gpus() || new HashSet<>(gpuIds).size() != node.gpus()) {
      throw new IllegalArgumentException(
          "the device provider must give " + node.gpus() + " different ids, it gave " + gpuIds);
    }
    ObjectStore store =
        ObjectStore.open(
            new StoreConfig(
                node.objectStoreBytes().orElse(DEFAULT_STORE_BYTES), Duration.ofSeconds(10)));
    stores.put(id, store);
    nodes.put(
        id,
        new MessagesNode(id, new LeaseLedger(total, gpuIds), store, node.labels(), toOwner(id)));
  }

  private java.util.function.Consumer<NodeToOwner> toOwner(NodeId id) {
    Post post = post("from-" + id);
    return message -> {
      NodeToOwner copy = copied(message, NodeToOwner.parser());
      post.deliver(() -> {
        if (!killed.contains(id)) {
          driver().received(id, copy);
        }
      });
    };
  }

  /** Makes a post; one that comes too late delivers nothing. */
  private Post post(String name) {
    Post post = new Post(name);
    synchronized (posts) {
      posts.add(post);
      if (closed) {
        post.close();
      }
    }
    return post;
  }

  private void connect(MessagesNode node) {
    Post post = post("to-" + node.id());
    toNodes.put(node.id(), post);
    NodeHello hello =
        NodeHello.newBuilder()
            .setNode(WireIds.of(node.id()))
            .setNumbers(WireResources.of(node.ledger().numbers()))
            .putAllLabels(node.labels())
            .setStoreCapacityBytes(node.store().stats().capacityBytes())
            .setHeadEpoch(node.id().number() == 1 ? 1 : 0)
            .build();
    driver().nodeUp(hello, new ToNode(node, post));
  }

  private record ToNode(MessagesNode node, Post post) implements NodeLink {
    @Override
    public void send(OwnerToNode message) {
      OwnerToNode copy = copied(message, OwnerToNode.parser());
      post.deliver(() -> node.received(copy));
    }

    @Override
    public CompletableFuture<EnvironmentFiles> provide(RuntimeEnv environment) {
      throw new IllegalStateException("refused before, by the port of the driver");
    }

    @Override
    public void close() {
      post.close();
    }
  }

  /** Loses a node with its worker. */
  void kill(String nodeId) {
    for (MessagesNode node : nodes.values()) {
      if (node.id().toString().equals(nodeId) && killed.add(node.id())) {
        WorkerSession worker = workers.remove(node.id());
        if (worker != null) {
          worker.close();
        }
        ObjectStore store = stores.remove(node.id());
        if (store != null) {
          store.close();
        }
        driver().nodeGone(node.id(), "it was killed");
        driver().session().cluster(); // answered when the driver has noticed
        return;
      }
    }
    throw new IllegalArgumentException("there is no node '" + nodeId + "' to be killed");
  }

  // ---- workers --------------------------------------------------------------------------------

  @Override
  public Location home() {
    return new Location(firstAlive(), "");
  }

  private NodeId firstAlive() {
    for (NodeId id : nodes.keySet()) {
      if (!killed.contains(id)) {
        return id;
      }
    }
    return nodes.keySet().iterator().next();
  }

  @Override
  public StorePort storeAt(Location home) {
    return store();
  }

  @Override
  public StorePort store() {
    return new NodeStores(firstAlive(), stores);
  }

  /** Workers are of this process, so they can have no files of their own. */
  @Override
  public EnvironmentFiles filesOf(RuntimeEnv environment) {
    throw new RuntimeEnvException("the workers of this engine have no files of their own");
  }

  @Override
  public boolean canKeepActors() {
    return false; // the cluster ends with its only job
  }

  @Override
  public KeeperProcess startKeeper(String namespace) {
    throw new IllegalStateException("there is no process but this one");
  }

  @Override
  public WorkerLink openWorker(String workerId, String address, WorkerListener listener) {
    MessagesNode node =
        nodes.values().stream()
            .filter(each -> each.id().toString().equals(address))
            .findFirst()
            .orElseThrow();
    return new ToWorker(node, listener, post("to-worker-of-" + node.id()));
  }

  private final class ToWorker implements WorkerLink {
    private final MessagesNode node;
    private final Post down;
    private final Post up;
    private final WorkerListener listener;

    ToWorker(MessagesNode node, WorkerListener listener, Post down) {
      this.node = node;
      this.listener = listener;
      this.down = down;
      this.up = post("from-worker-of-" + node.id());
    }

    @Override
    public void send(OwnerToWorker message) {
      OwnerToWorker copy = copied(message, OwnerToWorker.parser());
      down.deliver(() -> deliver(copy));
    }

    private void deliver(OwnerToWorker message) {
      if (killed.contains(node.id())) {
        return;
      }
      if (message.hasHello()) {
        workers.put(
            node.id(),
            WorkerSession.start(
                message.getHello(),
                new WorkerSession.Home(
                    node.id().toString(),
                    new Location(node.id(), ""),
                    new NodeStores(node.id(), stores),
                    node.labels(),
                    WorkerCode.loader(),
                    number -> {}),
                this::fromWorker));
      } else {
        WorkerSession worker = workers.get(node.id());
        if (worker != null) {
          worker.received(List.of(message));
        }
      }
    }

    private void fromWorker(WorkerToOwner message) {
      WorkerToOwner copy = copied(message, WorkerToOwner.parser());
      up.deliver(() -> {
        if (!killed.contains(node.id())) {
          listener.received(List.of(copy));
        }
      });
    }

    @Override
    public void close() {
      down.close();
      up.close();
    }
  }

  private static <M extends MessageLite> M copied(M message, Parser<M> parser) {
    try {
      return parser.parseFrom(message.toByteArray());
    } catch (InvalidProtocolBufferException e) {
      throw new UncheckedIOException(e);
    }
  }

  // ---- inspection -----------------------------------------------------------------------------

  @Override
  public List<String> problems() {
    List<String> problems = new ArrayList<>(EmbeddedInspector.of(session()).problems());
    for (MessagesNode node : nodes.values()) {
      Post post = toNodes.get(node.id());
      if (post != null && !killed.contains(node.id())) {
        post.deliver(() -> node.ledger().validate());
      }
    }
    return problems;
  }

  @Override
  public long pinnedBytes() {
    return nodes.values().stream().mapToLong(node -> node.store().stats().pinnedBytes()).sum();
  }

  @Override
  public long storeUsedBytes() {
    return nodes.values().stream().mapToLong(node -> node.store().stats().usedBytes()).sum();
  }

  /** The job is over: no message is on its way any more, then workers end, and what they used. */
  @Override
  public void close() {
    List<Post> all;
    synchronized (posts) {
      closed = true;
      all = List.copyOf(posts);
    }
    all.forEach(Post::close);
    try {
      for (Post post : all) {
        post.awaitEnd();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    workers.values().forEach(WorkerSession::close);
    stores.values().forEach(ObjectStore::close);
  }
}
