package io.aktis.cluster.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.wire.message.OwnerToWorkerBatch;
import io.aktis.wire.message.WorkerToOwnerBatch;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Machines that vanish: no end of the connection comes, and nothing else either. */
final class RpcKeepAliveTest {
  /** Hands on what comes until it is cut; then it keeps the connections and is silent. */
  private static final class Cable implements AutoCloseable {
    private final ServerSocket near = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final int far;
    private volatile boolean cut;

    Cable(int far) throws IOException {
      this.far = far;
      Thread.ofVirtual().start(this::run);
    }

    private void run() {
      try (Socket left = near.accept();
          Socket right = new Socket(InetAddress.getLoopbackAddress(), far)) {
        Thread back = Thread.ofVirtual().start(() -> copy(right, left));
        copy(left, right);
        back.join();
      } catch (IOException | InterruptedException e) {
        cut = true;
      }
    }

    /** Reads on after the cut, so that nothing but the silence can be noticed. */
    private void copy(Socket from, Socket to) {
      byte[] buffer = new byte[8_192];
      try {
        InputStream in = from.getInputStream();
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          if (!cut) {
            to.getOutputStream().write(buffer, 0, n);
          }
        }
      } catch (IOException e) {
        cut = true;
      }
    }

    @Override
    public void close() throws IOException {
      near.close();
    }
  }

  @Test
  void stream_whoseOtherEndVanishes_endsOnBothSidesWithin25Seconds() throws Exception {
    CountDownLatch answered = new CountDownLatch(1);
    CountDownLatch failed = new CountDownLatch(1);
    try (HealthServer server = HealthServer.plain();
        Cable cable = new Cable(server.server.port());
        RpcChannel channel =
            RpcChannel.open("127.0.0.1:" + cable.near.getLocalPort(), HealthServer.CREDENTIALS)) {
      StreamObserver<OwnerToWorkerBatch> stream =
          ClientCalls.asyncBidiStreamingCall(
              channel.call(Methods.WORK),
              new StreamObserver<WorkerToOwnerBatch>() {
                @Override
                public void onNext(WorkerToOwnerBatch batch) {
                  answered.countDown();
                }

                @Override
                public void onError(Throwable error) {
                  failed.countDown();
                }

                @Override
                public void onCompleted() {}
              });
      stream.onNext(OwnerToWorkerBatch.getDefaultInstance());
      assertThat(answered.await(10, TimeUnit.SECONDS)).isTrue();

      cable.cut = true;
      assertThat(server.streamCancelled.await(25, TimeUnit.SECONDS)).as("server").isTrue();
      assertThat(failed.await(25, TimeUnit.SECONDS)).as("client").isTrue();
    }
  }
}
