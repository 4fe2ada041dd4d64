package io.aktis.cluster.store;

import io.aktis.cluster.rpc.Methods;
import io.aktis.cluster.rpc.RpcChannel;
import io.aktis.core.id.ObjectId;
import io.aktis.runtime.form.WireIds;
import io.aktis.wire.message.RouteReply;
import io.aktis.wire.message.RouteRequest;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * From whom to read one object that is being pulled. The node that had it first tells; when that
 * node does not answer, those that it has named as others are tried, and that node again and again,
 * until too many tries in a row have brought nothing. Thread-safe; whoever makes it closes it.
 */
final class Sources implements AutoCloseable {
  /** What connects to a node. */
  @FunctionalInterface
  interface Channels {
    /**
     * Returns a connection.
     *
     * @param stream which of the parallel ones
     * @throws IllegalStateException when this node is closed
     */
    RpcChannel to(String address, int stream);
  }

  /**
   * Where to read.
   *
   * @param address host and port
   * @param presentOnly whether to take only what that node has: there is nobody who knows whether
   *     it waits for us in turn
   */
  record Place(String address, boolean presentOnly) {}

  /**
   * With the pauses between them, about five seconds: a node that restarts or was cut off may be
   * back; but one that is dead keeps waiting who could have the value made again. Waiting for a
   * node that has no room for one more reader is no failure, however long.
   */
  private static final int MAX_FAILURES = 14;

  private static final long FIRST_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long MAX_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(500);

  private final ObjectId id;
  private final String root;
  private final String ownAddress;
  private final Channels channels;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by the lock.
  private final Deque<String> untried = new ArrayDeque<>();
  private List<String> others = List.of();
  private @Nullable Place current;
  private @Nullable Asking asking;
  private long notBeforeNs = System.nanoTime();
  private int failures;
  private boolean rootHasNone;
  private boolean closed;

  /**
   * Asks the first question.
   *
   * @param root the node that had it first
   * @param ownAddress where others can read what comes here; empty when they cannot
   */
  Sources(ObjectId id, String root, String ownAddress, Channels channels) {
    this.id = id;
    this.root = root;
    this.ownAddress = ownAddress;
    this.channels = channels;
  }

  /**
   * Waits for a place.
   *
   * @throws IOException when too many have failed one after the other
   */
  Place await() throws IOException, InterruptedException {
    lock.lockInterruptibly();
    try {
      while (true) {
        long now = System.nanoTime();
        if (closed) {
          throw new IOException("the transfer of " + id + " has ended");
        }
        if (now - notBeforeNs >= 0) {
          Place place = current != null ? current : orphan();
          if (place != null) {
            return place;
          }
          if (failures > MAX_FAILURES || (rootHasNone && others.isEmpty())) {
            throw new IOException("nobody sends what is left of " + id);
          }
          if (asking == null) {
            ask();
          } else {
            changed.await();
          }
        } else {
          changed.awaitNanos(notBeforeNs - now);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** While nobody tells where to read, the others are tried one by one. */
  private @Nullable Place orphan() {
    if (asking == null && !untried.isEmpty()) {
      current = new Place(untried.remove(), true);
    }
    return current;
  }

  private void ask() {
    if (rootHasNone) {
      pause();
      untried.addAll(others);
      return;
    }
    RpcChannel channel = channels.to(root, 0);
    channel.retryNow();
    Asking question = new Asking();
    asking = question;
    question.begin(channel);
  }

  /** Bytes have come. */
  void progressed() {
    lock.lock();
    try {
      failures = 0;
    } finally {
      lock.unlock();
    }
  }

  /** A place did not give what it should; known already when another one was told since. */
  @SuppressWarnings("ReferenceEquality") // this telling of the place, not an equal one
  void failed(Place place) {
    lock.lock();
    try {
      if (place != current || closed) {
        return;
      }
      current = null;
      pause();
      Asking question = asking;
      if (question != null && !place.presentOnly()) {
        question.say(RouteRequest.newBuilder().setFailed(true).build());
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The next try is the later the more have failed. */
  private void pause() {
    long pauseNs = Math.min(MAX_PAUSE_NS, FIRST_PAUSE_NS << Math.min(failures, 10));
    failures++;
    notBeforeNs = System.nanoTime() + (failures == 1 ? 0 : pauseNs);
  }

  /** All has come, or nobody waits for it any more. Idempotent. */
  void end(boolean complete) {
    lock.lock();
    try {
      closed = true;
      Asking question = asking;
      asking = null;
      if (question != null) {
        if (complete) {
          question.say(RouteRequest.newBuilder().setDone(true).build());
        }
        question.finish();
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    end(false);
  }

  /** The conversation with the node that tells. */
  private final class Asking implements StreamObserver<RouteReply> {
    /** Set, under the lock, as soon as the call has begun. */
    private @Nullable StreamObserver<RouteRequest> requests;

    void begin(RpcChannel channel) {
      requests = ClientCalls.asyncBidiStreamingCall(channel.call(Methods.ROUTE), this);
      say(RouteRequest.newBuilder().setObject(WireIds.of(id)).setReaderAddress(ownAddress).build());
    }

    void say(RouteRequest request) {
      if (requests != null) {
        requests.onNext(request);
      }
    }

    void finish() {
      if (requests != null) {
        requests.onCompleted();
      }
    }

    @Override
    public void onNext(RouteReply reply) {
      lock.lock();
      try {
        if (asking == this) {
          String from = reply.getFromAddress();
          current = new Place(from.isEmpty() ? root : from, false);
          others = List.copyOf(reply.getOtherAddressesList());
          untried.clear();
          changed.signalAll();
        }
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void onError(Throwable thrown) {
      ended(Status.fromThrowable(thrown).getCode() == Status.Code.NOT_FOUND);
    }

    @Override
    public void onCompleted() {
      ended(false);
    }

    /** Who was told a place goes on there. */
    private void ended(boolean hasNone) {
      lock.lock();
      try {
        if (asking == this) {
          asking = null;
          rootHasNone |= hasNone;
          pause();
          untried.addAll(others);
          changed.signalAll();
        }
      } finally {
        lock.unlock();
      }
    }
  }
}
