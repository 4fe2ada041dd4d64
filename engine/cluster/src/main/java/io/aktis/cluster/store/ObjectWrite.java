package io.aktis.cluster.store;

import com.google.protobuf.UnsafeByteOperations;
import io.aktis.cluster.rpc.Methods;
import io.aktis.cluster.rpc.RpcChannel;
import io.aktis.core.id.ObjectId;
import io.aktis.runtime.form.WireIds;
import io.aktis.wire.message.Create;
import io.aktis.wire.message.WriteReply;
import io.aktis.wire.message.WriteRequest;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Sends one object to a node, no faster than that one takes it. Confined to its thread. */
final class ObjectWrite {
  private final RpcChannel channel;
  private final ObjectId id;
  private final MemorySegment bytes;
  private final ClientCall<WriteRequest, WriteReply> call;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by the lock.
  private @Nullable WriteReply reply;
  private @Nullable Status end;

  ObjectWrite(RpcChannel channel, ObjectId id, MemorySegment bytes) {
    this.channel = channel;
    this.id = id;
    this.bytes = bytes;
    this.call = channel.call(Methods.WRITE);
  }

  /**
   * Sends; returns when the node has the object.
   *
   * @throws io.aktis.ObjectStoreFullException when it has no room
   * @throws IllegalStateException when the call breaks off
   */
  void run() {
    call.start(new Events(), new Metadata());
    call.request(1);
    Create head =
        Create.newBuilder().setObject(WireIds.of(id)).setSizeBytes(bytes.byteSize()).build();
    call.sendMessage(WriteRequest.newBuilder().setHead(head).build());
    for (long at = 0; at < bytes.byteSize() && awaitReady(); at += Wire.CHUNK_BYTES) {
      MemorySegment part = bytes.asSlice(at, Math.min(Wire.CHUNK_BYTES, bytes.byteSize() - at));
      call.sendMessage(
          WriteRequest.newBuilder()
              .setData(UnsafeByteOperations.unsafeWrap(part.asByteBuffer()))
              .build());
    }
    check(finish());
  }

  /** Waits until more can be sent; false when the call has ended. */
  private boolean awaitReady() {
    lock.lock();
    try {
      while (end == null && reply == null && !call.isReady()) {
        changed.awaitUninterruptibly();
      }
      return end == null && reply == null;
    } finally {
      lock.unlock();
    }
  }

  private Status finish() {
    lock.lock();
    try {
      if (end == null && reply == null) {
        call.halfClose();
      }
      while (end == null) {
        changed.awaitUninterruptibly();
      }
      return end;
    } finally {
      lock.unlock();
    }
  }

  private void check(Status status) {
    WriteReply answer = reply;
    if (answer != null && answer.hasFull()) {
      throw Wire.exception(answer.getFull());
    }
    if (!status.isOk() || answer == null) {
      throw new IllegalStateException(
          "sending " + id + " to " + channel.address() + " broke off: " + status,
          status.getCause());
    }
  }

  private final class Events extends ClientCall.Listener<WriteReply> {
    @Override
    public void onReady() {
      lock.lock();
      try {
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void onMessage(WriteReply message) {
      lock.lock();
      try {
        reply = message;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
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
