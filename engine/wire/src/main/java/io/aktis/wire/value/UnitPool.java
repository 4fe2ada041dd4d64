package io.aktis.wire.value;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The {@link ForyUnit}s of one codec. Taking never waits: when all are in use, which happens when
 * decoded classes call the codec themselves or when threads outnumber the pool, one more is made
 * and dropped later. Nothing is bound to threads, for there may be a hundred thousand.
 *
 * <p>Thread-safe. The slot a thread looks at first follows from its id, so that threads seldom meet
 * at one.
 */
final class UnitPool {
  private static final int SLOTS =
      Integer.highestOneBit(Math.clamp(2L * Runtime.getRuntime().availableProcessors(), 4, 64));

  private final AtomicReferenceArray<@Nullable ForyUnit> slots = new AtomicReferenceArray<>(SLOTS);
  private final Supplier<ForyUnit> factory;
  private volatile boolean closed;

  UnitPool(Supplier<ForyUnit> factory) {
    this.factory = factory;
  }

  ForyUnit take() {
    int start = start();
    for (int i = 0; i < SLOTS; i++) {
      int slot = start + i & SLOTS - 1;
      if (slots.get(slot) != null) {
        ForyUnit unit = slots.getAndSet(slot, null);
        if (unit != null) {
          return unit;
        }
      }
    }
    if (closed) {
      throw new IllegalStateException("the codec is closed");
    }
    return factory.get();
  }

  /** Gives a unit back whose last operation succeeded. */
  void give(ForyUnit unit) {
    int start = start();
    for (int i = 0; i < SLOTS && !closed; i++) {
      int slot = start + i & SLOTS - 1;
      if (slots.get(slot) == null && slots.compareAndSet(slot, null, unit)) {
        break;
      }
    }
    if (closed) {
      clear();
    }
  }

  void close() {
    closed = true;
    clear();
  }

  private void clear() {
    for (int i = 0; i < SLOTS; i++) {
      slots.set(i, null);
    }
  }

  private static int start() {
    long id = Thread.currentThread().threadId() * 0x9E3779B97F4A7C15L;
    return (int) (id >>> 40);
  }
}
