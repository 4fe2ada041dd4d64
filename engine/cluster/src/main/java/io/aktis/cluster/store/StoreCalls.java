package io.aktis.cluster.store;

import io.aktis.cluster.rpc.Methods;
import io.aktis.cluster.rpc.RpcChannel;
import io.aktis.wire.message.StoreReply;
import io.aktis.wire.message.StoreRequest;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The client's end of a {@code UseStore} stream: requests of many threads, each with its answer.
 * When the stream ends, all fail that wait, and all that come later. Thread-safe.
 */
final class StoreCalls implements AutoCloseable {
  private final String address;
  private final ClientCall<StoreRequest, StoreReply> call;
  private final Map<Long, CompletableFuture<StoreReply>> pending = new ConcurrentHashMap<>();
  private final AtomicLong lastNumber = new AtomicLong();
  private volatile @Nullable Status end;

  StoreCalls(RpcChannel channel) {
    this.address = channel.address();
    this.call = channel.call(Methods.USE_STORE);
    call.start(new Replies(), new Metadata());
    call.request(Integer.MAX_VALUE); // each is awaited by somebody
  }

  /** Sends a request; the future has the answer, or fails with {@link IllegalStateException}. */
  CompletableFuture<StoreReply> ask(StoreRequest.Builder request) {
    long number = lastNumber.incrementAndGet();
    CompletableFuture<StoreReply> reply = new CompletableFuture<>();
    pending.put(number, reply);
    Status ended = end;
    if (ended != null) {
      fail(number, ended);
      return reply;
    }
    try {
      send(request.setNumber(number).build());
    } catch (IllegalStateException closed) {
      fail(number, Status.CANCELLED.withCause(closed));
    }
    return reply;
  }

  /** Sends a request that has no answer; after the end of the stream there is nothing to let go. */
  void tell(StoreRequest.Builder request) {
    if (end == null) {
      try {
        send(request.build());
      } catch (IllegalStateException closed) {
        end = end == null ? Status.CANCELLED.withCause(closed) : end;
      }
    }
  }

  private void send(StoreRequest request) {
    synchronized (call) {
      call.sendMessage(request);
    }
  }

  private void fail(long number, Status status) {
    CompletableFuture<StoreReply> reply = pending.remove(number);
    if (reply != null) {
      String reason =
          status.getDescription() == null ? status.getCode().name() : status.getDescription();
      reply.completeExceptionally(
          new IllegalStateException(
              "the connection to the object store at " + address + " is lost: " + reason,
              status.getCause()));
    }
  }

  private void endAll(Status status) {
    end = status;
    pending.keySet().forEach(number -> fail(number, status));
  }

  /** Ends the stream: the store lets all go. Idempotent. */
  @Override
  public void close() {
    Status status = Status.CANCELLED.withDescription("it was closed by this process");
    synchronized (call) {
      call.cancel(status.getDescription(), null);
    }
    endAll(status);
  }

  private final class Replies extends ClientCall.Listener<StoreReply> {
    @Override
    public void onMessage(StoreReply reply) {
      CompletableFuture<StoreReply> asked = pending.remove(reply.getNumber());
      if (asked != null) {
        asked.complete(reply);
      }
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      endAll(status.isOk() ? status.withDescription("it has ended the stream") : status);
    }
  }
}
