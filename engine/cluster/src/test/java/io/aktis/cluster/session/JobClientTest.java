package io.aktis.cluster.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.aktis.cluster.rpc.Credentials;
import io.aktis.cluster.rpc.HostPort;
import io.aktis.cluster.rpc.Methods;
import io.aktis.cluster.rpc.RpcServer;
import io.aktis.wire.message.JobLogPart;
import io.aktis.wire.message.NodeStatus;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What one is told when the head is not as it should be; a stand-in is the head. */
class JobClientTest {
  private static final String TOKEN = "secret";

  private final AtomicInteger reads = new AtomicInteger();
  private final AtomicInteger questions = new AtomicInteger();
  private volatile String headAddress = "";
  private volatile String other = "127.0.0.1:1";
  private volatile long epoch = 1;
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
              questions.incrementAndGet();
              answers.onNext(
                  StatusReply.newBuilder()
                      .setSessionId("session-1")
                      .setHeadAddress(headAddress)
                      .setEpoch(epoch)
                      .addNodes(NodeStatus.newBuilder().setAddress(headAddress).setAlive(true))
                      .addNodes(NodeStatus.newBuilder().setAddress(other).setAlive(true))
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
        new ClusterAccess(HostPort.parse("it", "127.0.0.1:" + at.port()), TOKEN, Optional.empty()));
  }

  private static void await(BooleanSupplier holds) {
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() - deadlineNanos > 0) {
        throw new AssertionError("it does not come");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
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
  void reader_whoseHeadMoves_goesOnThere() throws Exception {
    try (RpcServer next = start(List.of(control(), jobs()));
        JobClient client = open(server)) {
      other = "127.0.0.1:" + next.port();
      client.readLog("job-1", 0, true);
      // The client has learnt of the other node when that is asked for.
      await(() -> questions.get() >= 2);
      epoch = 0;
      server.close();
      headAddress = other;
      var reading =
          CompletableFuture.supplyAsync(() -> {
            try {
              return client.readLog("job-1", 7, true);
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          });
      int before = questions.get();
      await(() -> questions.get() >= before + 2);
      assertThat(reading).as("it is to be the head and does not serve yet").isNotDone();
      epoch = 2;

      assertThat(reading.get(30, TimeUnit.SECONDS).getOffset()).isEqualTo(7);
      assertThat(client.headAddress()).isEqualTo(other);
    }
  }

  @Test
  void cluster_withoutAHead_isNamed() {
    headAddress = "";
    epoch = 0;

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
