package io.aktis.cluster.store;

import io.aktis.cluster.rpc.RpcChannel;
import io.aktis.runtime.form.WireIds;
import io.aktis.wire.message.ReadRequest;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a part of an object from a node by gRPC. The first chunk tells the size of the object and
 * waits here until {@link #readInto} says where the bytes go; the rest is written there by the
 * thread of the network. Thread-safe; whoever makes it calls {@link #close}, after which nothing is
 * written any more.
 */
final class PartReader implements Part {
  /** Chunks that may be under way. */
  private static final int AHEAD_CHUNKS = 8;

  private final String what;
  private final ClientCall<ReadRequest, Integer> call;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by the lock.
  private long totalBytes = -1;
  private @Nullable MemorySegment part;
  private long at;
  private byte[] held = {};
  private int heldBytes;
  private @Nullable Status end;
  private boolean closed;

  PartReader(RpcChannel channel, ReadRequest request) {
    this.what = WireIds.object(request.getObject()) + " from " + channel.address();
    this.call = channel.call(ReadMethod.receiving(new Bytes()));
    call.start(new Events(), new Metadata());
    call.sendMessage(request);
    call.halfClose();
    call.request(1);
  }

  @Override
  public long awaitTotalBytes() throws IOException, InterruptedException {
    lock.lockInterruptibly();
    try {
      while (totalBytes < 0 && end == null) {
        changed.await();
      }
      if (totalBytes >= 0) {
        return totalBytes;
      }
      if (end != null && end.getCode() == Status.Code.NOT_FOUND) {
        return -1;
      }
      throw broken();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void readInto(MemorySegment target, LongConsumer arrived)
      throws IOException, InterruptedException {
    lock.lockInterruptibly();
    try {
      part = target;
      put(ByteBuffer.wrap(held, 0, heldBytes));
      held = new byte[0];
      call.request(AHEAD_CHUNKS);
      while (end == null) {
        changed.await();
      }
      if (!end.isOk() || at != target.byteSize()) {
        throw broken();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long readBytes() {
    lock.lock();
    try {
      return at;
    } finally {
      lock.unlock();
    }
  }

  private IOException broken() {
    Status status = end == null ? Status.OK : end;
    String why =
        status.isOk() ? "it ended after " + at + " bytes" : status.toString().replace('\n', ' ');
    return new IOException("reading " + what + " broke off: " + why, status.getCause());
  }

  private void put(ByteBuffer bytes) {
    MemorySegment target = part;
    if (closed || target == null) {
      return;
    }
    if (bytes.remaining() > target.byteSize() - at) {
      throw new IllegalStateException(what + " is longer than it should be");
    }
    MemorySegment.copy(MemorySegment.ofBuffer(bytes), 0, target, at, bytes.remaining());
    at += bytes.remaining();
  }

  /** Ends the call, if it has not ended. */
  @Override
  public void close() {
    boolean ended;
    lock.lock();
    try {
      closed = true;
      part = null;
      ended = end != null;
    } finally {
      lock.unlock();
    }
    if (!ended) {
      call.cancel("not needed any more", null);
    }
  }

  /** Where bytes come in. */
  private final class Bytes implements ReadMethod.Sink {
    @Override
    public void begin(long total, int dataBytes) {
      lock.lock();
      try {
        if (part == null) {
          held = new byte[dataBytes];
          heldBytes = 0;
        }
        totalBytes = total;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void put(ByteBuffer bytes) {
      lock.lock();
      try {
        if (part == null && !closed) {
          int n = bytes.remaining();
          bytes.get(held, heldBytes, n);
          heldBytes += n;
        } else {
          PartReader.this.put(bytes);
        }
      } finally {
        lock.unlock();
      }
    }
  }

  private final class Events extends ClientCall.Listener<Integer> {
    @Override
    public void onMessage(Integer bytes) {
      lock.lock();
      try {
        changed.signalAll();
        if (part == null) {
          return;
        }
      } finally {
        lock.unlock();
      }
      call.request(1);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      lock.lock();
      try {
        end = status;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }
}
