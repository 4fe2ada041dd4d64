package io.aktis.cluster.rpc;

import static io.aktis.cluster.rpc.HealthServer.CREDENTIALS;
import static io.aktis.cluster.rpc.HealthServer.SESSION;
import static io.aktis.cluster.rpc.HealthServer.TOKEN;
import static io.aktis.cluster.rpc.HealthServer.tell;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.wire.message.HealthRequest;
import io.aktis.wire.message.OwnerToWorkerBatch;
import io.aktis.wire.message.WorkerToOwnerBatch;
import io.grpc.CallOptions;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Who is not let in, who is not there, and what is said about it; without TLS. */
final class RpcRefusalTest {
  private static String tellPlain(String address) {
    return tell(address, CREDENTIALS, Optional.empty());
  }

  @Test
  void call_withTheCredentialsOfTheCluster_isAnswered() throws Exception {
    try (HealthServer server = HealthServer.plain()) {
      assertThat(tellPlain(server.address)).isEqualTo("well");
      assertThat(tell(server.address, new Credentials(TOKEN, ""), Optional.empty()))
          .as("a caller that does not know the session")
          .isEqualTo("well");
      assertThat(server.server.lastRefusal()).isEmpty();
    }
  }

  @Test
  void call_withoutToken_isRefusedAndSaysSo() throws Exception {
    try (HealthServer server = HealthServer.plain()) {
      assertThat(tell(server.address, new Credentials("", SESSION), Optional.empty()))
          .isEqualTo(
              "REFUSED "
                  + server.address
                  + " refused the connection: no token was sent; give the token of the cluster");
      assertThat(server.server.lastRefusal()).contains("127.0.0.1", "no token was sent");
    }
  }

  @Test
  void call_withAnotherToken_isRefusedAndTellsNeither() throws Exception {
    try (HealthServer server = HealthServer.plain()) {
      assertThat(tell(server.address, new Credentials("guess", SESSION), Optional.empty()))
          .isEqualTo(
              "REFUSED "
                  + server.address
                  + " refused the connection: the token is not that of this cluster");
      assertThat(server.server.lastRefusal()).doesNotContain("guess").doesNotContain(TOKEN);
    }
  }

  @Test
  void call_withAnotherSession_isRefusedAndNamesBoth() throws Exception {
    try (HealthServer server = HealthServer.plain()) {
      assertThat(tell(server.address, new Credentials(TOKEN, "other"), Optional.empty()))
          .startsWith("REFUSED " + server.address)
          .contains("the cluster of session a-session, not of other");
    }
  }

  @Test
  void call_ofAnotherVersion_isRefusedAndNamesBoth() throws Exception {
    try (HealthServer server = HealthServer.plain()) {
      for (int version : new int[] {Credentials.PROTOCOL + 1, Credentials.PROTOCOL - 1}) {
        Metadata headers = new Metadata();
        headers.put(Credentials.TOKEN, TOKEN);
        headers.put(Credentials.VERSION, Integer.toString(version));
        assertThat(tellWithHeaders(server.address, headers))
            .contains(
                "the caller speaks version "
                    + version
                    + " of the protocol, this cluster version "
                    + Credentials.PROTOCOL);
      }
      Metadata headers = new Metadata();
      headers.put(Credentials.TOKEN, TOKEN);
      assertThat(tellWithHeaders(server.address, headers)).contains("version 0 of the protocol");
    }
  }

  /** A caller of another build, which a channel of this one cannot imitate. */
  private static String tellWithHeaders(String address, Metadata headers) {
    ManagedChannel channel = NettyChannelBuilder.forTarget(address).usePlaintext().build();
    try {
      ClientCalls.blockingUnaryCall(
          ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers))
              .newCall(Methods.HEALTH, CallOptions.DEFAULT.withDeadlineAfter(20, TimeUnit.SECONDS)),
          HealthRequest.getDefaultInstance());
      return "well";
    } catch (StatusRuntimeException e) {
      return RpcFailure.describe(address, e);
    } finally {
      channel.shutdownNow();
    }
  }

  @Test
  void call_ofAServiceThatIsNotThere_saysThatItIsAnotherVersion() throws Exception {
    try (HealthServer server = HealthServer.plain();
        RpcChannel channel = RpcChannel.open(server.address, CREDENTIALS)) {
      assertThatThrownBy(() ->
              ClientCalls.blockingUnaryCall(
                  channel.call(Methods.STOP, 20_000),
                  io.aktis.wire.message.StopRequest.getDefaultInstance()))
          .satisfies(e ->
              assertThat(RpcFailure.of(server.address, e))
                  .returns(RpcFailure.Kind.REFUSED, RpcFailure::kind)
                  .asString()
                  .contains("is no node of Aktis, or one of another version"));
    }
  }

  @Test
  void call_whereNobodyListens_saysSo() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    assertThat(tellPlain("127.0.0.1:" + port))
        .isEqualTo(
            "UNREACHABLE 127.0.0.1:"
                + port
                + " cannot be reached: nobody listens there (connection refused)");
  }

  @Test
  void call_ofAHostThatResolvesToNothing_saysSo() {
    assertThat(tellPlain("no-such-host.invalid:6380"))
        .isEqualTo(
            "UNREACHABLE no-such-host.invalid:6380 cannot be reached: its host name resolves to"
                + " nothing");
    assertThatThrownBy(() -> RpcChannel.open("no_such_host.invalid:6380", CREDENTIALS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Invalid DNS name: no_such_host.invalid");
  }

  @Test
  void call_ofAHostThatDoesNotAnswer_saysSo() throws Exception {
    List<Socket> waiting = new ArrayList<>();
    // With its queue full, the system drops whoever else knocks.
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      for (int i = 0; i < 4; i++) {
        Socket socket = new Socket();
        waiting.add(socket);
        socket.setSoTimeout(1);
        connectOrNot(socket, silent.getLocalPort());
      }
      String address = "127.0.0.1:" + silent.getLocalPort();
      assertThat(tellPlain(address))
          .isEqualTo("UNREACHABLE " + address + " cannot be reached: it does not answer");
    } finally {
      for (Socket socket : waiting) {
        socket.close();
      }
    }
  }

  private static void connectOrNot(Socket socket, int port) throws IOException {
    try {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 200);
    } catch (java.net.SocketTimeoutException full) {
      assertThat(full).hasMessageContaining("timed out");
    }
  }

  @Test
  void call_ofSomethingElse_saysThatItIsNotAktis() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread web = Thread.ofVirtual().start(() -> answerAsAWebServer(other));
      String address = "127.0.0.1:" + other.getLocalPort();
      assertThat(tellPlain(address))
          .isEqualTo(
              "REFUSED "
                  + address
                  + " cannot be used: it does not speak the protocol of Aktis; is it the right"
                  + " port?");
      web.join();
    }
  }

  private static void answerAsAWebServer(ServerSocket server) {
    try (Socket caller = server.accept();
        OutputStream out = caller.getOutputStream()) {
      out.write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      out.flush();
      caller.getInputStream().readAllBytes(); // until the caller has had enough
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void call_thatTakesTooLong_saysSo() throws Exception {
    try (HealthServer server = HealthServer.plain();
        RpcChannel channel = RpcChannel.open(server.address, CREDENTIALS)) {
      // Nobody ends this stream.
      CountDownLatch ended = new CountDownLatch(1);
      BlockingQueue<Throwable> errors = new LinkedBlockingQueue<>();
      StreamObserver<OwnerToWorkerBatch> stream =
          ClientCalls.asyncBidiStreamingCall(
              channel.call(Methods.WORK, 300), observer(errors, ended));
      stream.onNext(OwnerToWorkerBatch.getDefaultInstance());
      assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(RpcFailure.of(server.address, errors.remove()))
          .isEqualTo(
              new RpcFailure(
                  RpcFailure.Kind.TIMED_OUT, server.address + " did not answer in time"));
    }
  }

  @Test
  void stream_whoseServerEnds_isBrokenOff() throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    BlockingQueue<Throwable> errors = new LinkedBlockingQueue<>();
    try (HealthServer server = HealthServer.plain();
        RpcChannel channel = RpcChannel.open(server.address, CREDENTIALS)) {
      StreamObserver<OwnerToWorkerBatch> stream =
          ClientCalls.asyncBidiStreamingCall(channel.call(Methods.WORK), observer(errors, ended));
      stream.onNext(OwnerToWorkerBatch.getDefaultInstance());
      assertThat(server.streamOpened.await(10, TimeUnit.SECONDS)).isTrue();
      server.server.close();
      assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
      RpcFailure failure = RpcFailure.of(server.address, errors.remove());
      assertThat(failure.kind()).isEqualTo(RpcFailure.Kind.BROKEN_OFF);
      assertThat(failure.message()).startsWith("the connection to " + server.address);
    }
  }

  private static StreamObserver<WorkerToOwnerBatch> observer(
      BlockingQueue<Throwable> errors, CountDownLatch ended) {
    return new StreamObserver<>() {
      @Override
      public void onNext(WorkerToOwnerBatch batch) {}

      @Override
      public void onError(Throwable error) {
        errors.add(error);
        ended.countDown();
      }

      @Override
      public void onCompleted() {
        ended.countDown();
      }
    };
  }

  @Test
  void call_overIpv6_isAnswered() throws Exception {
    try (HealthServer server = HealthServer.on("::1")) {
      assertThat(server.address).startsWith("[::1]:");
      assertThat(tellPlain(server.address)).isEqualTo("well");
    }
    try (HealthServer server = HealthServer.on("[::1]")) {
      assertThat(tellPlain(server.address)).isEqualTo("well");
      assertThatThrownBy(() -> RpcServer.start("::1", server.server.port(), CREDENTIALS, List.of()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("cannot listen on [::1]:" + server.server.port());
    }
  }

  @Test
  void open_withAnAddressOfAnotherForm_isRefused() {
    for (String address : List.of("", "host", "host:", ":1", "host:0", "host:70000", "::1:6380")) {
      assertThatThrownBy(() -> RpcChannel.open(address, CREDENTIALS))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("must be HOST:PORT")
          .hasMessageContaining("'" + address + "'");
    }
  }

  @Test
  void start_withValuesThatCannotBe_saysWhich() {
    assertThatThrownBy(() -> RpcServer.start("no-such-host.invalid", 0, CREDENTIALS, List.of()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("'no-such-host.invalid' resolves to nothing");
    assertThatThrownBy(
            () -> RpcServer.start("127.0.0.1", 0, new Credentials("", SESSION), List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("needs a token");
    assertThatThrownBy(() -> new Credentials("sécret", SESSION))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("printable ASCII")
        .hasMessageNotContaining("cret");
  }

  @Test
  void close_ofAServer_leavesPortAndMayBeCalledAgain() throws Exception {
    HealthServer server = HealthServer.plain();
    int port = server.server.port();
    server.close();
    assertThat(server.server.port()).isEqualTo(port);
    server.close();
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      assertThat(socket.getLocalPort()).isEqualTo(port);
    }
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.getName().startsWith("aktis-rpc") && thread.isAlive());
  }
}
