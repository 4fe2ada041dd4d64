package io.aktis.cluster.worker;

import io.aktis.cluster.code.UnitClassLoader;
import io.aktis.cluster.node.StartJournal;
import io.aktis.cluster.node.WorkerSettings;
import io.aktis.cluster.rpc.Credentials;
import io.aktis.cluster.rpc.HostPort;
import io.aktis.cluster.rpc.Methods;
import io.aktis.cluster.rpc.Outbox;
import io.aktis.cluster.rpc.RpcChannel;
import io.aktis.cluster.rpc.RpcServer;
import io.aktis.cluster.store.StoreClient;
import io.aktis.cluster.tls.ClusterTls;
import io.aktis.core.id.NodeId;
import io.aktis.runtime.port.Location;
import io.aktis.runtime.session.WorkerSession;
import io.aktis.wire.message.NodeToWorker;
import io.aktis.wire.message.OwnerHello;
import io.aktis.wire.message.OwnerToWorkerBatch;
import io.aktis.wire.message.WorkerHello;
import io.aktis.wire.message.WorkerReady;
import io.aktis.wire.message.WorkerToNode;
import io.aktis.wire.message.WorkerToOwner;
import io.aktis.wire.message.WorkerToOwnerBatch;
import io.aktis.wire.message.WorkerWelcome;
import io.aktis.wire.value.ValueCodec;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.URLConnection;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A worker process: tells its node that it is ready, and runs what its owner sends. When the node
 * or the owner is gone the process ends at once, with every process that code here has started.
 */
final class WorkerProcess {
  private static final int NODE_GONE = 10;
  private static final int CANNOT_SERVE = 11;

  private final WorkerSettings settings;
  private final Credentials credentials;
  private final UnitClassLoader loader;
  private final CompletableFuture<WorkerWelcome> welcome = new CompletableFuture<>();
  private final StartJournal journal;
  private final AtomicReference<@Nullable WorkerSession> session = new AtomicReference<>();
  private @Nullable StoreClient store;

  WorkerProcess(WorkerSettings settings) throws IOException {
    this.settings = settings;
    this.credentials =
        new Credentials(
            settings.token(), settings.sessionId(), ClusterTls.loadIfAny(settings.tls()));
    this.journal = StartJournal.create(settings.journal());
    this.loader = new UnitClassLoader("job", settings.code(), WorkerProcess.class.getClassLoader());
  }

  /** Serves; returns only when the thread is interrupted. */
  void serve() throws IOException, InterruptedException {
    Thread.ofPlatform().daemon().name("aktis-worker-watch").start(WorkerProcess::endWithTheNode);
    URLConnection.setDefaultUseCaches("jar", false); // no files stay open behind resources
    Thread.currentThread().setContextClassLoader(loader);
    ServerServiceDefinition work =
        ServerServiceDefinition.builder(Methods.WORKER)
            .addMethod(Methods.WORK, ServerCalls.asyncBidiStreamingCall(this::work))
            .build();
    RpcServer server = RpcServer.start(settings.bindHost(), 0, credentials, List.of(work));
    try (ValueCodec warm = ValueCodec.of(loader)) {
      warm.warmUp();
    }
    RpcChannel node = RpcChannel.open(settings.nodeAddress(), credentials);
    StreamObserver<WorkerToNode> toNode =
        ClientCalls.asyncBidiStreamingCall(node.call(Methods.SERVE), new FromNode());
    toNode.onNext(
        WorkerToNode.newBuilder()
            .setReady(
                WorkerReady.newBuilder()
                    .setWorkerId(settings.workerId())
                    .setAddress(new HostPort(settings.advertisedHost(), server.port()).toString())
                    .setPid(ProcessHandle.current().pid()))
            .build());
    openStore(node);
    new CountDownLatch(1).await(); // until the process ends
  }

  private void openStore(RpcChannel node) throws IOException, InterruptedException {
    try {
      WorkerWelcome told = welcome.get();
      store =
          StoreClient.open(
              node,
              nodeId(told),
              Path.of(told.getStoreFile()),
              told.getStoreCapacityBytes(),
              settings.workerId() + " (pid " + ProcessHandle.current().pid() + ")");
      storeReady.countDown();
    } catch (ExecutionException e) {
      throw new IOException("the node does not take this worker", e);
    }
  }

  private final CountDownLatch storeReady = new CountDownLatch(1);

  private static NodeId nodeId(WorkerWelcome told) {
    return new NodeId(told.getNode().getOwner(), told.getNode().getNumber());
  }

  // ---- the node -------------------------------------------------------------------------------

  private final class FromNode implements StreamObserver<NodeToWorker> {
    @Override
    public void onNext(NodeToWorker message) {
      welcome.complete(message.getWelcome());
    }

    @Override
    public void onError(Throwable failure) {
      end(NODE_GONE);
    }

    @Override
    public void onCompleted() {
      end(NODE_GONE);
    }
  }

  /** The pipe from the node breaks when the node dies, in whatever way. */
  private static void endWithTheNode() {
    try {
      while (System.in.read() >= 0) {
        // Nothing is ever sent.
      }
    } catch (IOException broken) {
      end(NODE_GONE);
    }
    end(NODE_GONE);
  }

  /** Ends the process and what it has started; nothing of it may go on. */
  private static void end(int exitCode) {
    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    Runtime.getRuntime().halt(exitCode);
  }

  // ---- the owner ------------------------------------------------------------------------------

  private StreamObserver<OwnerToWorkerBatch> work(StreamObserver<WorkerToOwnerBatch> answers) {
    return new FromOwner(answers);
  }

  /** What the owner sends; one call at a time. */
  private final class FromOwner implements StreamObserver<OwnerToWorkerBatch> {
    private final StreamObserver<WorkerToOwnerBatch> answers;
    private final Outbox<WorkerToOwner, WorkerToOwnerBatch> outbox;
    private @Nullable WorkerSession mine;

    FromOwner(StreamObserver<WorkerToOwnerBatch> answers) {
      this.answers = answers;
      this.outbox =
          new Outbox<>(
              answers,
              messages -> WorkerToOwnerBatch.newBuilder().addAllMessages(messages).build());
    }

    @Override
    public void onNext(OwnerToWorkerBatch batch) {
      WorkerSession serving = mine;
      if (serving != null) {
        serving.received(batch.getMessagesList());
      } else if (batch.getMessagesCount() > 0 && batch.getMessages(0).hasHello()) {
        begin(batch.getMessages(0).getHello());
        WorkerSession begun = mine;
        if (begun != null && batch.getMessagesCount() > 1) {
          begun.received(batch.getMessagesList().subList(1, batch.getMessagesCount()));
        }
      } else {
        refuse("the first message of an owner is its hello");
      }
    }

    private void begin(OwnerHello hello) {
      if (hello.getOwner() != settings.owner()) {
        refuse("this worker serves another owner");
        return;
      }
      StoreClient client = awaitStore(); // from here on the welcome is there
      WorkerWelcome told = welcome.getNow(WorkerWelcome.getDefaultInstance());
      WorkerSession begun =
          WorkerSession.start(
              hello,
              new WorkerSession.Home(
                  settings.workerId(),
                  new Location(nodeId(told), settings.advertisedNodeAddress()),
                  client,
                  told.getLabelsMap(),
                  loader,
                  journal),
              outbox::send);
      if (!session.compareAndSet(null, begun)) {
        begun.close();
        refuse("this worker is serving its owner already");
        return;
      }
      mine = begun;
      outbox.send(
          WorkerToOwner.newBuilder()
              .setHello(
                  WorkerHello.newBuilder()
                      .setWorkerId(settings.workerId())
                      .setPid(ProcessHandle.current().pid())
                      .setNode(told.getNode()))
              .build());
    }

    /**
     * The store is opened while the node tells the owner of this worker: it is about to be there.
     */
    private StoreClient awaitStore() {
      try {
        storeReady.await();
      } catch (InterruptedException e) {
        end(CANNOT_SERVE);
      }
      StoreClient client = store;
      if (client == null) {
        throw new IllegalStateException("the store is not open");
      }
      return client;
    }

    private void refuse(String why) {
      outbox.close();
      answers.onError(Status.FAILED_PRECONDITION.withDescription(why).asRuntimeException());
    }

    @Override
    public void onError(Throwable failure) {
      ownerGone();
    }

    @Override
    public void onCompleted() {
      ownerGone();
    }

    /** Only the one that is served counts. The node ends this process when the job is over. */
    private void ownerGone() {
      outbox.close();
      if (mine != null) {
        end(0);
      }
    }
  }
}
