package io.aktis.cluster.store;

import io.aktis.runtime.form.WireIds;
import io.aktis.store.Pin;
import io.aktis.wire.message.ReadRequest;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Sends a part of an object to who reads it from afar, no faster than that one takes it.
 * Thread-safe (its monitor orders the thread of the network and the one that brought the object
 * here).
 */
final class ObjectSender {
  /** So much may lie in the buffers of the connection before the reader has taken it. */
  private static final int AHEAD_BYTES = 2 * Wire.CHUNK_BYTES;

  private final ReadRequest request;
  private final ServerCallStreamObserver<SegmentChunk> out;
  private @Nullable Pin pin;
  private long at;
  private long end;
  private boolean ended;

  ObjectSender(ReadRequest request, ServerCallStreamObserver<SegmentChunk> out) {
    this.request = request;
    this.out = out;
    out.setOnReadyThreshold(AHEAD_BYTES);
    out.setOnReadyHandler(this::send);
    out.setOnCancelHandler(this::end);
  }

  /** Sends the object of the pin, which is closed at the end; null for one that is not there. */
  synchronized void begin(@Nullable Pin object) {
    if (object == null) {
      fail(Status.NOT_FOUND.withDescription("there is no " + WireIds.object(request.getObject())));
      return;
    }
    if (ended) {
      object.close();
      return;
    }
    pin = object;
    at = request.getOffset();
    end = endOf(object.sizeBytes());
    if (at < 0 || at > end || end > object.sizeBytes()) {
      fail(
          Status.INVALID_ARGUMENT.withDescription(
              object.id() + " has " + object.sizeBytes() + " bytes, asked for was " + request));
      return;
    }
    if (at == end) {
      out.onNext(new SegmentChunk(object.sizeBytes(), object.segment().asSlice(at, 0)));
    }
    send();
  }

  private long endOf(long sizeBytes) {
    long length = request.getLengthBytes();
    if (length == 0) {
      return sizeBytes;
    }
    return length < 0 ? -1 : Math.min(sizeBytes, request.getOffset() + length);
  }

  synchronized void fail(Status status) {
    if (!ended) {
      end();
      out.onError(status.asRuntimeException());
    }
  }

  private synchronized void send() {
    Pin object = pin;
    if (object == null || ended) {
      return;
    }
    while (at < end && out.isReady()) {
      long bytes = Math.min(Wire.CHUNK_BYTES, end - at);
      MemorySegment data = object.segment().asSlice(at, bytes);
      out.onNext(new SegmentChunk(object.sizeBytes(), data));
      at += bytes;
    }
    if (at == end) {
      end();
      out.onCompleted();
    }
  }

  private synchronized void end() {
    ended = true;
    if (pin != null) {
      pin.close();
      pin = null;
    }
  }
}
