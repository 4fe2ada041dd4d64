package io.aktis.cluster.store;

import io.aktis.cluster.rpc.RpcChannel;
import io.aktis.core.id.ObjectId;
import io.aktis.runtime.form.WireIds;
import io.aktis.store.Creation;
import io.aktis.store.ObjectStore;
import io.aktis.store.Pin;
import io.aktis.wire.message.ReadRequest;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies one object from the store of another node to this one. A large one is read in ranges, by
 * several streams, each of which takes the next range when it is done with one. Confined to the
 * thread that runs it, and those that it starts.
 */
final class Pull {
  static final long RANGE_BYTES = 32L << 20;
  private static final int MAX_STREAMS = 4;
  private static final int TRIES = 2;

  private static final Logger LOG = LoggerFactory.getLogger(Pull.class);

  private final ObjectStore store;
  private final ObjectId id;
  private final IntFunction<RpcChannel> channels;

  Pull(ObjectStore store, ObjectId id, IntFunction<RpcChannel> channels) {
    this.store = store;
    this.id = id;
    this.channels = channels;
  }

  /**
   * Copies the object as a copy that may be dropped.
   *
   * @return a pin of it; null when the other node does not have it or broke off twice
   * @throws io.aktis.store.StoreFullException when there is no room for it
   */
  @Nullable Pin run() throws InterruptedException {
    for (int attempt = 1; attempt <= TRIES; attempt++) {
      try {
        return copy();
      } catch (IOException e) {
        LOG.info("attempt {} of {}: {}", attempt, TRIES, e.getMessage());
      }
    }
    return null;
  }

  private @Nullable Pin copy() throws IOException, InterruptedException {
    try (PartReader first = reader(0, 0)) {
      long totalBytes = first.awaitTotalBytes();
      if (totalBytes < 0) {
        return null;
      }
      try (Creation creation = store.create(id, totalBytes)) {
        readAll(first, creation.segment());
        Pin pin = creation.sealCopy();
        return pin == null ? store.pin(id) : pin;
      }
    }
  }

  private PartReader reader(long offset, int stream) {
    ReadRequest request =
        ReadRequest.newBuilder()
            .setObject(WireIds.of(id))
            .setOffset(offset)
            .setLengthBytes(RANGE_BYTES)
            .build();
    return new PartReader(channels.apply(stream), request);
  }

  /** Returns when nobody writes to the target any more, whatever the outcome. */
  private void readAll(PartReader first, MemorySegment target)
      throws IOException, InterruptedException {
    int streams = (int) Math.min(MAX_STREAMS, (target.byteSize() + RANGE_BYTES - 1) / RANGE_BYTES);
    AtomicLong next = new AtomicLong(RANGE_BYTES);
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    List<Thread> others = new ArrayList<>();
    for (int i = 1; i < streams; i++) {
      int stream = i;
      others.add(
          Thread.ofVirtual()
              .name("store-pull-" + i)
              .start(() -> readOthers(next, target, stream, failure)));
    }
    boolean done = false;
    try {
      first.readInto(range(target, 0));
      readRanges(next, target, 0, failure);
      done = true;
    } finally {
      if (!done) {
        first.close();
        next.set(target.byteSize());
        others.forEach(Thread::interrupt);
      }
      joinUninterruptibly(others);
    }
    Throwable cause = failure.get();
    if (cause != null) {
      throw new IOException(cause.getMessage(), cause);
    }
  }

  private void readOthers(
      AtomicLong next,
      MemorySegment target,
      int stream,
      AtomicReference<@Nullable Throwable> failure) {
    try {
      readRanges(next, target, stream, failure);
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      failure.compareAndSet(null, e); // thrown by the thread that started this one
    }
  }

  private void readRanges(
      AtomicLong next,
      MemorySegment target,
      int stream,
      AtomicReference<@Nullable Throwable> failure)
      throws IOException, InterruptedException {
    long offset = next.getAndAdd(RANGE_BYTES);
    while (offset < target.byteSize() && failure.get() == null) {
      try (PartReader reader = reader(offset, stream)) {
        if (reader.awaitTotalBytes() != target.byteSize()) {
          throw new IOException(id + " has gone or changed in the middle of its transfer");
        }
        reader.readInto(range(target, offset));
      }
      offset = next.getAndAdd(RANGE_BYTES);
    }
  }

  private static MemorySegment range(MemorySegment target, long offset) {
    return target.asSlice(offset, Math.min(RANGE_BYTES, target.byteSize() - offset));
  }

  /** They write to memory that is given back afterwards. */
  private static void joinUninterruptibly(List<Thread> threads) {
    boolean interrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
