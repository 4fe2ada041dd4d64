package io.aktis.cluster.driver;

import io.aktis.cluster.rpc.Methods;
import io.aktis.cluster.rpc.Outbox;
import io.aktis.cluster.rpc.RpcChannel;
import io.aktis.cluster.rpc.RpcFailure;
import io.aktis.runtime.port.WorkerLink;
import io.aktis.runtime.port.WorkerListener;
import io.aktis.wire.message.OwnerToWorker;
import io.aktis.wire.message.OwnerToWorkerBatch;
import io.aktis.wire.message.WorkerToOwnerBatch;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;

/** The conversation of a driver with one worker process. Thread-safe. */
final class WorkerConnection implements WorkerLink {
  private final RpcChannel channel;
  private final Outbox<OwnerToWorker, OwnerToWorkerBatch> outbox;

  private WorkerConnection(RpcChannel channel, Outbox<OwnerToWorker, OwnerToWorkerBatch> outbox) {
    this.channel = channel;
    this.outbox = outbox;
  }

  static WorkerConnection open(RpcChannel channel, WorkerListener listener) {
    StreamObserver<OwnerToWorkerBatch> stream =
        ClientCalls.asyncBidiStreamingCall(
            channel.call(Methods.WORK),
            new StreamObserver<>() {
              @Override
              public void onNext(WorkerToOwnerBatch batch) {
                listener.received(batch.getMessagesList());
              }

              @Override
              public void onError(Throwable failure) {
                channel.close();
                listener.ended(RpcFailure.describe(channel.address(), failure));
              }

              @Override
              public void onCompleted() {
                channel.close();
                listener.ended("it has ended the conversation");
              }
            });
    return new WorkerConnection(
        channel,
        new Outbox<>(
            stream, messages -> OwnerToWorkerBatch.newBuilder().addAllMessages(messages).build()));
  }

  @Override
  public void send(OwnerToWorker message) {
    outbox.send(message);
  }

  @Override
  public void close() {
    outbox.close();
    channel.close();
  }
}
