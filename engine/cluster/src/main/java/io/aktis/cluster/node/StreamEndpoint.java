package io.aktis.cluster.node;

import io.aktis.core.pool.PoolEvent;
import io.aktis.runtime.form.WireIds;
import io.aktis.wire.message.NodeToOwner;
import io.aktis.wire.message.NodeToWorker;
import io.aktis.wire.message.OwnerToNode;
import io.aktis.wire.message.WorkerReady;
import io.aktis.wire.message.WorkerToNode;
import io.aktis.wire.message.WorkerWelcome;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import org.jspecify.annotations.Nullable;

/**
 * Brings in the streams of owners and workers: what a network thread hears goes to the loop.
 * Thread-safe.
 */
final class StreamEndpoint {
  private final NodeConfig config;
  private final NodeParts parts;
  private final NodeLoop loop;
  private final LeaseDesk desk;
  private final Workers workers;

  StreamEndpoint(
      NodeConfig config, NodeParts parts, NodeLoop loop, LeaseDesk desk, Workers workers) {
    this.config = config;
    this.parts = parts;
    this.loop = loop;
    this.desk = desk;
    this.workers = workers;
  }

  /** An owner connects. */
  StreamObserver<OwnerToNode> own(StreamObserver<NodeToOwner> answers) {
    var out = (ServerCallStreamObserver<NodeToOwner>) answers;
    OwnerSession session = new OwnerSession(out, loop);
    Runnable ended = () -> loop.post(() -> desk.ended(session));
    out.setOnCancelHandler(ended);
    out.setOnReadyHandler(() -> loop.post(session::sendLog));
    return new StreamObserver<>() {
      @Override
      public void onNext(OwnerToNode message) {
        loop.post(() -> desk.received(session, message));
      }

      @Override
      public void onError(Throwable failure) {
        ended.run();
      }

      @Override
      public void onCompleted() {
        ended.run();
      }
    };
  }

  /** A worker connects. */
  StreamObserver<WorkerToNode> serve(StreamObserver<NodeToWorker> answers) {
    var out = (ServerCallStreamObserver<NodeToWorker>) answers;
    ServeSession session = new ServeSession(out);
    Runnable ended = () -> loop.post(session::ended);
    out.setOnCancelHandler(ended);
    return new StreamObserver<>() {
      @Override
      public void onNext(WorkerToNode message) {
        loop.post(() -> session.received(message));
      }

      @Override
      public void onError(Throwable failure) {
        ended.run();
      }

      @Override
      public void onCompleted() {
        ended.run();
      }
    };
  }

  /** The stream of one worker. Belongs to the loop. */
  private final class ServeSession {
    private final StreamObserver<NodeToWorker> out;
    private @Nullable Long worker;
    private boolean over;

    ServeSession(StreamObserver<NodeToWorker> out) {
      this.out = out;
    }

    void received(WorkerToNode message) {
      if (over) {
        return;
      }
      if (!message.hasReady() || worker != null) {
        fail(Status.INVALID_ARGUMENT, "a worker says once that it is ready, and nothing else");
        return;
      }
      WorkerReady ready = message.getReady();
      Long number = workers.numberOf(ready.getWorkerId());
      if (number == null) {
        fail(Status.NOT_FOUND, "there is no worker '" + ready.getWorkerId() + "' here");
        return;
      }
      worker = number;
      workers.deleteSettings(number);
      out.onNext(
          NodeToWorker.newBuilder()
              .setWelcome(
                  WorkerWelcome.newBuilder()
                      .setNode(WireIds.of(config.node()))
                      .putAllLabels(config.labels())
                      .setStoreFile(parts.store().file())
                      .setStoreCapacityBytes(parts.store().capacityBytes()))
              .build());
      desk.on(new PoolEvent.WorkerReady(number, ready.getAddress()));
    }

    private void fail(Status status, String why) {
      out.onError(status.withDescription(config.node() + ": " + why).asRuntimeException());
      leave();
    }

    void ended() {
      if (!over) {
        leave();
        out.onCompleted();
      }
    }

    private void leave() {
      over = true;
      Long number = worker;
      if (number != null) {
        desk.on(new PoolEvent.WorkerLeft(number));
      }
    }
  }
}
