package io.aktis.cluster.rpc;

import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelFutureListener;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandler.Sharable;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslHandler;
import io.grpc.netty.shaded.io.netty.util.concurrent.Future;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Sees each new connection of a server and tells the log when it comes to nothing, which gRPC does
 * not. Who comes without TLS where it is used gets an answer from which it can be seen, in place of
 * a plain end. Thread-safe; called by the network.
 */
@Sharable
final class Entrance extends ChannelInboundHandlerAdapter {
  private static final int TLS_HANDSHAKE = 0x16;

  /** Type, version, length; fatal, unexpected message. It tells the other end that this is TLS. */
  private static final byte[] TLS_ALERT = {0x15, 3, 3, 0, 2, 2, 10};

  private final RefusalLog log;

  Entrance(RefusalLog log) {
    this.log = log;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof Channel connection) {
      connection.pipeline().addFirst(new FirstBytes());
    }
    context.fireChannelRead(message);
  }

  /** Waits for what a connection sends first, and then takes itself away. */
  private final class FirstBytes extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (!(message instanceof ByteBuf bytes) || !bytes.isReadable()) {
        context.fireChannelRead(message);
        return;
      }
      SocketAddress who = context.channel().remoteAddress();
      SslHandler tls = context.pipeline().get(SslHandler.class);
      boolean hello = bytes.getUnsignedByte(bytes.readerIndex()) == TLS_HANDSHAKE;
      context.pipeline().remove(this);
      if (tls != null && !hello) {
        log.refused(who, "it does not use TLS, and this side does");
        bytes.release();
        var _ =
            context
                .writeAndFlush(Unpooled.wrappedBuffer(TLS_ALERT))
                .addListener(ChannelFutureListener.CLOSE);
        return;
      }
      if (tls != null) {
        var _ = tls.handshakeFuture().addListener(done -> handshakeEnded(who, done));
      } else if (hello) {
        log.refused(who, "it uses TLS, and this side does not");
      }
      context.fireChannelRead(message);
    }
  }

  private void handshakeEnded(@Nullable SocketAddress who, Future<?> handshake) {
    Throwable cause = handshake.cause();
    if (cause != null) {
      TransportProblem problem = TransportProblem.of(cause);
      log.refused(who, problem == null ? "the handshake of TLS failed: " + cause : problem.why());
    }
  }
}
