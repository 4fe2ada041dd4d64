package io.aktis.cluster.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.cluster.relay.SlowNetwork;
import io.aktis.wire.message.HealthReply;
import io.aktis.wire.message.HealthRequest;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that is reached over a network that is rehearsed. */
@Timeout(30)
final class RpcSlowNetworkTest {
  private static final Credentials CREDENTIALS = HealthServer.CREDENTIALS;
  private static final SlowNetwork SLOW =
      new SlowNetwork(Duration.ofMillis(30), SlowNetwork.UNLIMITED);

  private static RpcServer start(int port) throws IOException {
    ServerServiceDefinition control =
        ServerServiceDefinition.builder(Methods.CONTROL)
            .addMethod(
                Methods.HEALTH,
                ServerCalls.asyncUnaryCall((request, reply) -> {
                  reply.onNext(HealthReply.newBuilder().setReady(true).build());
                  reply.onCompleted();
                }))
            .build();
    return RpcServer.start("127.0.0.1", port, CREDENTIALS, List.of(control), Optional.of(SLOW));
  }

  private static boolean ask(int port) {
    try (RpcChannel channel = RpcChannel.open("127.0.0.1:" + port, CREDENTIALS)) {
      return ClientCalls.blockingUnaryCall(
              channel.call(Methods.HEALTH, 20_000), HealthRequest.getDefaultInstance())
          .getReady();
    }
  }

  @Test
  void call_fromOutside_takesTheTimeOfTheNetwork() throws IOException {
    try (RpcServer server = start(0)) {
      long startNs = System.nanoTime();

      assertThat(ask(server.port())).isTrue();
      assertThat(System.nanoTime() - startNs).isGreaterThanOrEqualTo(60_000_000);
    }
  }

  @Test
  void call_fromInside_goesPastTheNetwork() throws IOException {
    try (RpcServer server = start(0)) {
      assertThat(server.directPort()).isNotEqualTo(server.port());
      assertThat(ask(server.directPort())).isTrue();
    }
  }

  @Test
  void server_thatIsClosed_freesBothPorts() throws IOException {
    RpcServer server = start(0);
    server.close();

    for (int port : new int[] {server.port(), server.directPort()}) {
      new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
    }
  }

  @Test
  void server_onAPortInUse_isRefusedWithItsAddress() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();

      assertThatThrownBy(() -> start(port))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("cannot listen on 127.0.0.1:" + port + ": ")
          .hasMessageContaining("in use");
    }
  }
}
