package io.aktis.cluster.driver;

import io.aktis.AktisSession;
import io.aktis.CallerInterruptedException;
import io.aktis.RuntimeEnv;
import io.aktis.RuntimeEnvException;
import io.aktis.SessionOptions;
import io.aktis.cluster.rpc.Credentials;
import io.aktis.cluster.rpc.RpcChannel;
import io.aktis.cluster.session.ClusterAccess;
import io.aktis.cluster.session.JobEnvironment;
import io.aktis.cluster.session.MachineId;
import io.aktis.cluster.store.RemoteStoreClient;
import io.aktis.cluster.store.StoreClient;
import io.aktis.core.id.NodeId;
import io.aktis.runtime.port.ClusterPort;
import io.aktis.runtime.port.EnvironmentFiles;
import io.aktis.runtime.port.KeeperProcess;
import io.aktis.runtime.port.Location;
import io.aktis.runtime.port.StorePort;
import io.aktis.runtime.port.WorkerLink;
import io.aktis.runtime.port.WorkerListener;
import io.aktis.runtime.session.ClusterSession;
import io.aktis.wire.message.NodeHello;
import io.aktis.wire.message.NodeToOwner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of one driver: to the nodes of its cluster, to the workers that run its code, and
 * to the store that it uses. All are opened from here, none to here. Thread-safe.
 */
final class DriverConnection implements ClusterPort {
  private static final Logger LOG = LoggerFactory.getLogger(DriverConnection.class);
  private static final long FIRST_NODES_TIMEOUT_MS = 20_000;
  private static final long HELLOS_TIMEOUT_MS = 3_000;
  private static final long END_TIMEOUT_MS = 10_000;

  private final SessionOptions options;
  private final ClusterAccess access;
  private final long owner = ClusterSession.newOwnerNumber();
  private final JobFiles files;
  private final NodeWatch watch;
  private final Map<NodeId, NodeConnection> nodes = new ConcurrentHashMap<>();

  /** How nodes were lost, in words. */
  private final Map<NodeId, String> failures = new ConcurrentHashMap<>();

  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile @Nullable ClusterSession session;
  private volatile @Nullable HomeStore home;
  private volatile JobFiles.@Nullable Base base;

  private DriverConnection(SessionOptions options, ClusterAccess access, JobFiles files) {
    this.options = options;
    this.access = access;
    this.files = files;
    this.watch = new NodeWatch(access, this::nodeUp, this::nodeGone);
  }

  static AktisSession open(SessionOptions options, ClusterAccess access) {
    options.runtimeEnv(ofJob().mergedWith(options.runtimeEnv()));
    JobFiles files = JobFiles.ofThisProgram();
    DriverConnection connection = new DriverConnection(options, access, files);
    boolean opened = false;
    try {
      AktisSession session = connection.open();
      opened = true;
      return session;
    } finally {
      if (!opened) {
        connection.close();
      }
    }
  }

  private static RuntimeEnv ofJob() {
    try {
      return JobEnvironment.ofThisProcess();
    } catch (IOException e) {
      throw new RuntimeEnvException(
          "The environment that this program was submitted with cannot be read: " + e.getMessage(),
          e,
          List.of());
    }
  }

  private AktisSession open() {
    base = files.base(options.runtimeEnv()); // what is wrong with it is told at once
    watch.start();
    try {
      files.awaitCode();
      watch.awaitFirst(FIRST_NODES_TIMEOUT_MS);
      awaitHellos();
      NodeConnection nearest = nearest();
      home = new HomeStore(home(nearest, nearest.awaitHello(FIRST_NODES_TIMEOUT_MS)));
      String sessionId = HexFormat.of().toHexDigits((int) owner);
      ClusterSession opened = ClusterSession.open(options, sessionId, owner, this);
      session = opened;
      nodes.values().forEach(node -> node.begin(opened));
      if (nodes.get(nearest.id()) != nearest) { // it went before it was the home
        loseHome(nearest, nearest + " has left at once");
      }
      opened.awaitHandled();
      return opened.session();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CallerInterruptedException(
          "The thread was interrupted while it opened a session.", e, List.of());
    }
  }

  /**
   * Waits for all nodes that are there, so that a program can name any of them from the start; but
   * not long for one that is sick.
   */
  private void awaitHellos() throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(HELLOS_TIMEOUT_MS);
    for (NodeConnection node : nodes.values()) {
      try {
        node.awaitHello(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
      } catch (IllegalStateException e) {
        LOG.debug("{} is not used for now: {}", node, e.getMessage());
      }
    }
  }

  /** Returns the node whose store is used: one on this machine if there is one. */
  private NodeConnection nearest() throws InterruptedException {
    NodeConnection any = null;
    IllegalStateException refusal = null;
    for (NodeConnection node : nodes.values()) {
      try {
        NodeHello hello = node.awaitHello(FIRST_NODES_TIMEOUT_MS);
        if (isHere(hello)) {
          return node;
        }
        any = any == null ? node : any;
      } catch (IllegalStateException e) {
        refusal = e;
      }
    }
    if (any != null) {
      return any;
    }
    throw refusal != null
        ? refusal
        : new IllegalStateException(
            "the cluster at "
                + access
                + (failures.isEmpty() ? " has no nodes" : " has no node that can be used: ")
                + String.join("; ", failures.values()));
  }

  private static boolean isHere(NodeHello hello) {
    return hello.getMachineId().equals(MachineId.current())
        && Files.isWritable(Path.of(hello.getStoreFile()));
  }

  private static HomeStore.Home home(NodeConnection node, NodeHello hello) {
    Location at = new Location(node.id(), node.address());
    if (isHere(hello)) {
      try {
        StoreClient client =
            StoreClient.open(
                node.channel(),
                node.id(),
                Path.of(hello.getStoreFile()),
                hello.getStoreCapacityBytes(),
                "program (pid " + ProcessHandle.current().pid() + ")");
        return new HomeStore.Home(at, client, client);
      } catch (IOException e) {
        LOG.warn("The store of {} cannot be mapped, so values are sent there.", node, e);
      }
    }
    return new HomeStore.Home(at, new RemoteStoreClient(node.channel(), node.id()), null);
  }

  // ---- nodes ----------------------------------------------------------------------------------

  private Credentials credentials() {
    return access.credentials(watch.sessionId());
  }

  private void nodeUp(NodeId id, String address) {
    NodeConnection node =
        new NodeConnection(id, RpcChannel.open(address, credentials()), files, this::said);
    if (closed.get() || nodes.putIfAbsent(id, node) != null) {
      node.close();
      return;
    }
    // A thread that must not wait is here.
    files.whenCode(() -> {
      if (!closed.get()) {
        JobFiles.Base read = Objects.requireNonNull(base, "read first");
        node.open(owner, watch.sessionId(), read, options.isLogToDriver(), this::failed);
      }
    });
    ClusterSession running = session;
    if (running != null) {
      // Not before it has the code: one that cannot get it must not come and go for ever.
      node.whenReady(() -> {
        node.begin(running);
        findHome();
      });
    }
  }

  private void said(NodeId id, NodeToOwner message) {
    ClusterSession running = session;
    if (running != null) {
      running.received(id, message);
    }
  }

  /** The conversation with a node has broken off. */
  private void failed(NodeConnection node, String reason) {
    if (nodes.remove(node.id(), node)) {
      gone(node, reason);
      watch.upAgain(node.id());
    }
  }

  private void loseHome(NodeConnection node, String reason) {
    HomeStore store = home;
    if (store != null && store.at().node().equals(node.id())) {
      store.lose(reason);
      findHome();
    }
  }

  private void nodeGone(NodeId id) {
    NodeConnection node = nodes.remove(id);
    if (node != null) {
      gone(node, "it has left the cluster");
    }
  }

  private void gone(NodeConnection node, String reason) {
    if (closed.get()) {
      node.close();
      return;
    }
    String story = node + " is gone: " + reason;
    ClusterSession running = session;
    if (!story.equals(failures.put(node.id(), story)) && running != null) {
      LOG.info("{}.", story);
    }
    loseHome(node, story);
    node.close();
    if (running != null) {
      running.nodeGone(node.id(), reason);
    }
  }

  /** Moves to the store of another node when that of the home is gone. */
  private synchronized void findHome() {
    HomeStore store = home;
    if (store == null || closed.get() || !store.isLost()) {
      return;
    }
    NodeConnection next = null;
    for (NodeConnection node : nodes.values()) {
      NodeHello hello = node.helloInUse();
      if (hello != null && (next == null || isHere(hello))) {
        next = node;
      }
    }
    NodeHello hello = next == null ? null : next.helloInUse();
    if (next != null && hello != null) {
      LOG.info("The store of {} is used from now on.", next);
      store.moveTo(home(next, hello));
    }
  }

  // ---- what the session uses ------------------------------------------------------------------

  private HomeStore found() {
    HomeStore found = home;
    if (found == null) {
      throw new IllegalStateException("the driver is not connected yet");
    }
    return found;
  }

  @Override
  public Location home() {
    return found().at();
  }

  @Override
  public StorePort storeAt(Location at) {
    return found().storeAt(at);
  }

  @Override
  public StorePort store() {
    return found();
  }

  @Override
  public WorkerLink openWorker(String workerId, String address, WorkerListener listener) {
    return WorkerConnection.open(RpcChannel.open(address, credentials()), listener);
  }

  @Override
  public boolean canKeepActors() {
    return true;
  }

  @Override
  public KeeperProcess startKeeper(String namespace) throws InterruptedException {
    return Keeper.start(access, files, options.runtimeEnv(), owner, namespace);
  }

  @Override
  public EnvironmentFiles filesOf(RuntimeEnv environment) {
    return files.environments().find(environment).files();
  }

  /** Ends the job on all nodes; returns when they have ended it, or do not answer. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    watch.close();
    nodes.values().forEach(NodeConnection::end);
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(END_TIMEOUT_MS);
    try {
      for (NodeConnection node : nodes.values()) {
        if (!node.awaitEnd(deadline - System.nanoTime())) {
          LOG.warn("{} does not say that the job has ended there.", node);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    HomeStore store = home;
    if (store != null) {
      store.close();
    }
    nodes.values().forEach(NodeConnection::close);
    nodes.clear();
    files.close();
    RpcChannel.awaitClosed();
  }
}
