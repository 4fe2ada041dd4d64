package io.aktis.cluster.node;

import io.aktis.cluster.control.ControlStore;
import io.aktis.cluster.control.MemoryControlStore;
import io.aktis.cluster.membership.SingleNode;
import io.aktis.cluster.rpc.Credentials;
import io.aktis.cluster.rpc.Methods;
import io.aktis.cluster.rpc.RpcChannel;
import io.aktis.cluster.tls.ClusterTls;
import io.aktis.core.id.NodeId;
import io.aktis.core.id.ObjectId;
import io.aktis.core.resource.Resources;
import io.aktis.wire.message.CodeFile;
import io.aktis.wire.message.NodeStatus;
import io.aktis.wire.message.StatusReply;
import io.aktis.wire.message.StatusRequest;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** A daemon in this JVM, with real worker processes. */
final class NodeFixture implements AutoCloseable {
  static final String SESSION = "session-1";
  static final Credentials CREDENTIALS = new Credentials("secret", SESSION);

  /** The store breaks at an object with this number. */
  static final long POISON = 666;

  final Path dir;
  final NodeConfig config;
  final NodeDaemon daemon;
  final List<Object> deleted = new CopyOnWriteArrayList<>();
  final List<NodeStore.Entry> stored = new CopyOnWriteArrayList<>();
  final List<String> kept = new CopyOnWriteArrayList<>();
  final List<Long> letGo = new CopyOnWriteArrayList<>();

  /** How many programs are held. */
  final AtomicInteger held = new AtomicInteger();

  private final List<OwnerClient> owners = new ArrayList<>();
  private final RpcChannel channel;

  NodeFixture(Path dir, int cpus, List<String> gpus) throws IOException {
    this(dir, config(dir, cpus, gpus, 0));
  }

  NodeFixture(Path dir, NodeConfig config) throws IOException {
    this(dir, config, SingleNode::new);
  }

  /** One that can be the head, with a control store of its own. */
  NodeFixture(Path dir, NodeConfig config, NodeParts.Joining joining) throws IOException {
    this(dir, config, joining, Optional.of(head(config, new MemoryControlStore(false), false)));
  }

  NodeFixture(Path dir, NodeConfig config, NodeParts.Joining joining, Optional<HeadParts> head)
      throws IOException {
    this.dir = dir;
    this.config = config;
    this.daemon = NodeDaemon.start(config, parts(joining, head));
    this.channel = RpcChannel.open(daemon.address(), config.credentials());
  }

  static NodeConfig config(Path dir, int cpus, List<String> gpus, int port) {
    return config(dir, cpus, gpus, port, new NodeId(11, 22));
  }

  static NodeConfig config(Path dir, int cpus, List<String> gpus, int port, NodeId id) {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    List<String> options = new ArrayList<>(NodeConfig.WorkerCommand.JVM_OPTIONS);
    options.addAll(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
    return new NodeConfig(
        "127.0.0.1",
        port,
        "127.0.0.1",
        Resources.of(cpus, gpus.size(), 0, Map.of()),
        gpus,
        new TreeMap<>(Map.of("zone", "a")),
        id,
        "machine",
        SESSION,
        "secret",
        Optional.empty(),
        dir.resolve("session"),
        dir.resolve("logs"),
        new NodeConfig.WorkerCommand(
            Path.of(System.getProperty("java.home"), "bin", "java"),
            classPath,
            options,
            List.of(),
            TestWorkerMain.class.getName()),
        "test");
  }

  static NodeConfig withTls(NodeConfig config, ClusterTls tls) {
    return with(config, Optional.of(tls), config.workers());
  }

  static NodeConfig withWorkers(NodeConfig config, NodeConfig.WorkerCommand workers) {
    return with(config, config.tls(), workers);
  }

  private static NodeConfig with(
      NodeConfig config, Optional<ClusterTls> tls, NodeConfig.WorkerCommand workers) {
    return new NodeConfig(
        config.bindHost(),
        config.port(),
        config.advertisedHost(),
        config.total(),
        config.gpuIds(),
        config.labels(),
        config.node(),
        config.machineId(),
        config.sessionId(),
        config.token(),
        tls,
        config.sessionDir(),
        config.logDir(),
        workers,
        config.version());
  }

  /** A store that holds what the test says. */
  private final class Store implements NodeStore {
    @Override
    public String file() {
      return "/dev/shm/of-the-test";
    }

    @Override
    public long capacityBytes() {
      return 1_000;
    }

    @Override
    public long usedBytes() {
      return 10;
    }

    @Override
    public long pinnedBytes() {
      return 0;
    }

    @Override
    public List<Entry> objects() {
      return List.copyOf(stored);
    }

    @Override
    public void deleteObject(ObjectId object) {
      if (object.bits() == POISON) {
        throw new IllegalStateException("the store breaks");
      }
      deleted.add(object);
    }

    @Override
    public void deleteAllOf(long owner) {
      deleted.add(owner);
    }
  }

  /** What a node has that can be the head. */
  static HeadParts head(NodeConfig config, ControlStore store, boolean keepsJobs) {
    return new HeadParts(store, 0, config.sessionDir().resolve("jobs"), keepsJobs);
  }

  private NodeParts parts(NodeParts.Joining joining, Optional<HeadParts> head) {
    return new NodeParts(new Store(), new Code(), joining, head, List.of());
  }

  /** Code that is in the directory of the test, or is only named. */
  private final class Code implements NodeCode {
    @Override
    public List<Path> use(long owner, List<CodeFile> files, BooleanSupplier givenUp)
        throws IOException {
      List<Path> paths = new ArrayList<>();
      for (CodeFile file : files) {
        if (file.getName().startsWith("missing")) {
          throw new IOException("the file of code " + file.getName() + " is not here");
        }
        Path here = dir.resolve(file.getName());
        paths.add(Files.exists(here) ? here : Path.of("/code", file.getName()));
      }
      return paths;
    }

    @Override
    public void keep(long owner, List<CodeFile> files) {
      files.forEach(file -> kept.add(file.getName()));
    }

    @Override
    public void letGo(long owner) {
      letGo.add(owner);
    }

    @Override
    public Held hold(List<CodeFile> files) throws IOException {
      List<Path> paths = new ArrayList<>();
      for (CodeFile file : files) {
        Path path = dir.resolve(file.getName());
        if (!Files.exists(path)) {
          throw new IOException("the file of code " + file.getName() + " is not here");
        }
        paths.add(path);
      }
      held.incrementAndGet();
      return new Held() {
        @Override
        public List<Path> paths() {
          return paths;
        }

        @Override
        public void close() {
          held.decrementAndGet();
        }
      };
    }
  }

  /** Connects an owner and says nothing. */
  OwnerClient connect(long owner) {
    OwnerClient client = new OwnerClient(daemon.address(), config.credentials(), owner);
    owners.add(client);
    return client;
  }

  OwnerClient owner(long owner) {
    OwnerClient client = connect(owner);
    return client.began(client.hello());
  }

  StatusReply status() {
    return ClientCalls.blockingUnaryCall(
        channel.call(Methods.STATUS, Await.LIMIT_MS), StatusRequest.getDefaultInstance());
  }

  RpcChannel channel() {
    return channel;
  }

  /** Waits until nothing is leased and no worker is there. */
  void awaitAllFree() {
    Await.until(
        () -> "not all is free: " + status(),
        () -> {
          NodeStatus node = status().getNodes(0);
          return node.getWorkers() == 0
              && node.getNumbers().getAvailable().equals(node.getNumbers().getTotal());
        });
  }

  /** Returns the text of the logs of all workers. */
  String logs() throws IOException {
    StringBuilder all = new StringBuilder();
    try (var files = Files.list(config.logDir())) {
      for (Path file : files.toList()) {
        all.append(Files.readString(file));
      }
    }
    return all.toString();
  }

  @Override
  public void close() {
    owners.forEach(OwnerClient::close);
    channel.close();
    daemon.close();
  }
}
