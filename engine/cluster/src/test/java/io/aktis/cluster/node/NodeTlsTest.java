package io.aktis.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.cluster.membership.SingleNode;
import io.aktis.cluster.rpc.Methods;
import io.aktis.cluster.rpc.RpcChannel;
import io.aktis.cluster.rpc.RpcFailure;
import io.aktis.cluster.tls.ClusterCa;
import io.aktis.cluster.tls.ClusterTls;
import io.aktis.wire.message.OwnerToWorkerBatch;
import io.aktis.wire.message.StatusRequest;
import io.aktis.wire.message.WorkerHello;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A daemon of a cluster with TLS, and a worker that it has started. */
class NodeTlsTest {
  @TempDir Path dir;
  private NodeFixture node;

  @BeforeEach
  void start() throws Exception {
    ClusterTls tls = ClusterTls.load(ClusterCa.init(dir.resolve("tls"), List.of()));
    NodeConfig config = NodeFixture.withTls(NodeFixture.config(dir, 1, List.of(), 0), tls);
    node = new NodeFixture(dir, config, SingleNode::new);
  }

  @AfterEach
  void end() {
    node.close();
  }

  @Test
  void worker_ofADaemonWithTls_isReachedWithTlsAlone() throws Exception {
    OwnerClient owner = node.owner(7);
    var lease = owner.lease(1);
    WorkerHello answer = owner.tell(lease, "PATH");
    assertThat(answer.getWorkerId()).isEqualTo(System.getenv("PATH"));

    String worker = lease.getWorkerAddress();
    assertThat(refusal(worker, Methods.WORK, OwnerToWorkerBatch.getDefaultInstance()))
        .startsWith(worker + " cannot be used: it uses TLS, and this side does not");
  }

  @Test
  void daemon_withTls_refusesWhoHasTheTokenAlone() throws Exception {
    String address = node.daemon.address();
    assertThat(node.status().getNodesList()).hasSize(1);

    assertThat(refusal(address, Methods.STATUS, StatusRequest.getDefaultInstance()))
        .startsWith(address + " cannot be used: it uses TLS, and this side does not");
  }

  /** Calls without TLS, and returns what the caller is told. */
  private static <Q, A> String refusal(String address, MethodDescriptor<Q, A> method, Q question)
      throws Exception {
    CompletableFuture<String> told = new CompletableFuture<>();
    try (RpcChannel plain = RpcChannel.open(address, NodeFixture.CREDENTIALS)) {
      StreamObserver<Q> questions =
          ClientCalls.asyncBidiStreamingCall(
              plain.call(method, Await.LIMIT_MS),
              new StreamObserver<A>() {
                @Override
                public void onNext(A answer) {
                  told.complete("an answer: " + answer);
                }

                @Override
                public void onError(Throwable failure) {
                  told.complete(RpcFailure.describe(address, failure));
                }

                @Override
                public void onCompleted() {
                  told.complete("a good end");
                }
              });
      questions.onNext(question);
      return told.get(Await.LIMIT_MS, TimeUnit.MILLISECONDS);
    }
  }
}
