package io.aktis.cluster.store;

import com.google.protobuf.ByteString;
import io.aktis.runtime.form.WireIds;
import io.aktis.store.Creation;
import io.aktis.store.ObjectStore;
import io.aktis.store.StoreFullException;
import io.aktis.wire.message.Create;
import io.aktis.wire.message.WriteReply;
import io.aktis.wire.message.WriteRequest;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Makes an object of what comes from afar. The next message is asked for when the last one is
 * stored, so that nothing heaps up while the object waits for room. Thread-safe (its monitor orders
 * the thread of the network and the one that waits for room).
 */
final class ObjectReceiver implements StreamObserver<WriteRequest> {
  private final ObjectStore store;
  private final ServerCallStreamObserver<WriteReply> out;
  private @Nullable Create head;
  private @Nullable Thread waiting;
  private @Nullable Creation creation;
  private long at;
  private boolean allSent;
  private boolean ended;

  ObjectReceiver(ObjectStore store, ServerCallStreamObserver<WriteReply> out) {
    this.store = store;
    this.out = out;
    out.setOnCancelHandler(this::end);
    out.disableAutoRequest();
    out.request(1);
  }

  @Override
  public synchronized void onNext(WriteRequest request) {
    if (ended) {
      return;
    }
    if (request.hasHead() && head == null) {
      head = request.getHead();
      waiting = Thread.ofVirtual().name("store-write").start(() -> create(request.getHead()));
    } else if (request.hasData() && creation != null) {
      store(creation, request.getData());
    } else {
      fail(Status.INVALID_ARGUMENT.withDescription("a write is one head and then its data"));
    }
  }

  private void create(Create request) {
    try {
      Creation made = store.create(WireIds.object(request.getObject()), request.getSizeBytes());
      created(made);
    } catch (StoreFullException e) {
      answer(WriteReply.newBuilder().setFull(Wire.full(e)).build());
    } catch (InterruptedException e) {
      fail(Status.CANCELLED.withDescription("the write has ended").withCause(e));
    } catch (RuntimeException | Error e) {
      fail(Status.INTERNAL.withDescription(e.toString()).withCause(e));
    }
  }

  private synchronized void created(Creation made) {
    waiting = null;
    if (ended) {
      made.abort();
      return;
    }
    creation = made;
    if (allSent) {
      seal(made);
    } else {
      out.request(1);
    }
  }

  private void store(Creation target, ByteString data) {
    if (data.size() > target.sizeBytes() - at) {
      fail(
          Status.INVALID_ARGUMENT.withDescription(
              target.id() + " was to have " + target.sizeBytes() + " bytes, more were sent"));
      return;
    }
    for (ByteBuffer piece : data.asReadOnlyByteBufferList()) {
      MemorySegment source = MemorySegment.ofBuffer(piece);
      MemorySegment.copy(source, 0, target.segment(), at, source.byteSize());
      at += source.byteSize();
    }
    out.request(1);
  }

  @Override
  public synchronized void onCompleted() {
    allSent = true;
    if (creation != null && !ended) {
      seal(creation);
    } else if (head == null) {
      fail(Status.INVALID_ARGUMENT.withDescription("a write begins with its head"));
    }
  }

  private void seal(Creation made) {
    if (at != made.sizeBytes()) {
      fail(
          Status.INVALID_ARGUMENT.withDescription(
              made.id() + " was to have " + made.sizeBytes() + " bytes, sent were " + at));
      return;
    }
    try {
      answer(WriteReply.newBuilder().setDone(made.seal()).build());
    } catch (IllegalStateException closed) {
      fail(Status.UNAVAILABLE.withDescription(closed.getMessage()).withCause(closed));
    }
  }

  private synchronized void answer(WriteReply reply) {
    if (!ended) {
      end();
      out.onNext(reply);
      out.onCompleted();
    }
  }

  private synchronized void fail(Status status) {
    if (!ended) {
      end();
      out.onError(status.asRuntimeException());
    }
  }

  @Override
  public void onError(Throwable cancelled) {
    end();
  }

  private synchronized void end() {
    ended = true;
    if (waiting != null && waiting != Thread.currentThread()) {
      waiting.interrupt();
    }
    waiting = null;
    if (creation != null) {
      creation.abort(); // does nothing after the seal
      creation = null;
    }
  }
}
