package io.aktis.cluster.rpc;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.EventLoop;
import io.grpc.netty.shaded.io.netty.channel.SingleThreadIoEventLoop;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import io.grpc.netty.shaded.io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * The network threads of all connections of this process, which are there as long as it has any.
 * gRPC would keep its own for a second longer, and a JVM waits 300 ms before it ends while a thread
 * waits for the network. Each is a loop by itself: the end of a group of loops would start another
 * thread, which a JVM waits for too. Thread-safe.
 */
final class ClientLoops {
  private static final int MOST = 2 * Runtime.getRuntime().availableProcessors();
  private static final int END_TIMEOUT_MS = 5_000;
  private static final ThreadFactory THREADS = new DefaultThreadFactory("aktis-client", true);

  // Guarded by the class.
  private static List<EventLoop> loops = new ArrayList<>();
  private static List<EventLoop> ending = List.of();
  private static int taken;
  private static int users;
  private static int closing;

  private ClientLoops() {}

  /** Returns the thread for one connection, which gives it back. */
  static synchronized EventLoop take() {
    if (loops.size() < MOST) {
      loops.add(
          new SingleThreadIoEventLoop(
              null,
              THREADS,
              Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory()));
    }
    users++;
    return loops.get(taken++ % loops.size());
  }

  static Class<? extends Channel> channelType() {
    return Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class;
  }

  /** A connection is about to end, and will be given back. */
  static synchronized void closing() {
    closing++;
  }

  /** A connection has ended. Returns at once; the threads end with the last one. */
  static synchronized void giveBack() {
    users--;
    closing--;
    if (users == 0) {
      ending = loops;
      loops = new ArrayList<>();
      taken = 0;
      for (EventLoop loop : ending) {
        Future<?> _ = loop.shutdownGracefully(0, END_TIMEOUT_MS, TimeUnit.MILLISECONDS);
      }
    }
    ClientLoops.class.notifyAll();
  }

  /**
   * Waits until the connections that are about to end have ended, and the threads too if there are
   * no others.
   *
   * @return whether that was so in time
   */
  static boolean awaitEnd(long timeoutMs) throws InterruptedException {
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    List<EventLoop> last;
    synchronized (ClientLoops.class) {
      while (closing > 0) {
        long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
        if (leftMs <= 0) {
          return false;
        }
        ClientLoops.class.wait(leftMs);
      }
      last = users == 0 ? ending : List.of();
    }
    boolean ended = true;
    for (EventLoop loop : last) {
      ended &= loop.awaitTermination(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS);
    }
    return ended;
  }
}
