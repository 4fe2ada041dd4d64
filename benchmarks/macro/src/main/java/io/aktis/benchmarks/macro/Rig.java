package io.aktis.benchmarks.macro;

import io.aktis.Aktis;
import io.aktis.AktisSession;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the probes of a run share: clusters, sessions, pools, the other JVM and Ray, each started
 * with its first use. Confined to the thread of the bench.
 */
final class Rig implements AutoCloseable {
  /** Room for objects, the same on all sides, and on each node. */
  static final long STORE_BYTES = 2L << 30;

  private final CoreBench.Plan plan;
  private final Deque<Runnable> closers = new ArrayDeque<>();
  private Clusters.@Nullable Cluster cluster;
  private @Nullable AktisSession session;
  private @Nullable AktisSession plainSession;
  private @Nullable ForkJoinPool forkJoin;
  private @Nullable ExecutorService fixed;
  private @Nullable ExecutorService virtual;
  private @Nullable Peer peer;
  private @Nullable Ray ray;

  Rig(CoreBench.Plan plan) {
    this.plan = plan;
  }

  int cpus() {
    return plan.cpus();
  }

  Setting setting() {
    return plan.setting();
  }

  // ---- the engine -------------------------------------------------------------------------

  Clusters clusters() {
    return plan.clusters().orElseThrow();
  }

  /** Returns what a cluster of so many nodes is like in this run. */
  Clusters.Shape shape(int nodes, boolean tls) {
    return new Clusters.Shape(
        nodes, Math.max(1, cpus() / nodes), STORE_BYTES, tls, setting().bytesPerSecond());
  }

  Clusters.Cluster cluster() throws InterruptedException {
    Clusters.Cluster started = cluster;
    if (started == null) {
      started = clusters().start(shape(setting().nodes(), setting().tls()));
      cluster = started;
      closers.push(started::close);
    }
    return started;
  }

  AktisSession session() throws InterruptedException {
    AktisSession started = session;
    if (started == null) {
      started = openSession();
      session = started;
      closers.push(started::close);
    }
    return started;
  }

  /** Opens one more session with the engine of the run. */
  AktisSession openSession() throws InterruptedException {
    OwnJvm.Task here = OwnJvm.Task.of(Side.AKTIS, cpus());
    return (setting().isSeparate() ? here.at(cluster()) : here).openSession();
  }

  /** Returns a session with a cluster that uses no TLS, beside the one that does. */
  AktisSession plainSession() throws InterruptedException {
    AktisSession started = plainSession;
    if (started == null) {
      Clusters.Cluster plain = clusters().start(shape(setting().nodes(), false));
      closers.push(plain::close);
      started = Aktis.open(options -> options.address(plain.address()));
      plainSession = started;
      closers.push(started::close);
    }
    return started;
  }

  // ---- the others -------------------------------------------------------------------------

  ForkJoinPool forkJoin() {
    ForkJoinPool started = forkJoin;
    if (started == null) {
      started = start(() -> new ForkJoinPool(cpus()));
      forkJoin = started;
    }
    return started;
  }

  ExecutorService fixed() {
    ExecutorService started = fixed;
    if (started == null) {
      started = start(() -> Executors.newFixedThreadPool(cpus()));
      fixed = started;
    }
    return started;
  }

  ExecutorService virtual() {
    ExecutorService started = virtual;
    if (started == null) {
      started = start(Executors::newVirtualThreadPerTaskExecutor);
      virtual = started;
    }
    return started;
  }

  private <E extends ExecutorService> E start(Supplier<E> maker) {
    E started = maker.get();
    closers.push(started::close);
    return started;
  }

  Peer peer() throws IOException {
    Peer started = peer;
    if (started == null) {
      Optional<Path> certificates =
          setting().tls() ? Optional.of(clusters().certificates()) : Optional.empty();
      started = Peer.start(certificates);
      peer = started;
      closers.push(started::close);
    }
    return started;
  }

  Ray ray() throws IOException {
    Ray started = ray;
    if (started == null) {
      started = Ray.start(plan.rayPython().orElseThrow(), cpus());
      ray = started;
      closers.push(started::close);
    }
    return started;
  }

  @Override
  public void close() {
    while (!closers.isEmpty()) {
      closers.pop().run();
    }
  }
}
