package io.aktis.cluster.driver;

import io.aktis.RuntimeEnv;
import io.aktis.cluster.code.CodeUpload;
import io.aktis.cluster.rpc.Credentials;
import io.aktis.cluster.rpc.Methods;
import io.aktis.cluster.rpc.RpcChannel;
import io.aktis.cluster.rpc.RpcFailure;
import io.aktis.core.id.NodeId;
import io.aktis.runtime.port.EnvironmentFiles;
import io.aktis.runtime.port.NodeLink;
import io.aktis.runtime.session.ClusterSession;
import io.aktis.wire.message.JobHello;
import io.aktis.wire.message.NodeHello;
import io.aktis.wire.message.NodeToOwner;
import io.aktis.wire.message.OwnerToNode;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The conversation of a driver with one node daemon. Thread-safe. */
final class NodeConnection implements NodeLink {
  private final NodeId id;
  private final RpcChannel channel;
  private final JobFiles files;
  private final EnvironmentUploads uploads;
  private final BiConsumer<NodeId, NodeToOwner> onMessage;
  private final CompletableFuture<NodeHello> hello = new CompletableFuture<>();
  private final CompletableFuture<Boolean> hasCode = new CompletableFuture<>();
  private final CountDownLatch ended = new CountDownLatch(1);

  // Guarded by this.
  private @Nullable ClientCallStreamObserver<OwnerToNode> stream;
  private final List<NodeToOwner> early = new ArrayList<>();
  private boolean begins;
  private boolean begun;
  private boolean over;

  NodeConnection(
      NodeId id, RpcChannel channel, JobFiles files, BiConsumer<NodeId, NodeToOwner> onMessage) {
    this.id = id;
    this.channel = channel;
    this.files = files;
    this.onMessage = onMessage;
    this.uploads =
        new EnvironmentUploads(
            files.environments(),
            channel,
            unit -> send(OwnerToNode.newBuilder().setHoldCode(unit).build()));
  }

  NodeId id() {
    return id;
  }

  RpcChannel channel() {
    return channel;
  }

  String address() {
    return channel.address();
  }

  /**
   * Opens the conversation; the code of the job follows at once.
   *
   * @param logToDriver whether to send what workers print
   * @param onFailure hears when it breaks off, or is refused
   */
  void open(
      long owner,
      String sessionId,
      JobFiles.Base base,
      boolean logToDriver,
      BiConsumer<NodeConnection, String> onFailure) {
    RuntimeEnv environment = base.environment();
    EnvironmentFiles found = base.files();
    JobHello.Builder job =
        JobHello.newBuilder()
            .setOwner(owner)
            .setSessionId(sessionId)
            .setProgram(System.getProperty("sun.java.command", ""))
            .setCode(files.code().unit())
            .addAllJvmOptions(environment.jvmOptions())
            .putAllEnv(environment.variables())
            .addAllJars(found.jars())
            .setLogToDriver(logToDriver)
            .setVersion(Credentials.PROTOCOL);
    if (found.workingDirectory() != null) {
      job.setWorkingDirectory(found.workingDirectory());
    }
    ClientCalls.asyncBidiStreamingCall(channel.call(Methods.OWN), new Answers(onFailure));
    send(OwnerToNode.newBuilder().setHello(job).build());
    Thread.ofVirtual().name("aktis-code-upload").start(() -> upload(onFailure));
    if (!found.isEmpty()) {
      CompletableFuture<?> _ = uploads.provide(environment); // who needs it is told what fails
    }
  }

  private void upload(BiConsumer<NodeConnection, String> onFailure) {
    try {
      CodeUpload.run(channel, files.code());
      hasCode.complete(true);
    } catch (IOException e) {
      onFailure.accept(this, "the code of this job could not be sent there: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private final class Answers implements ClientResponseObserver<OwnerToNode, NodeToOwner> {
    private final BiConsumer<NodeConnection, String> onFailure;

    Answers(BiConsumer<NodeConnection, String> onFailure) {
      this.onFailure = onFailure;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<OwnerToNode> requests) {
      synchronized (NodeConnection.this) {
        stream = requests;
      }
    }

    @Override
    public void onNext(NodeToOwner message) {
      if (message.hasHello()) {
        hello.complete(message.getHello());
        return;
      }
      synchronized (NodeConnection.this) {
        if (!begun) {
          early.add(message);
          return;
        }
      }
      onMessage.accept(id, message);
    }

    @Override
    public void onError(Throwable failure) {
      String reason = RpcFailure.describe(address(), failure);
      hello.completeExceptionally(new IllegalStateException(reason, failure));
      leave();
      onFailure.accept(NodeConnection.this, reason);
    }

    @Override
    public void onCompleted() {
      leave();
      onFailure.accept(NodeConnection.this, "it has ended the conversation");
    }
  }

  private void leave() {
    synchronized (this) {
      over = true;
    }
    ended.countDown();
  }

  /**
   * Waits for the node to introduce itself.
   *
   * @throws IllegalStateException when it refuses or does not answer
   */
  NodeHello awaitHello(long timeoutMs) throws InterruptedException {
    return FirstWord.await(hello, address(), timeoutMs);
  }

  /** Returns how the node has introduced itself; null when it is not in use. */
  @Nullable NodeHello helloInUse() {
    synchronized (this) {
      if (!begun) {
        return null;
      }
    }
    return hello.getNow(null);
  }

  /** Runs something when the node has introduced itself, and has the code of the job. */
  void whenReady(Runnable action) {
    CompletableFuture<?> _ = hello.thenAcceptBoth(hasCode, (_, _) -> action.run());
  }

  /**
   * Takes the node into use, once, when it has introduced itself; what it said before is handed on.
   */
  void begin(ClusterSession session) {
    synchronized (this) {
      if (begins) {
        return;
      }
      begins = true;
    }
    CompletableFuture<?> _ =
        hello.thenAccept(said -> {
          session.nodeUp(said, this);
          List<NodeToOwner> messages;
          synchronized (this) {
            begun = true;
            messages = List.copyOf(early);
            early.clear();
            // Under the monitor, so that what comes now waits its turn.
            messages.forEach(message -> onMessage.accept(id, message));
          }
        });
  }

  @Override
  public void send(OwnerToNode message) {
    synchronized (this) { // a stream takes one message at a time
      ClientCallStreamObserver<OwnerToNode> requests = stream;
      if (requests != null && !over) {
        requests.onNext(message);
      }
    }
  }

  @Override
  public CompletableFuture<EnvironmentFiles> provide(RuntimeEnv environment) {
    return uploads.provide(environment);
  }

  /** Says that the job is over; the node ends the conversation when nothing of it is left there. */
  void end() {
    synchronized (this) {
      ClientCallStreamObserver<OwnerToNode> requests = stream;
      if (requests == null || over) {
        ended.countDown();
      } else {
        over = true;
        requests.onCompleted();
      }
    }
  }

  boolean awaitEnd(long timeoutNanos) throws InterruptedException {
    return ended.await(timeoutNanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void close() {
    ClientCallStreamObserver<OwnerToNode> requests;
    synchronized (this) {
      over = true;
      requests = stream;
    }
    if (requests != null && ended.getCount() > 0) {
      requests.cancel("the driver is done", Status.CANCELLED.asException());
    }
    channel.close();
  }

  @Override
  public String toString() {
    return id + " at " + address();
  }
}
