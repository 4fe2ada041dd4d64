package io.aktis.cluster.node;

import io.aktis.cluster.membership.Membership;
import io.aktis.cluster.rpc.Methods;
import io.aktis.cluster.rpc.RpcServer;
import io.aktis.core.pool.PoolEvent;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The daemon of one node: leases its resources to owners, and starts and watches the worker
 * processes in which their work runs. No code of users runs in its process.
 *
 * <p>All that it decides is decided on one loop, by the {@link io.aktis.core.lease.LeaseLedger} and
 * the {@link io.aktis.core.pool.WorkerPool} of the node. Network threads and the threads that watch
 * processes only bring events to the loop.
 *
 * <p>Thread-safe. Whoever starts it closes it, or waits for {@link #stopped}.
 */
public final class NodeDaemon implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeDaemon.class);
  private static final long TICK_MS = 500;
  private static final long END_WORKERS_MS = 15_000;
  private static final long HEAD_TIMEOUT_MS = 15_000;

  /** Drivers of jobs get half of the time of a stop, and so much when nobody said how long. */
  private static final long JOBS_GRACE_MS = 3_000;

  private final NodeConfig config;
  private final NodeLoop loop;
  private final Workers workers;
  private final LeaseDesk leases;
  private final ClusterDesk cluster;
  private final Optional<HeadDesk> head;
  private final RpcServer server;
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CompletableFuture<@Nullable Void> stopped = new CompletableFuture<>();
  private volatile @Nullable Membership membership;
  private volatile @Nullable Throwable broken;

  private NodeDaemon(NodeConfig config, NodeParts parts) throws IOException {
    this.config = config;
    this.loop = new NodeLoop("aktis-node-" + config.node(), this::broke);
    this.workers = new Workers(config, parts, watchingWorkers());
    this.cluster = new ClusterDesk(config);
    this.leases = new LeaseDesk(config, parts, loop, workers, cluster::epoch);
    this.head = parts.head().map(own -> new HeadDesk(config, loop, cluster, own, leases::serves));
    try {
      this.server =
          RpcServer.start(config.bindHost(), config.port(), config.credentials(), services(parts));
    } catch (IOException e) {
      workers.deleteFiles();
      throw e;
    }
    workers.nodeIsAt(server.port(), server.directPort());
    head.ifPresent(desk -> desk.nodeIsAt(address()));
  }

  /**
   * Starts a daemon; returns when its port is open and it has joined its cluster.
   *
   * @throws IOException when that cannot be done: a directory cannot be made, the port is in use,
   *     or the cluster does not take it; the message says which
   */
  public static NodeDaemon start(NodeConfig config, NodeParts parts) throws IOException {
    NodeDaemon daemon = new NodeDaemon(config, parts);
    daemon.loop.start(daemon.leases::afterEach);
    daemon.loop.post(daemon::tick);
    daemon.head.ifPresent(
        desk -> daemon.loop.post(() -> daemon.cluster.listen(desk::membersChanged)));
    try {
      Membership membership =
          parts
              .joining()
              .join(
                  new Membership.Member(
                      config.node(),
                      daemon.address(),
                      config.machineId(),
                      parts.head().isPresent()));
      daemon.membership = membership;
      daemon.cluster.follow(membership, daemon.loop);
      daemon.awaitHead();
    } catch (IOException | RuntimeException e) {
      daemon.close();
      throw e;
    }
    return daemon;
  }

  /** Whoever has started the head of a cluster can use it as that at once. */
  private void awaitHead() throws IOException {
    try {
      if (head.isPresent()) {
        head.get().settled().get(HEAD_TIMEOUT_MS, TimeUnit.MILLISECONDS);
      }
    } catch (TimeoutException e) {
      LOG.warn("{} is to be the head, and cannot serve as that yet", config.node());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the node becomes the head", e);
    } catch (ExecutionException e) {
      throw new IOException(
          String.valueOf(e.getCause() == null ? e : e.getCause().getMessage()), e);
    }
  }

  /**
   * Asks the jobs here to have garbage collected, as somebody waits for room in the store: what no
   * code can reach any more is released then. Any thread; returns at once.
   */
  public void makeRoom() {
    loop.post(leases::collectGarbage);
  }

  /** Returns host and port that others reach it at. */
  public String address() {
    return WireForms.address(config.advertisedHost(), port());
  }

  /** Returns the port that it listens on. */
  public int port() {
    return workers.port();
  }

  /**
   * Returns what is completed when the daemon has stopped, by {@link #close} or because somebody
   * asked for it; exceptionally when a rule of the engine was broken.
   */
  public CompletableFuture<@Nullable Void> stopped() {
    return stopped.copy();
  }

  private void tick() {
    leases.tick();
    head.ifPresent(HeadDesk::tick);
    loop.schedule(TICK_MS, this::tick);
  }

  private Workers.Listener watchingWorkers() {
    return new Workers.Listener() {
      @Override
      public void runs(long worker) {
        loop.post(() -> leases.on(new PoolEvent.WorkerRuns(worker)));
      }

      @Override
      public void gone(long worker, String reason, boolean outOfMemory, boolean byItself) {
        LOG.info("worker {} is gone: {}", workers.idOf(worker), reason);
        loop.post(() -> {
          leases.on(new PoolEvent.WorkerGone(worker, reason, outOfMemory, byItself));
          workers.takeStarted(worker); // when nobody was told
        });
      }
    };
  }

  // ---- services -------------------------------------------------------------------------------

  private List<ServerServiceDefinition> services(NodeParts parts) {
    StreamEndpoint streams = new StreamEndpoint(config, parts, loop, leases, workers);
    ControlEndpoint control =
        new ControlEndpoint(
            config, parts, loop, leases, cluster, workers, graceMs -> stopWithin(graceMs));
    Map<String, ServerServiceDefinition.Builder> services = new LinkedHashMap<>();
    add(services, Methods.OWN, ServerCalls.asyncBidiStreamingCall(streams::own));
    add(services, Methods.SERVE, ServerCalls.asyncBidiStreamingCall(streams::serve));
    add(services, Methods.WATCH, ServerCalls.asyncServerStreamingCall(control::watch));
    add(services, Methods.STATUS, ServerCalls.asyncUnaryCall(control::status));
    WhyEndpoint whys = new WhyEndpoint(loop, leases);
    add(services, Methods.WHY, ServerCalls.asyncUnaryCall(whys::why));
    add(services, Methods.HEALTH, ServerCalls.asyncUnaryCall(control::health));
    add(services, Methods.STOP, ServerCalls.asyncUnaryCall(control::stop));
    MemoryEndpoint memory = new MemoryEndpoint(config, parts, loop, leases, cluster, workers);
    add(services, Methods.DESCRIBE_MEMORY, ServerCalls.asyncUnaryCall(memory::describe));
    add(services, Methods.COLLECT, ServerCalls.asyncUnaryCall(memory::collect));
    addJobs(services, new JobEndpoint(parts.code(), loop, cluster, head));
    for (ServerServiceDefinition more : parts.services()) {
      String name = more.getServiceDescriptor().getName();
      more.getMethods().forEach(method -> service(services, name).addMethod(method));
    }
    return services.values().stream().map(ServerServiceDefinition.Builder::build).toList();
  }

  private static void addJobs(
      Map<String, ServerServiceDefinition.Builder> services, JobEndpoint endpoint) {
    add(services, Methods.SUBMIT_JOB, ServerCalls.asyncUnaryCall(endpoint::submit));
    add(services, Methods.LIST_JOBS, ServerCalls.asyncUnaryCall(endpoint::list));
    add(services, Methods.GET_JOB, ServerCalls.asyncUnaryCall(endpoint::get));
    add(services, Methods.STOP_JOBS, ServerCalls.asyncUnaryCall(endpoint::stop));
    add(services, Methods.READ_JOB_LOG, ServerCalls.asyncUnaryCall(endpoint::readLog));
  }

  private static ServerServiceDefinition.Builder service(
      Map<String, ServerServiceDefinition.Builder> services, String name) {
    return services.computeIfAbsent(name, ServerServiceDefinition::builder);
  }

  private static <Q, A> void add(
      Map<String, ServerServiceDefinition.Builder> services,
      MethodDescriptor<Q, A> method,
      ServerCallHandler<Q, A> handler) {
    String name = String.valueOf(method.getServiceName());
    service(services, name).addMethod(ServerMethodDefinition.create(method, handler));
  }

  // ---- the end --------------------------------------------------------------------------------

  /**
   * Takes no more owners and jobs, ends the jobs, and ends when there are no owners or the time is
   * over.
   */
  private void stopWithin(long graceMs) {
    CompletableFuture<@Nullable Void> empty = new CompletableFuture<>();
    loop.post(() -> {
      leases.stopTakingOwners();
      stopJobs(graceMs / 2, () -> leases.whenEmpty(() -> empty.complete(null)));
    });
    Thread.ofPlatform()
        .name("aktis-node-stop")
        .start(() -> {
          await(empty, graceMs);
          close();
        });
  }

  /** Ends the submitted jobs, if this node has any. To be called on the loop. */
  private void stopJobs(long graceMs, Runnable over) {
    head.ifPresentOrElse(desk -> desk.stopJobs(graceMs, over), over);
  }

  private static boolean await(CompletableFuture<?> future, long timeoutMs) {
    try {
      future.get(timeoutMs, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("nobody fails this", e);
    }
  }

  /** A task of the loop has failed: nothing that it knows can be trusted any more. */
  private void broke(Throwable failure) {
    LOG.error("{} stops, since a rule of the engine is broken", config.node(), failure);
    broken = failure;
    Thread.ofPlatform().name("aktis-node-broken").start(this::close);
  }

  /**
   * Stops: ends the drivers of jobs, kills all workers, ends all streams, leaves the cluster,
   * closes the port. Returns when that is done. Idempotent.
   */
  @Override
  public void close() {
    if (!closing.compareAndSet(false, true)) {
      stopped.handle((done, failure) -> true).join();
      return;
    }
    try {
      quietly("its jobs", this::endJobs);
      quietly("its workers", this::endWorkers);
      quietly("what it has to keep", () -> head.ifPresent(HeadDesk::finish));
      Membership joined = membership;
      if (joined != null) {
        quietly("its membership", joined::close);
      }
      loop.close();
      quietly("its part as the head", () -> head.ifPresent(HeadDesk::close));
      quietly("its server", server::close);
      workers.deleteFiles();
    } finally {
      Throwable failure = broken;
      if (failure == null) {
        stopped.complete(null);
      } else {
        stopped.completeExceptionally(failure);
      }
    }
  }

  /** Ends one part; what goes wrong there must not keep the others. */
  private void quietly(String part, Runnable end) {
    try {
      end.run();
    } catch (RuntimeException e) {
      LOG.warn("{} stops, and {} did not end well", config.node(), part, e);
    }
  }

  /** Drivers end before the workers that they use. */
  private void endJobs() {
    CompletableFuture<@Nullable Void> idle = new CompletableFuture<>();
    if (broken == null) {
      loop.post(() -> stopJobs(JOBS_GRACE_MS, () -> idle.complete(null)));
    }
    boolean ended = broken == null && await(idle, JOBS_GRACE_MS + END_WORKERS_MS);
    try {
      if (!ended && head.isPresent() && !head.get().killJobs(END_WORKERS_MS)) {
        LOG.warn("not all jobs of {} could be ended", config.node());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void endWorkers() {
    CompletableFuture<@Nullable Void> empty = new CompletableFuture<>();
    if (broken == null) {
      loop.post(() -> {
        leases.whenEmpty(() -> empty.complete(null));
        leases.endAll();
      });
    }
    boolean ended = broken == null && await(empty, END_WORKERS_MS);
    try {
      if (!ended && !workers.killAll(END_WORKERS_MS)) {
        LOG.warn("not all workers of {} could be ended", config.node());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
