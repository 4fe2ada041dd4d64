package io.aktis.cluster.store;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes connections on which nothing has moved for too long, whoever waits there gets an
 * exception; at its own close, all. Thread-safe; whoever makes it closes it.
 */
final class StallWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StallWatch.class);
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Set<Watched> watched = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** Guarded by the monitor; started with the first connection. */
  private @Nullable Thread thread;

  /** One connection, which is closed with this. */
  final class Watched implements AutoCloseable {
    private final SocketChannel channel;
    private volatile long limitNs;
    private volatile long movedNs = System.nanoTime();

    private Watched(SocketChannel channel, long limitNs) {
      this.channel = channel;
      this.limitNs = limitNs;
    }

    /** Something has moved. */
    void moved() {
      movedNs = System.nanoTime();
    }

    /** From now on, nothing may move for so long. */
    void limit(long newLimitNs) {
      movedNs = System.nanoTime();
      limitNs = newLimitNs;
    }

    private void look(long nowNs) {
      if (nowNs - movedNs > limitNs) {
        LOG.info("nothing has moved on {} for {} ms", channel, (nowNs - movedNs) / 1_000_000);
        close();
      }
    }

    /** Idempotent. */
    @Override
    public void close() {
      watched.remove(this);
      try {
        channel.close();
      } catch (IOException e) {
        LOG.info("{} could not be closed: {}", channel, e.toString());
      }
    }
  }

  /**
   * Watches a connection, until it is closed.
   *
   * @param limitNs for how long nothing may move
   * @throws ClosedChannelException when this is closed, and so is the connection then
   */
  Watched watch(SocketChannel channel, long limitNs) throws IOException {
    Watched one = new Watched(channel, limitNs);
    watched.add(one);
    if (closed) {
      one.close();
      throw new ClosedChannelException();
    }
    start();
    return one;
  }

  private synchronized void start() {
    if (thread == null && !closed) {
      thread = Thread.ofVirtual().name("data-watch").start(this::look);
    }
  }

  private void look() {
    while (!closed) {
      LockSupport.parkNanos(LOOK_NS);
      long nowNs = System.nanoTime();
      watched.forEach(one -> one.look(nowNs));
    }
  }

  /** Returns how many connections are watched. For tests. */
  int size() {
    return watched.size();
  }

  /** Closes all connections. Idempotent. */
  @Override
  public synchronized void close() {
    closed = true;
    watched.forEach(Watched::close);
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }
}
