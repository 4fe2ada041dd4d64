package io.aktis.cluster.rpc;

import io.aktis.cluster.relay.Relay;
import io.aktis.cluster.relay.SlowNetwork;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A server of the protocol on one address. Handlers are called on the threads of the network and
 * must not wait. A caller that is silent for ten seconds is asked whether it is still there, and
 * its calls end ten seconds later if it does not answer. In a process with a {@link SlowNetwork}
 * others reach it through a relay. Thread-safe; whoever starts it closes it.
 */
public final class RpcServer implements AutoCloseable {
  /** No message is larger: what is, travels in chunks. */
  static final int MAX_MESSAGE_BYTES = 64 << 20;

  private static final int KEEP_ALIVE_SECONDS = 10;
  private static final int KEEP_ALIVE_TIMEOUT_SECONDS = 10;
  private static final int HANDSHAKE_TIMEOUT_SECONDS = 10;
  private static final int END_TIMEOUT_SECONDS = 5;

  private final Server server;
  private final ServerLoops loops;
  private final RefusalLog log;
  private final int directPort;
  private final @Nullable Relay relay;

  private RpcServer(Server server, ServerLoops loops, RefusalLog log, @Nullable Relay relay) {
    this.server = server;
    this.loops = loops;
    this.log = log;
    this.directPort = server.getPort(); // it knows this only while it runs
    this.relay = relay;
  }

  /**
   * Starts a server; returns when it accepts connections.
   *
   * @param host a name or an address to listen on
   * @param port 0 for any that is free
   * @param credentials what callers have to show; with TLS, they must use it and have a certificate
   *     of the same CA
   * @throws IOException when the address cannot be bound; the message names it
   * @throws IllegalArgumentException when the credentials have no token
   */
  public static RpcServer start(
      String host, int port, Credentials credentials, List<ServerServiceDefinition> services)
      throws IOException {
    return start(host, port, credentials, services, SlowNetwork.ofThisProcess());
  }

  /** Starts a server that is reached over a network, if there is one. */
  static RpcServer start(
      String host,
      int port,
      Credentials credentials,
      List<ServerServiceDefinition> services,
      Optional<SlowNetwork> network)
      throws IOException {
    if (credentials.token().isEmpty()) {
      throw new IllegalArgumentException("a server needs a token that callers have to show");
    }
    InetSocketAddress address = new InetSocketAddress(host, port);
    if (address.isUnresolved()) {
      throw new IOException("the host name '" + host + "' resolves to nothing");
    }
    RefusalLog log = new RefusalLog();
    ServerLoops loops = new ServerLoops(log);
    InetSocketAddress own =
        network.isPresent() ? new InetSocketAddress(address.getAddress(), 0) : address;
    Server server = null;
    boolean started = false;
    try {
      NettyServerBuilder builder = builder(own, loops).intercept(new Gate(credentials, log));
      services.forEach(builder::addService);
      if (credentials.tls().isPresent()) {
        builder.sslContext(NettyTls.server(credentials.tls().get()));
      }
      server = builder.build().start();
      Relay relay =
          network.isPresent() ? Relay.inFrontOf(address, server.getPort(), network.get()) : null;
      started = true;
      return new RpcServer(server, loops, log, relay);
    } catch (IOException e) {
      String reason = e.getCause() == null ? e.getMessage() : e.getCause().getMessage();
      throw new IOException("cannot listen on " + HostPort.join(host, port) + ": " + reason, e);
    } finally {
      if (!started) {
        if (server != null) {
          server.shutdownNow();
        }
        loops.close();
      }
    }
  }

  private static NettyServerBuilder builder(InetSocketAddress address, ServerLoops loops) {
    return NettyServerBuilder.forAddress(address)
        .bossEventLoopGroup(loops.group())
        .workerEventLoopGroup(loops.group())
        .channelFactory(loops::newServerChannel)
        .directExecutor()
        .maxInboundMessageSize(MAX_MESSAGE_BYTES)
        .keepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
        .keepAliveTimeout(KEEP_ALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .handshakeTimeout(HANDSHAKE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .permitKeepAliveTime(1, TimeUnit.SECONDS)
        .permitKeepAliveWithoutCalls(true);
  }

  /** Returns the port that others reach it at, or did. */
  public int port() {
    return relay == null ? directPort : relay.port();
  }

  /** Returns the port for what is on this side of the network: the same when that is real. */
  public int directPort() {
    return directPort;
  }

  /** Returns who was refused last and why, empty when nobody was. For tests. */
  String lastRefusal() {
    return log.last();
  }

  /** Ends all calls and closes the port; returns when both are done. Idempotent. */
  @Override
  public void close() {
    server.shutdownNow();
    try {
      if (!server.awaitTermination(END_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the server on port " + port() + " does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (relay != null) {
        relay.close(); // delivers what the server has said last
      }
      loops.close();
    }
  }

  /** Refuses callers that do not belong here. */
  private record Gate(Credentials credentials, RefusalLog log) implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      String problem = credentials.problem(headers);
      if (problem.isEmpty()) {
        return next.startCall(call, headers);
      }
      log.refused(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR), problem);
      call.close(Status.UNAUTHENTICATED.withDescription(problem), new Metadata());
      return new ServerCall.Listener<>() {};
    }
  }
}
