package io.aktis.cluster.rpc;

import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.IoHandlerFactory;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.ServerChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import io.grpc.netty.shaded.io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * The network threads of one server. gRPC would bring its own, but then nobody can look at new
 * connections. Thread-safe.
 */
final class ServerLoops implements AutoCloseable {
  private static final int END_TIMEOUT_MS = 5_000;

  private final EventLoopGroup group;
  private final Entrance entrance;

  ServerLoops(RefusalLog log) {
    IoHandlerFactory io =
        Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    this.group =
        new MultiThreadIoEventLoopGroup(
            Runtime.getRuntime().availableProcessors(),
            new DefaultThreadFactory("aktis-rpc", true),
            io);
    this.entrance = new Entrance(log);
  }

  EventLoopGroup group() {
    return group;
  }

  ServerChannel newServerChannel() {
    ServerChannel channel =
        Epoll.isAvailable() ? new EpollServerSocketChannel() : new NioServerSocketChannel();
    channel.pipeline().addLast(entrance);
    return channel;
  }

  /** Ends the threads; returns when they have ended. Idempotent. */
  @Override
  public void close() {
    Future<?> ended = group.shutdownGracefully(0, END_TIMEOUT_MS, TimeUnit.MILLISECONDS);
    if (!ended.awaitUninterruptibly(2 * END_TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
      throw new IllegalStateException("the network threads of a server do not end");
    }
  }
}
