package io.aktis.cluster.rpc;

import io.aktis.cluster.tls.ClusterTls;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.stub.MetadataUtils;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to a server of the protocol. What comes in is handled on the threads of the network,
 * which must not wait. Thread-safe; whoever opens it closes it.
 */
public final class RpcChannel implements AutoCloseable {
  private static final int CONNECT_TIMEOUT_MS = 10_000;
  private static final int KEEP_ALIVE_SECONDS = 10;
  private static final int KEEP_ALIVE_TIMEOUT_SECONDS = 10;

  private static final Logger LOG = LoggerFactory.getLogger(RpcChannel.class);
  private static final long END_TIMEOUT_MS = 10_000;
  private static final long MOMENT_MS = 200;

  private final AtomicBoolean closed = new AtomicBoolean();
  private final ManagedChannel managed;
  private final Channel channel;
  private final String address;

  private RpcChannel(ManagedChannel managed, Channel channel, String address) {
    this.managed = managed;
    this.channel = channel;
    this.address = address;
  }

  /**
   * Opens a connection; returns at once, the first call connects. What comes of that, {@link
   * RpcFailure} can read from the failure of the call.
   *
   * @param address host and port, such as {@code 127.0.0.1:6380} or {@code [::1]:6380}
   * @param credentials what to show; with TLS, the other end must use it as well
   * @throws IllegalArgumentException when the address is not of this form, or the host has
   *     characters that host names cannot have, such as an underscore
   */
  public static RpcChannel open(String address, Credentials credentials) {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forTarget(target(address))
            .channelType(ClientLoops.channelType())
            .directExecutor()
            .maxInboundMessageSize(RpcServer.MAX_MESSAGE_BYTES)
            .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MS)
            .keepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
            .keepAliveTimeout(KEEP_ALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS);
    if (credentials.tls().isPresent()) {
      encrypt(builder, credentials.tls().get());
    } else {
      builder.usePlaintext();
    }
    ManagedChannel managed = builder.eventLoopGroup(ClientLoops.take()).build();
    Channel channel =
        ClientInterceptors.intercept(
            managed, MetadataUtils.newAttachHeadersInterceptor(credentials.headers()));
    return new RpcChannel(managed, channel, address);
  }

  /** As the path of a URI, in which IPv6 has characters that are not allowed. */
  private static String target(String address) {
    String path = HostPort.parse("an address", address).toString();
    return "dns:///" + path.replace("%", "%25").replace("[", "%5B").replace("]", "%5D");
  }

  /** The name to expect of the other end is the same wherever it is. */
  private static void encrypt(NettyChannelBuilder builder, ClusterTls tls) {
    try {
      builder.sslContext(NettyTls.client(tls)).overrideAuthority(ClusterTls.NODE_NAME);
    } catch (SSLException e) {
      // The certificate has passed all checks before.
      throw new IllegalStateException("TLS with " + tls + " cannot be set up", e);
    }
  }

  /** Returns the address that was given. */
  public String address() {
    return address;
  }

  /** Returns the host of that address, as it was given. */
  public String host() {
    return HostPort.parse("an address", address).host();
  }

  /** Makes a call that has not started; see {@link io.grpc.stub.ClientCalls}. */
  public <Q, A> ClientCall<Q, A> call(MethodDescriptor<Q, A> method) {
    return channel.newCall(method, CallOptions.DEFAULT);
  }

  /** Makes a call that fails with DEADLINE_EXCEEDED when it takes longer. */
  public <Q, A> ClientCall<Q, A> call(MethodDescriptor<Q, A> method, long timeoutMs) {
    return channel.newCall(
        method, CallOptions.DEFAULT.withDeadlineAfter(timeoutMs, TimeUnit.MILLISECONDS));
  }

  /** Connects again with the next call at once, where it would wait after a failure. */
  public void retryNow() {
    managed.resetConnectBackoff();
  }

  /** Ends all calls. Idempotent; does not wait. */
  @Override
  public void close() {
    managed.shutdownNow();
    if (closed.compareAndSet(false, true)) {
      ClientLoops.closing();
      Thread.ofVirtual().name("aktis-rpc-close").start(this::giveLoopsBack);
    }
  }

  private void giveLoopsBack() {
    try {
      boolean ended = managed.awaitTermination(END_TIMEOUT_MS, TimeUnit.MILLISECONDS);
      LOG.debug("the connection to {} has{} ended", address, ended ? "" : " not");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // nobody interrupts this thread
    } finally {
      ClientLoops.giveBack();
    }
  }

  /**
   * Waits a moment for connections of this process that were closed, and for the network threads if
   * there are no others. A JVM that ends before waits for them itself, and longer. An interrupt
   * ends the wait, and stays set.
   */
  public static void awaitClosed() {
    try {
      LOG.debug("closed connections have ended in time: {}", ClientLoops.awaitEnd(MOMENT_MS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
