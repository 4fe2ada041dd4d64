package io.aktis.benchmarks.micro;

import io.aktis.core.id.TaskId;
import io.aktis.store.Creation;
import io.aktis.store.ObjectStore;
import io.aktis.store.Pin;
import io.aktis.store.StoreConfig;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Objects outside of the heap: made, sealed, pinned, viewed, deleted. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class StoreBenchmarks {
  private static final long OWNER = 7;

  /** Size of an object in bytes. */
  @Param({"1024", "104857600"})
  public int sizeBytes;

  private final ObjectStore store = ObjectStore.open(StoreConfig.ofCapacity(1L << 30));
  private MemorySegment data = MemorySegment.NULL;
  private long sequence = 1;

  /** Seals the object that is read. */
  @Setup
  public void seal() throws InterruptedException {
    data = MemorySegment.ofArray(new byte[sizeBytes]);
    put(0);
  }

  /** Gives the memory back. */
  @TearDown
  public void close() {
    store.close();
  }

  private void put(long number) throws InterruptedException {
    try (Creation creation = store.create(TaskId.of(OWNER, number).result(0), sizeBytes)) {
      creation.segment().copyFrom(data);
      creation.seal();
    }
  }

  /** An object copied in, sealed and deleted. */
  @Benchmark
  public boolean putAndDelete() throws InterruptedException {
    long number = sequence++;
    put(number);
    return store.delete(TaskId.of(OWNER, number).result(0));
  }

  /** An object held for a moment. */
  @Benchmark
  public long pin() {
    try (Pin pin = store.pin(TaskId.of(OWNER, 0).result(0))) {
      return pin == null ? -1 : pin.sizeBytes();
    }
  }

  /** A view that lives until the collector finds it. */
  @Benchmark
  public @Nullable MemorySegment view() {
    return store.view(TaskId.of(OWNER, 0).result(0));
  }
}
