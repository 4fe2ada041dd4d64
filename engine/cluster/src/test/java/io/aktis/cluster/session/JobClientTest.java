package io.aktis.cluster.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.aktis.cluster.rpc.Credentials;
import io.aktis.cluster.rpc.Methods;
import io.aktis.cluster.rpc.RpcServer;
import io.aktis.wire.message.JobLogPart;
import io.aktis.wire.message.ReadJobLog;
import io.aktis.wire.message.StatusReply;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What one is told when the head is not as it should be; a stand-in is the head. */
class JobClientTest {
  private static final String TOKEN = "secret";

  private final AtomicInteger reads = new AtomicInteger();
  private volatile String headAddress = "";
  private volatile int failures;
  private RpcServer server;

  @BeforeEach
  void start() throws IOException {
    server = start(List.of(control(), jobs()));
    headAddress = "127.0.0.1:" + server.port();
  }

  @AfterEach
  void end() {
    server.close();
  }

  private static RpcServer start(List<ServerServiceDefinition> services) throws IOException {
    return RpcServer.start("127.0.0.1", 0, new Credentials(TOKEN, "session-1"), services);
  }

  private ServerServiceDefinition control() {
    return ServerServiceDefinition.builder(Methods.CONTROL)
        .addMethod(
            Methods.STATUS,
            ServerCalls.asyncUnaryCall((_, answers) -> {
              answers.onNext(
                  StatusReply.newBuilder()
                      .setSessionId("session-1")
                      .setHeadAddress(headAddress)
                      .setEpoch(headAddress.isEmpty() ? 0 : 1)
                      .build());
              answers.onCompleted();
            }))
        .build();
  }

  private ServerServiceDefinition jobs() {
    return ServerServiceDefinition.builder(Methods.JOBS)
        .addMethod(Methods.READ_JOB_LOG, ServerCalls.asyncUnaryCall(this::read))
        .build();
  }

  private void read(ReadJobLog request, StreamObserver<JobLogPart> answers) {
    if (reads.incrementAndGet() <= failures) {
      answers.onError(Status.UNAVAILABLE.withDescription("a bad moment").asRuntimeException());
      return;
    }
    answers.onNext(
        JobLogPart.newBuilder()
            .setOffset(request.getOffset())
            .setData(ByteString.copyFromUtf8("x"))
            .build());
    answers.onCompleted();
  }

  private static JobClient open(RpcServer at) throws InterruptedException {
    return JobClient.open(
        new ClusterAccess(HostPort.parse("127.0.0.1:" + at.port()), TOKEN, Optional.empty()));
  }

  @Test
  void reader_whoseConnectionBreaks_goesOnWhereItWas() throws InterruptedException {
    failures = 2;
    try (JobClient client = open(server)) {
      assertThat(client.readLog("job-1", 42, true).getOffset()).isEqualTo(42);
      assertThat(reads).hasValue(3);
    }
  }

  @Test
  void reader_whoDoesNotFollow_isToldAtOnce() throws InterruptedException {
    failures = 1;
    try (JobClient client = open(server)) {
      assertThatThrownBy(() -> client.readLog("job-1", 0, false))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("a bad moment");
      assertThat(reads).hasValue(1);
    }
  }

  @Test
  void reader_whoseHeadIsGone_isToldAfterAWhile() throws InterruptedException {
    try (JobClient client = open(server)) {
      client.readLog("job-1", 0, true);
      server.close();

      assertThatThrownBy(() -> client.readLog("job-1", 1, true))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("the head is gone, and job-1 ends with it: 127.0.0.1:");
    }
  }

  @Test
  void cluster_withoutAHead_isNamed() {
    headAddress = "";

    assertThatThrownBy(() -> open(server))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "the cluster of 127.0.0.1:"
                + server.port()
                + " has no head now, and jobs are with the head");
  }

  @Test
  void head_ofAnotherVersion_isNamed() throws IOException, InterruptedException {
    List<Throwable> told = new ArrayList<>();
    try (RpcServer old = start(List.of(control()))) {
      headAddress = "127.0.0.1:" + old.port();
      try (JobClient client = open(old)) {
        client.list();
      } catch (IllegalStateException e) {
        told.add(e);
      }
    }

    assertThat(told)
        .singleElement()
        .satisfies(e ->
            assertThat(e)
                .hasMessageContaining(
                    headAddress + " is no node of Aktis, or one of another version"));
  }
}
