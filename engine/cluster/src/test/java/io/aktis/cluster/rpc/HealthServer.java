package io.aktis.cluster.rpc;

import io.aktis.cluster.tls.ClusterTls;
import io.aktis.wire.message.HealthReply;
import io.aktis.wire.message.HealthRequest;
import io.aktis.wire.message.OwnerToWorkerBatch;
import io.aktis.wire.message.WorkerToOwnerBatch;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A real server that says that it is well, and what a caller hears. Confined to one test. */
final class HealthServer implements AutoCloseable {
  static final String TOKEN = "a-token";
  static final String SESSION = "a-session";
  static final Credentials CREDENTIALS = new Credentials(TOKEN, SESSION);
  private static final int CALL_TIMEOUT_MS = 20_000;

  final RpcServer server;
  final String address;

  /** Counts the streams of workers that were opened, and those that ended with a failure. */
  final CountDownLatch streamOpened = new CountDownLatch(1);

  final CountDownLatch streamCancelled = new CountDownLatch(1);

  private HealthServer(String host, Optional<ClusterTls> tls) throws IOException {
    ServerServiceDefinition control =
        ServerServiceDefinition.builder(Methods.CONTROL)
            .addMethod(Methods.HEALTH, ServerCalls.asyncUnaryCall(HealthServer::health))
            .build();
    ServerServiceDefinition worker =
        ServerServiceDefinition.builder(Methods.WORKER)
            .addMethod(Methods.WORK, ServerCalls.asyncBidiStreamingCall(this::work))
            .build();
    this.server = RpcServer.start(host, 0, with(CREDENTIALS, tls), List.of(control, worker));
    this.address = HostPort.join(host, server.port());
  }

  static HealthServer plain() throws IOException {
    return new HealthServer("127.0.0.1", Optional.empty());
  }

  static HealthServer on(String host) throws IOException {
    return new HealthServer(host, Optional.empty());
  }

  static HealthServer encrypted(ClusterTls tls) throws IOException {
    return new HealthServer("127.0.0.1", Optional.of(tls));
  }

  static Credentials with(Credentials credentials, Optional<ClusterTls> tls) {
    return tls.map(credentials::withTls).orElse(credentials);
  }

  private static void health(HealthRequest request, StreamObserver<HealthReply> reply) {
    reply.onNext(HealthReply.getDefaultInstance());
    reply.onCompleted();
  }

  /** Sends back what comes in. */
  private StreamObserver<OwnerToWorkerBatch> work(StreamObserver<WorkerToOwnerBatch> back) {
    ((ServerCallStreamObserver<WorkerToOwnerBatch>) back)
        .setOnCancelHandler(streamCancelled::countDown);
    streamOpened.countDown();
    return new StreamObserver<>() {
      @Override
      public void onNext(OwnerToWorkerBatch batch) {
        back.onNext(WorkerToOwnerBatch.getDefaultInstance());
      }

      @Override
      public void onError(Throwable error) {
        streamCancelled.countDown();
      }

      @Override
      public void onCompleted() {
        back.onCompleted();
      }
    };
  }

  /** Calls over a channel, and throws what a caller hears. */
  static HealthReply call(RpcChannel channel) {
    return ClientCalls.blockingUnaryCall(
        channel.call(Methods.HEALTH, CALL_TIMEOUT_MS), HealthRequest.getDefaultInstance());
  }

  /** Calls once, and returns what a user is told; "well" when the answer came. */
  static String tell(String address, Credentials credentials, Optional<ClusterTls> tls) {
    try (RpcChannel channel = RpcChannel.open(address, with(credentials, tls))) {
      return tell(channel);
    }
  }

  static String tell(RpcChannel channel) {
    try {
      call(channel);
      return "well";
    } catch (RuntimeException e) {
      RpcFailure failure = RpcFailure.of(channel.address(), e);
      return failure.kind() + " " + failure.message();
    }
  }

  /** Returns the last refusal, once there is one that contains a text. */
  String refusal(String part) {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (!server.lastRefusal().contains(part) && System.nanoTime() - deadlineNs < 0) {
      Thread.onSpinWait();
    }
    return server.lastRefusal();
  }

  @Override
  public void close() {
    server.close();
  }
}
