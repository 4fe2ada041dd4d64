package io.aktis.cluster.store;

import io.aktis.cluster.store.Pieces.Piece;
import io.aktis.store.Pin;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An object that is on its way here, for others who read it already: they get pins, which keep the
 * memory whatever becomes of the object. Thread-safe; the lock of the store is taken under its own.
 */
final class Incoming {
  /** A wait that ends with the transfer only. */
  static final long FOR_EVER_NS = Long.MAX_VALUE / 2;

  private enum State {
    COMES,
    IS_SEALED,
    ENDED
  }

  private final MemorySegment memory;
  private final Supplier<Pin> pins;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by the lock.
  private final TreeMap<Long, Long> arrived = new TreeMap<>();
  private long arrivedBytes;
  private State state = State.COMES;

  /**
   * Nothing has come yet.
   *
   * @param memory where it will be
   * @param pins makes pins of that; not called after {@link #sealing}
   */
  Incoming(MemorySegment memory, Supplier<Pin> pins) {
    this.memory = memory;
    this.pins = pins;
  }

  MemorySegment memory(Piece piece) {
    return memory.asSlice(piece.offset(), piece.length());
  }

  long sizeBytes() {
    return memory.byteSize();
  }

  long arrivedBytes() {
    lock.lock();
    try {
      return arrivedBytes;
    } finally {
      lock.unlock();
    }
  }

  /** A part is written and will not change any more. */
  void arrived(Piece piece) {
    if (piece.length() == 0) {
      return;
    }
    lock.lock();
    try {
      long begin = piece.offset();
      long end = begin + piece.length();
      arrivedBytes += piece.length();
      Map.Entry<Long, Long> before = arrived.floorEntry(begin);
      if (before != null && before.getValue() == begin) {
        begin = before.getKey();
      }
      Long after = arrived.remove(end);
      arrived.put(begin, after == null ? end : after);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Pins what is here as soon as a part is. Waits.
   *
   * @param waitNs how long at most; 0 not to wait
   * @return the pin, of whose bytes those of the part can be read; null when the part has not come
   *     in that time, or when {@link #isComing} is false
   */
  @Nullable Pin pin(Piece piece, long waitNs) throws InterruptedException {
    long deadlineNs = System.nanoTime() + waitNs;
    lock.lockInterruptibly();
    try {
      while (state == State.IS_SEALED || (state == State.COMES && !covers(piece))) {
        long leftNs = deadlineNs - System.nanoTime();
        if (state == State.IS_SEALED) {
          changed.await(); // that takes no time
        } else if (leftNs <= 0) {
          return null;
        } else {
          long _ = changed.awaitNanos(leftNs);
        }
      }
      return state == State.COMES ? pins.get() : null;
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether more may come; if not, the store knows whether the object is here. */
  boolean isComing() {
    lock.lock();
    try {
      return state != State.ENDED;
    } finally {
      lock.unlock();
    }
  }

  private boolean covers(Piece piece) {
    Map.Entry<Long, Long> found = arrived.floorEntry(piece.offset());
    return found != null && found.getValue() >= piece.offset() + piece.length();
  }

  /** All has come: until {@link #ended}, who asks waits. */
  void sealing() {
    lock.lock();
    try {
      state = State.IS_SEALED;
    } finally {
      lock.unlock();
    }
  }

  /** It is in the store, or does not come any more. */
  void ended() {
    lock.lock();
    try {
      state = State.ENDED;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
