package io.aktis.benchmarks.macro;

import io.aktis.Aktis;
import io.aktis.AktisSession;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the probes of a run share: the session, the pools and Ray, each started with its first use.
 * Confined to the thread of the bench.
 */
final class Rig implements AutoCloseable {
  /** Room for objects, the same on all sides. */
  static final long STORE_BYTES = 2L << 30;

  private final CoreBench.Plan plan;
  private final Deque<Runnable> closers = new ArrayDeque<>();
  private @Nullable AktisSession session;
  private @Nullable ForkJoinPool forkJoin;
  private @Nullable ExecutorService fixed;
  private @Nullable ExecutorService virtual;
  private @Nullable Ray ray;

  Rig(CoreBench.Plan plan) {
    this.plan = plan;
  }

  int cpus() {
    return plan.cpus();
  }

  AktisSession session() {
    AktisSession started = session;
    if (started == null) {
      started = openSession(cpus());
      session = started;
      closers.push(started::close);
    }
    return started;
  }

  static AktisSession openSession(int cpus) {
    return Aktis.open(options -> options.cpus(cpus).objectStoreBytes(STORE_BYTES));
  }

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
