package io.aktis.cluster;

import io.aktis.cluster.code.CodeCache;
import io.aktis.cluster.membership.JoinException;
import io.aktis.cluster.membership.Membership;
import io.aktis.cluster.membership.MembershipConfig;
import io.aktis.cluster.membership.PekkoMembership;
import io.aktis.cluster.node.NodeConfig;
import io.aktis.cluster.node.NodeDaemon;
import io.aktis.cluster.node.NodeParts;
import io.aktis.cluster.rpc.Credentials;
import io.aktis.cluster.rpc.HostPort;
import io.aktis.cluster.rpc.Methods;
import io.aktis.cluster.session.AotCache;
import io.aktis.cluster.session.ClusterAccess;
import io.aktis.cluster.session.ClusterClient;
import io.aktis.cluster.session.MachineId;
import io.aktis.cluster.session.NodeSettings;
import io.aktis.cluster.session.SessionDirectory;
import io.aktis.cluster.store.StoreService;
import io.aktis.cluster.tls.ClusterTls;
import io.aktis.core.id.NodeId;
import io.aktis.store.ObjectStore;
import io.aktis.store.SpillConfig;
import io.aktis.store.StoreConfig;
import io.grpc.ServerServiceDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node daemon put together from its parts: store, code, leases and workers, membership. Started
 * in this order and ended in the reverse. Thread-safe; whoever starts it closes it.
 */
public final class Node implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Node.class);

  /** How long a value waits for room in a full store. */
  private static final Duration ROOM_TIMEOUT = Duration.ofSeconds(10);

  private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(30);

  /** What may be spilled: this many times what fits into the memory of the store. */
  private static final long SPILL_FACTOR = 10;

  private final NodeSettings settings;
  private final Credentials credentials;
  private final NodeId id;
  private final ObjectStore store;
  private final StoreService storeService;
  private final CodeCache code;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile @Nullable NodeDaemon daemon;
  private @Nullable Candidacy candidacy;
  private String controlAddress = "";

  private Node(NodeSettings settings, Credentials credentials, Path directory) throws IOException {
    this.settings = settings;
    this.credentials = credentials;
    this.id = new NodeId(new SecureRandom().nextLong() | Long.MIN_VALUE, 1);
    this.store = openStore(settings, this::makeRoom);
    NodeSettings.Network network = settings.network();
    String ownAddress =
        network.port() == 0
            ? ""
            : new HostPort(network.advertisedHost(), network.port()).toString();
    this.storeService = new StoreService(store, ownAddress, credentials);
    this.code = CodeCache.open(directory.resolve("code"), CodeCache.DEFAULT_LIMIT_BYTES);
  }

  private static ObjectStore openStore(NodeSettings settings, Runnable onPressure)
      throws IOException {
    long capacityBytes = settings.capacity().objectStoreBytes();
    Path storeDir = settings.places().storeDir();
    Files.createDirectories(storeDir);
    return ObjectStore.open(
        new StoreConfig(capacityBytes, ROOM_TIMEOUT),
        onPressure,
        storeDir.resolve("objects"),
        new SpillConfig(settings.places().spillDir(), capacityBytes * SPILL_FACTOR));
  }

  /**
   * Starts a node; returns when it can take work.
   *
   * @param directory where it may make files; what it makes is deleted with it
   * @throws IOException when it cannot be started; the message says why
   */
  public static Node start(NodeSettings settings, Path directory) throws IOException {
    PekkoMembership.prepare();
    Credentials credentials =
        new Credentials(
            SessionDirectory.readToken(settings.places().tokenFile()),
            settings.sessionId(),
            ClusterTls.loadIfAny(settings.places().tls()));
    credentials.tls().ifPresent(ClusterTls::warnOfEnd);
    Node node = new Node(settings, credentials, directory);
    boolean started = false;
    try {
      node.open(directory);
      started = true;
      return node;
    } finally {
      if (!started) {
        node.close();
      }
    }
  }

  private void open(Path directory) throws IOException {
    ServerServiceDefinition.Builder services = ServerServiceDefinition.builder(Methods.NODE);
    storeService.addTo(services);
    code.addTo(services);
    if (settings.control().isPresent()) {
      candidacy = Candidacy.open(settings, credentials, id, directory);
    }
    openData();
    List<String> seeds = seeds();
    AtomicReference<Membership> joined = new AtomicReference<>();
    NodeParts parts =
        new NodeParts(
            new SharedNodeStore(store, storeService, settings),
            new CachedNodeCode(code),
            self -> {
              storeService.reachedAt(self.address());
              Membership membership = join(self, seeds);
              joined.set(membership);
              return membership;
            },
            Optional.ofNullable(candidacy).map(Candidacy::parts),
            List.of(services.build()));
    daemon = NodeDaemon.start(config(directory), parts);
    Membership membership = joined.get();
    controlAddress = membership == null ? "" : membership.controlAddress();
    code.prepare();
  }

  /** Bytes that nobody encrypts must not leave a node whose others are encrypted. */
  private void openData() throws IOException {
    if (credentials.tls().isPresent()) {
      return;
    }
    NodeSettings.Network network = settings.network();
    String host = network.bindHost();
    try {
      storeService.openData(host, network.usualDataPort());
    } catch (IOException e) {
      if (network.dataPort() != 0) {
        throw e;
      }
      LOG.info("{}; any other will do", e.getMessage());
      storeService.openData(host, 0);
    }
  }

  private NodeConfig config(Path directory) {
    NodeSettings.Network network = settings.network();
    NodeSettings.Capacity capacity = settings.capacity();
    return new NodeConfig(
        network.bindHost(),
        network.port(),
        network.advertisedHost(),
        capacity.resources(),
        capacity.gpuIds(),
        new TreeMap<>(capacity.labels()),
        id,
        MachineId.current(),
        settings.sessionId(),
        credentials.token(),
        credentials.tls(),
        directory.resolve("workers"),
        settings.places().logDir(),
        NodeConfig.WorkerCommand.ofThisProcess(
            settings.workerJvmOptions(), AotCache.options(AotCache.WORKER)),
        version());
  }

  private static String version() {
    String version = Node.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  // ---- membership -----------------------------------------------------------------------------

  /** Returns control addresses of members to join; none when this node begins the cluster. */
  private List<String> seeds() throws IOException {
    if (!settings.head()) {
      return List.of(controlAddressOf(settings.network().headAddress()));
    }
    return candidacy == null ? List.of() : candidacy.findMembers();
  }

  private Membership join(Membership.Member self, List<String> seeds) throws IOException {
    NodeSettings.Network network = settings.network();
    try {
      return PekkoMembership.start(
          new MembershipConfig(
              id,
              settings.sessionId(),
              credentials.token(),
              self.address(),
              network.advertisedHost(),
              network.membershipPort(),
              seeds,
              self.machineId(),
              self.candidate(),
              JOIN_TIMEOUT,
              this::downed,
              credentials.tls()));
    } catch (JoinException e) {
      throw new IOException(e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the node joins", e);
    }
  }

  private String controlAddressOf(String address) throws IOException {
    ClusterAccess access =
        new ClusterAccess(
            HostPort.parse("the address of a head", address),
            credentials.token(),
            credentials.tls());
    try (ClusterClient client = ClusterClient.open(access)) {
      String control = client.status(true).getControlAddress();
      if (control.isEmpty()) {
        throw new IOException(address + " takes no nodes that join");
      }
      return control;
    } catch (IllegalStateException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** The others have given this node up: what runs here must not go on. */
  private void downed() {
    LOG.error("The cluster has removed this node, so it ends.");
    NodeDaemon running = daemon;
    if (running != null) {
      running.close();
    }
  }

  /** What fills the store may be garbage, in the heaps of those who hold references. */
  private void makeRoom() {
    NodeDaemon running = daemon;
    if (running != null) {
      running.makeRoom();
    }
  }

  // ---- what it is -----------------------------------------------------------------------------

  /** Returns the id of this life of the node. */
  public NodeId id() {
    return id;
  }

  /** Returns the cluster. */
  public String sessionId() {
    return settings.sessionId();
  }

  /** Returns host and port of its services. */
  public String address() {
    return running().address();
  }

  /** Returns host and port of its membership. */
  public String controlAddress() {
    return controlAddress;
  }

  /** Returns what is completed when it has stopped; exceptionally when it is broken. */
  public CompletableFuture<@Nullable Void> stopped() {
    return running().stopped();
  }

  private NodeDaemon running() {
    NodeDaemon running = daemon;
    if (running == null) {
      throw new IllegalStateException("the node was not started");
    }
    return running;
  }

  /** Ends the node with all that it has started. Idempotent. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    NodeDaemon running = daemon;
    if (running != null) {
      running.close();
    }
    if (candidacy != null) {
      candidacy.close();
    }
    storeService.close();
    store.close();
    try {
      code.close();
    } catch (IOException e) {
      LOG.warn("The files of code are not all deleted.", e);
    }
  }
}
