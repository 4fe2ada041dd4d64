package io.aktis.cluster.store;

import io.aktis.cluster.store.Pieces.Piece;
import io.aktis.store.Pin;
import io.grpc.Status;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An object that is on its way here, for others who read it already. Who sends from its memory is
 * known, and does not touch it any more when the memory is given back. Thread-safe; its lock is
 * taken before the monitor of a sender.
 */
final class Incoming {
  private enum State {
    COMES,
    IS_SEALED,
    SEALED,
    FAILED
  }

  private final MemorySegment memory;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by the lock.
  private final TreeMap<Long, Long> arrived = new TreeMap<>();
  private final List<ObjectSender> senders = new ArrayList<>();
  private long arrivedBytes;
  private State state = State.COMES;

  Incoming(MemorySegment memory) {
    this.memory = memory;
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
   * Sends a part as soon as it is here.
   *
   * @param orNothing whether not to wait for it
   * @return false when the sender was not begun: all has come and is in the store, or it does not
   *     come any more
   */
  boolean send(Piece piece, boolean orNothing, ObjectSender sender) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (state == State.IS_SEALED || (state == State.COMES && !covers(piece))) {
        if (orNothing && state == State.COMES) {
          return false;
        }
        changed.await();
      }
      if (state != State.COMES) {
        return false;
      }
      senders.removeIf(ObjectSender::hasEnded);
      senders.add(sender);
      sender.beginEarly(memory);
      return true;
    } finally {
      lock.unlock();
    }
  }

  private boolean covers(Piece piece) {
    Map.Entry<Long, Long> found = arrived.floorEntry(piece.offset());
    return found != null && found.getValue() >= piece.offset() + piece.length();
  }

  /** All has come: until {@link #sealed}, nobody touches the memory. */
  void sealing() {
    lock.lock();
    try {
      state = State.IS_SEALED;
      senders.forEach(ObjectSender::pause);
    } finally {
      lock.unlock();
    }
  }

  /** Who sends goes on with a pin of its own. */
  void sealed(Supplier<@Nullable Pin> pins) {
    lock.lock();
    try {
      state = State.SEALED;
      senders.forEach(sender -> sender.resume(pins));
      senders.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** It does not come any more; when this returns, nobody touches the memory. */
  void failed() {
    lock.lock();
    try {
      state = State.FAILED;
      Status status = Status.UNAVAILABLE.withDescription("its own transfer has broken off");
      senders.forEach(sender -> sender.fail(status));
      senders.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
