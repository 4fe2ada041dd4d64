package io.aktis.cluster.rpc;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.IoHandlerFactory;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import io.grpc.netty.shaded.io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The network threads of all connections of this process, which are there as long as it has any.
 * gRPC would keep its own for a second longer, and a JVM waits 300 ms before it ends while a thread
 * waits for the network. Thread-safe.
 */
final class ClientLoops {
  private static final int THREADS_PER_PROCESSOR = 2;
  private static final int END_TIMEOUT_MS = 5_000;

  // Guarded by the class.
  private static @Nullable EventLoopGroup group;
  private static @Nullable Future<?> ending;
  private static int users;
  private static int closing;

  private ClientLoops() {}

  /** Returns the threads for one connection, which gives them back. */
  static synchronized EventLoopGroup take() {
    EventLoopGroup running = group;
    if (running == null) {
      IoHandlerFactory io =
          Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
      running =
          new MultiThreadIoEventLoopGroup(
              THREADS_PER_PROCESSOR * Runtime.getRuntime().availableProcessors(),
              new DefaultThreadFactory("aktis-rpc-client", true),
              io);
      group = running;
    }
    users++;
    return running;
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
    EventLoopGroup running = group;
    if (users == 0 && running != null) {
      group = null;
      ending = running.shutdownGracefully(0, END_TIMEOUT_MS, TimeUnit.MILLISECONDS);
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
    Future<?> last;
    synchronized (ClientLoops.class) {
      while (closing > 0) {
        long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
        if (leftMs <= 0) {
          return false;
        }
        ClientLoops.class.wait(leftMs);
      }
      last = users == 0 ? ending : null;
    }
    return last == null || last.await(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS);
  }
}
