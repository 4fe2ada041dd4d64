package io.aktis.benchmarks.micro;

import io.aktis.runtime.loop.Crew;
import io.aktis.runtime.loop.Loop;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The way of an event through the loop, with a handler that does next to nothing. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LoopBenchmarks {
  private static final int MANY = 10_000;

  /** Whether the loop may rest after a batch. */
  @Param({"false", "true"})
  public boolean calm;

  private final Crew crew = new Crew("bench", 4, null);
  private final Semaphore handled = new Semaphore(0);
  private final Loop<Integer> loop = new Loop<>(crew, new Counting());

  /** Ends the threads. */
  @TearDown
  public void close() throws InterruptedException {
    crew.close();
    if (!crew.awaitEnd(10_000)) {
      throw new IllegalStateException("the threads of the crew do not end");
    }
  }

  /** Many events of one caller, until the last is handled; per event. */
  @Benchmark
  @OperationsPerInvocation(MANY)
  public void postMany() throws InterruptedException {
    for (int i = 1; i <= MANY; i++) {
      loop.post(i);
    }
    handled.acquire();
  }

  /** One event, handled by the thread that reports it. */
  @Benchmark
  public boolean report() {
    return loop.postAndRun(0);
  }

  private final class Counting implements Loop.Host<Integer> {
    @Override
    public void handle(Integer event) {
      if (event == MANY) {
        handled.release();
      }
    }

    @Override
    public boolean endBatch() {
      return calm;
    }
  }
}
