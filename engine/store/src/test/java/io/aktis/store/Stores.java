package io.aktis.store;

import io.aktis.core.id.ObjectId;
import io.aktis.core.id.TaskId;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Opens stores for a test, closes them after it, and checks that their memory went back to the
 * system.
 */
final class Stores implements AfterEachCallback {
  static final int MIB = 1 << 20;

  private final List<ObjectStore> opened = new ArrayList<>();
  private final AtomicInteger ranges = new AtomicInteger();

  /** Opens a store whose creates wait for ever, near enough, and do not ask for a collection. */
  ObjectStore open(long capacityBytes) {
    return open(capacityBytes, () -> {});
  }

  ObjectStore open(long capacityBytes, Runnable onPressure) {
    StoreConfig config = new StoreConfig(capacityBytes, Duration.ofMinutes(5));
    ObjectStore store = new ObjectStore(config, onPressure, this::reserve);
    opened.add(store);
    return store;
  }

  /** Returns how many ranges of memory the stores of this test hold now. */
  int reservedRanges() {
    return ranges.get();
  }

  private StoreMemory reserve(long capacityBytes) {
    StoreMemory memory = StoreMemory.reserve(capacityBytes);
    ranges.incrementAndGet();
    return new StoreMemory() {
      @Override
      public MemorySegment segment() {
        return memory.segment();
      }

      @Override
      public boolean discard(long offset, long bytes) {
        return memory.discard(offset, bytes);
      }

      @Override
      public void close() {
        memory.close();
        ranges.decrementAndGet();
      }
    };
  }

  @Override
  public void afterEach(ExtensionContext context) {
    opened.forEach(ObjectStore::close);
    Await.untilCollected(() -> ranges.get() == 0, () -> opened.stream().map(this::dump).toList());
  }

  private String dump(ObjectStore store) {
    return store.stats() + " " + store.objects();
  }

  static ObjectId id(int number) {
    return TaskId.of(7, number + 1).result(0);
  }

  /** Puts an object of {@code sizeBytes} bytes of the value {@code content}. */
  static ObjectId put(ObjectStore store, int number, long sizeBytes, int content) {
    try (Creation creation = store.create(id(number), sizeBytes)) {
      creation.segment().fill((byte) content);
      creation.seal();
      return creation.id();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Runs {@code work} in a virtual thread of its own. */
  static <T> Future<T> start(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread.startVirtualThread(task);
    return task;
  }

  /** Returns what {@link #start} leads to; fails when that takes more than 30 seconds. */
  static <T> T result(Future<T> work) throws Exception {
    return work.get(30, TimeUnit.SECONDS);
  }

  /** Starts a create and returns when it waits behind {@code ahead} others. */
  static Future<Creation> startWaitingCreate(
      ObjectStore store, int number, long sizeBytes, int ahead) {
    Future<Creation> create = start(() -> store.create(id(number), sizeBytes));
    Await.until(() -> store.stats().waitingCreates() == ahead + 1, store::stats);
    return create;
  }
}
