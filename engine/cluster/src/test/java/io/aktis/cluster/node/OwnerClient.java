package io.aktis.cluster.node;

import io.aktis.cluster.rpc.Credentials;
import io.aktis.cluster.rpc.Methods;
import io.aktis.cluster.rpc.RpcChannel;
import io.aktis.wire.message.AskLease;
import io.aktis.wire.message.Demand;
import io.aktis.wire.message.Id;
import io.aktis.wire.message.JobHello;
import io.aktis.wire.message.LeaseGranted;
import io.aktis.wire.message.NodeToOwner;
import io.aktis.wire.message.OwnerHello;
import io.aktis.wire.message.OwnerToNode;
import io.aktis.wire.message.OwnerToWorker;
import io.aktis.wire.message.OwnerToWorkerBatch;
import io.aktis.wire.message.Resources;
import io.aktis.wire.message.WorkerHello;
import io.aktis.wire.message.WorkerKey;
import io.aktis.wire.message.WorkerToOwnerBatch;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A driver for tests: says what it is told to, and remembers what it hears. */
final class OwnerClient implements AutoCloseable {
  final long owner;
  private final Credentials credentials;
  private final RpcChannel channel;
  private final StreamObserver<OwnerToNode> out;
  private final List<NodeToOwner> heard = new CopyOnWriteArrayList<>();
  private final CompletableFuture<@Nullable Throwable> end = new CompletableFuture<>();
  private int taken;

  OwnerClient(String address, Credentials credentials, long owner) {
    this.owner = owner;
    this.credentials = credentials;
    this.channel = RpcChannel.open(address, credentials);
    this.out =
        ClientCalls.asyncBidiStreamingCall(
            channel.call(Methods.OWN),
            new StreamObserver<NodeToOwner>() {
              @Override
              public void onNext(NodeToOwner message) {
                heard.add(message);
              }

              @Override
              public void onError(Throwable failure) {
                end.complete(failure);
              }

              @Override
              public void onCompleted() {
                end.complete(null);
              }
            });
  }

  JobHello.Builder hello() {
    return JobHello.newBuilder()
        .setOwner(owner)
        .setSessionId(NodeFixture.SESSION)
        .setProgram("a test")
        .setVersion(Credentials.PROTOCOL);
  }

  OwnerClient began(JobHello.Builder hello) {
    send(OwnerToNode.newBuilder().setHello(hello));
    next(NodeToOwner::hasHello);
    return this;
  }

  void send(OwnerToNode.Builder message) {
    out.onNext(message.build());
  }

  Id id(long number) {
    return Id.newBuilder().setOwner(owner).setNumber(number).build();
  }

  AskLease.Builder ask(long number, double cpus) {
    Resources resources = Resources.newBuilder().setCpuUnits((long) (cpus * 10_000)).build();
    return AskLease.newBuilder()
        .setLease(id(number))
        .setDemand(Demand.newBuilder().setToPlace(resources));
  }

  void askFor(AskLease.Builder ask) {
    send(OwnerToNode.newBuilder().setAskLease(ask));
  }

  LeaseGranted lease(long number) {
    askFor(ask(number, 1));
    return granted(number);
  }

  LeaseGranted isolated(long number) {
    askFor(ask(number, 1).setWorker(WorkerKey.newBuilder().setIsolated(true)));
    return granted(number);
  }

  LeaseGranted granted(long number) {
    NodeToOwner message =
        next(each ->
            each.hasLeaseGranted() && each.getLeaseGranted().getLease().getNumber() == number);
    return message.getLeaseGranted();
  }

  void giveBack(long number) {
    send(OwnerToNode.newBuilder().setGiveBack(id(number)));
  }

  /** Waits for the next message after the last that was waited for, skipping others. */
  NodeToOwner next(Predicate<NodeToOwner> wanted) {
    NodeToOwner[] found = new NodeToOwner[1];
    Await.until(
        () -> "only " + heard.subList(taken, heard.size()) + ", ended: " + end,
        () -> {
          for (int i = taken; i < heard.size(); i++) {
            if (wanted.test(heard.get(i))) {
              taken = i + 1;
              found[0] = heard.get(i);
              return true;
            }
          }
          return false;
        });
    return found[0];
  }

  <T> T next(Predicate<NodeToOwner> wanted, Function<NodeToOwner, T> part) {
    return part.apply(next(wanted));
  }

  List<NodeToOwner> heard() {
    return List.copyOf(heard);
  }

  /** Waits for the end of the stream; null when it is a good one. */
  @Nullable Throwable end() throws Exception {
    return end.get(Await.LIMIT_MS, TimeUnit.MILLISECONDS);
  }

  void complete() {
    out.onCompleted();
  }

  /** Tells a worker what to do, and waits for its answer. */
  WorkerHello tell(LeaseGranted lease, String command) throws Exception {
    CompletableFuture<WorkerHello> answer = new CompletableFuture<>();
    try (RpcChannel worker = RpcChannel.open(lease.getWorkerAddress(), credentials)) {
      tell(worker, command, answer);
      return answer.get(Await.LIMIT_MS, TimeUnit.MILLISECONDS);
    }
  }

  /** Tells a worker to do what it will not survive. */
  void tellLast(LeaseGranted lease, String command) throws Exception {
    CompletableFuture<WorkerHello> answer = new CompletableFuture<>();
    try (RpcChannel worker = RpcChannel.open(lease.getWorkerAddress(), credentials)) {
      tell(worker, command, answer);
      answer.handle((hello, failure) -> hello).get(Await.LIMIT_MS, TimeUnit.MILLISECONDS);
    }
  }

  private static void tell(
      RpcChannel worker, String command, CompletableFuture<WorkerHello> answer) {
    StreamObserver<OwnerToWorkerBatch> stream =
        ClientCalls.asyncBidiStreamingCall(
            worker.call(Methods.WORK),
            new StreamObserver<WorkerToOwnerBatch>() {
              @Override
              public void onNext(WorkerToOwnerBatch batch) {
                answer.complete(batch.getMessages(0).getHello());
              }

              @Override
              public void onError(Throwable failure) {
                answer.completeExceptionally(failure);
              }

              @Override
              public void onCompleted() {}
            });
    OwnerHello hello = OwnerHello.newBuilder().setNamespace(command).build();
    stream.onNext(
        OwnerToWorkerBatch.newBuilder()
            .addMessages(OwnerToWorker.newBuilder().setHello(hello))
            .build());
  }

  List<String> logged(String workerId, boolean error) {
    List<String> lines = new ArrayList<>();
    for (NodeToOwner message : heard) {
      if (message.hasLog()
          && message.getLog().getError() == error
          && message.getLog().getWorkerId().equals(workerId)) {
        lines.addAll(message.getLog().getLinesList());
      }
    }
    return lines;
  }

  /** Cuts the connection. */
  @Override
  public void close() {
    channel.close();
  }
}
