package io.aktis.cluster.rpc;

import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * The sending end of a stream that many threads use. What is ready goes together in one batch, by
 * whichever thread comes first; nothing waits for more. After the end of the stream messages are
 * dropped: who sends hears of the end elsewhere. Thread-safe.
 *
 * @param <M> a message
 * @param <B> a batch of them, as the stream carries it
 */
public final class Outbox<M, B> {
  private static final int MAX_BATCH = 256;

  private final StreamObserver<B> stream;
  private final Function<List<M>, B> batch;
  private final ConcurrentLinkedQueue<M> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger pending = new AtomicInteger();
  private volatile boolean closed;

  /**
   * Makes an outbox.
   *
   * @param stream where batches go; nobody else may use it
   * @param batch makes one batch of some messages
   */
  public Outbox(StreamObserver<B> stream, Function<List<M>, B> batch) {
    this.stream = stream;
    this.batch = batch;
  }

  /** Sends a message, in the order of the calls of one thread. */
  public void send(M message) {
    queue.add(message);
    if (pending.getAndIncrement() == 0) {
      drain();
    }
  }

  private void drain() {
    int seen = 1;
    List<M> messages = new ArrayList<>();
    do {
      for (M message = queue.poll(); message != null; message = queue.poll()) {
        messages.add(message);
        if (messages.size() == MAX_BATCH) {
          transmit(messages);
        }
      }
      if (!messages.isEmpty()) {
        transmit(messages);
      }
      seen = pending.addAndGet(-seen);
    } while (seen != 0);
  }

  private void transmit(List<M> messages) {
    if (!closed) {
      try {
        stream.onNext(batch.apply(messages));
      } catch (IllegalStateException ended) {
        closed = true; // the stream has ended; its observer is told
      }
    }
    messages.clear();
  }

  /** The stream has ended, or is about to: nothing more is sent. */
  public void close() {
    closed = true;
  }
}
