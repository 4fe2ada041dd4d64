package io.aktis.cli;

import io.aktis.cli.DemoResult.Count;
import java.util.Comparator;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/** Counts primes in three ways and measures each. Needs a session, and a machine that is idle. */
final class Demo {
  /** Below this every number gets a task of its own. */
  static final int MICRO_LIMIT = 200_000;

  /** Numbers grow more expensive, so there are many more chunks than CPUs to balance them. */
  private static final int CHUNKS_PER_CPU = 64;

  private static final int LEAST_CHUNK = 1_000;
  private static final int WARM_UP_ROUNDS = 30;
  private static final int SHORT_RUNS = 15;
  private static final long PATIENCE_NS = 5_000_000_000L;

  private final int limit;
  private final int cpus;
  private final Progress.Display display;

  Demo(int limit, int cpus, Progress.Display display) {
    this.limit = limit;
    this.cpus = cpus;
    this.display = display;
  }

  DemoResult run() {
    int chunk = Math.max(LEAST_CHUNK, Math.ceilDiv(limit, CHUNKS_PER_CPU * cpus));
    int microLimit = Math.min(limit, MICRO_LIMIT);
    warmUp(microLimit);
    Count sequential;
    try (Progress progress = display.start("one thread", limit)) {
      sequential = measure(() -> PrimeCounts.inOneThread(limit, chunk, progress));
    }
    Count chunks;
    try (Progress progress = display.start("chunks", limit)) {
      chunks = measure(() -> PrimeCounts.inChunks(limit, chunk, progress));
    }
    Count microSequential =
        measureShort(() -> PrimeCounts.inOneThread(microLimit, LEAST_CHUNK, Progress.NONE));
    Count micro = measureShort(() -> PrimeCounts.oneByOne(microLimit));
    return new DemoResult(
        limit, cpus, chunk, sequential, chunks, microLimit, micro, microSequential);
  }

  /** Runs each way often enough that the JVM has compiled it, so that none pays for that. */
  private static void warmUp(int microLimit) {
    int limit = Math.min(microLimit, 100_000);
    long startNs = System.nanoTime();
    for (int round = 0; round < WARM_UP_ROUNDS && isEarly(startNs); round++) {
      PrimeCounts.inOneThread(limit, LEAST_CHUNK, Progress.NONE);
      PrimeCounts.inChunks(limit, LEAST_CHUNK, Progress.NONE);
      PrimeCounts.oneByOne(microLimit);
    }
  }

  /** On a cluster a round takes longer, and nobody wants to wait minutes for it. */
  private static boolean isEarly(long startNs) {
    return System.nanoTime() - startNs < PATIENCE_NS;
  }

  /** Measures a way several times and takes the best, for a pause weighs much in a short run. */
  private static Count measureShort(LongSupplier way) {
    long startNs = System.nanoTime();
    return IntStream.range(0, SHORT_RUNS)
        .takeWhile(run -> run == 0 || isEarly(startNs))
        .mapToObj(run -> measure(way))
        .min(Comparator.comparingDouble(Count::seconds))
        .orElseThrow();
  }

  private static Count measure(LongSupplier way) {
    long startNs = System.nanoTime();
    long count = way.getAsLong();
    return new Count(count, (System.nanoTime() - startNs) / 1e9);
  }
}
