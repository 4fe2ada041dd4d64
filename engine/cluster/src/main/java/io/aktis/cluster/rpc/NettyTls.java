package io.aktis.cluster.rpc;

import io.aktis.cluster.tls.ClusterTls;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import javax.net.ssl.SSLException;

/**
 * TLS as Netty wants it: with BoringSSL, which comes with gRPC, or with the JDK where that has no
 * build for the platform. Stateless.
 */
final class NettyTls {
  /**
   * No session is resumed: connections live long, and who is at the other end is always checked.
   */
  private static final int SESSION_TIMEOUT_SECONDS = 1;

  private NettyTls() {}

  static SslContext server(ClusterTls tls) throws SSLException {
    return build(SslContextBuilder.forServer(tls.keyManager()).clientAuth(ClientAuth.REQUIRE), tls);
  }

  static SslContext client(ClusterTls tls) throws SSLException {
    return build(SslContextBuilder.forClient().keyManager(tls.keyManager()), tls);
  }

  private static SslContext build(SslContextBuilder builder, ClusterTls tls) throws SSLException {
    return GrpcSslContexts.configure(builder)
        .trustManager(tls.trustManager())
        .protocols(ClusterTls.PROTOCOL)
        .sessionTimeout(SESSION_TIMEOUT_SECONDS)
        .build();
  }
}
