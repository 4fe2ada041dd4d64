package io.aktis.cluster.driver;

import io.aktis.cluster.rpc.Credentials;
import io.aktis.cluster.rpc.Methods;
import io.aktis.cluster.rpc.RpcChannel;
import io.aktis.cluster.rpc.RpcFailure;
import io.aktis.cluster.session.ClusterAccess;
import io.aktis.core.id.NodeId;
import io.aktis.runtime.form.WireIds;
import io.aktis.wire.message.ClusterChange;
import io.aktis.wire.message.NodeEntry;
import io.aktis.wire.message.WatchRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows the nodes of a cluster, told by one of them. When that one is gone, another is asked.
 * Thread-safe.
 */
final class NodeWatch implements AutoCloseable {
  private static final long RETRY_MS = 500;

  /** So long a node is left alone to which something has failed. */
  private static final long REJOIN_MS = 3_000;

  private final ClusterAccess access;
  private final BiConsumer<NodeId, String> onUp;
  private final Consumer<NodeId> onGone;
  private final CompletableFuture<Boolean> first = new CompletableFuture<>();
  private final ScheduledExecutorService retries =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("aktis-watch").factory());

  // Guarded by this.
  private final Map<NodeId, String> known = new LinkedHashMap<>();
  private @Nullable RpcChannel channel;
  private int attempts;
  private boolean closed;

  private volatile String sessionId = "";

  NodeWatch(ClusterAccess access, BiConsumer<NodeId, String> onUp, Consumer<NodeId> onGone) {
    this.access = access;
    this.onUp = onUp;
    this.onGone = onGone;
  }

  void start() {
    ask(access.address().toString());
  }

  /** Returns the cluster; empty before the first answer. */
  String sessionId() {
    return sessionId;
  }

  /**
   * Waits until all nodes were told that are there at the start.
   *
   * @throws IllegalStateException when the cluster cannot be reached, or refuses
   */
  void awaitFirst(long timeoutMs) throws InterruptedException {
    FirstWord.await(first, access, timeoutMs);
  }

  private synchronized void ask(String address) {
    if (closed) {
      return;
    }
    RpcChannel asked = RpcChannel.open(address, access.credentials(sessionId));
    channel = asked;
    ClientCalls.asyncServerStreamingCall(
        asked.call(Methods.WATCH),
        WatchRequest.newBuilder().setVersion(Credentials.PROTOCOL).build(),
        new Answers(asked));
  }

  private final class Answers implements StreamObserver<ClusterChange> {
    private final RpcChannel asked;
    private final Set<NodeId> told = new HashSet<>();
    private boolean complete;

    Answers(RpcChannel asked) {
      this.asked = asked;
    }

    @Override
    public void onNext(ClusterChange change) {
      sessionId = change.getSessionId();
      for (NodeEntry entry : change.getUpList()) {
        NodeId id = new NodeId(entry.getNode().getOwner(), entry.getNode().getNumber());
        told.add(id);
        up(id, entry.getAddress());
      }
      change.getGoneList().forEach(id -> gone(WireIds.node(id)));
      if (change.getComplete() && !complete) {
        complete = true;
        forgetAllBut(told);
        first.complete(true);
      }
    }

    @Override
    public void onError(Throwable failure) {
      ended(failure);
    }

    @Override
    public void onCompleted() {
      ended(Status.UNAVAILABLE.withDescription("it has ended").asRuntimeException());
    }

    private void ended(Throwable failure) {
      asked.close();
      if (!first.isDone()) {
        first.completeExceptionally(
            new IllegalStateException(RpcFailure.describe(asked.address(), failure), failure));
      } else {
        again();
      }
    }
  }

  private void up(NodeId id, String address) {
    synchronized (this) {
      if (closed || known.putIfAbsent(id, address) != null) {
        return;
      }
    }
    onUp.accept(id, address);
  }

  private void gone(NodeId id) {
    synchronized (this) {
      if (closed || known.remove(id) == null) {
        return;
      }
    }
    onGone.accept(id);
  }

  /** Whoever answers anew tells of all that are there: others are gone. */
  private void forgetAllBut(Set<NodeId> told) {
    List<NodeId> missing;
    synchronized (this) {
      missing = known.keySet().stream().filter(id -> !told.contains(id)).toList();
    }
    missing.forEach(this::gone);
  }

  /**
   * The conversation with a node has failed: tells of the node anew in a while, if it is there
   * still. What was cut may be mended by then, and what was full may have room.
   */
  synchronized void upAgain(NodeId id) {
    if (!closed) {
      Future<?> _ = retries.schedule(() -> tellAgain(id), REJOIN_MS, TimeUnit.MILLISECONDS);
    }
  }

  private void tellAgain(NodeId id) {
    String address;
    synchronized (this) {
      address = closed ? null : known.get(id);
    }
    if (address != null) {
      onUp.accept(id, address);
    }
  }

  /** Asks the next node that is known, in a while. */
  private synchronized void again() {
    if (closed) {
      return;
    }
    List<String> addresses = new ArrayList<>(known.values());
    addresses.add(access.address().toString());
    String next = addresses.get(attempts++ % addresses.size());
    Future<?> _ = retries.schedule(() -> ask(next), RETRY_MS, TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      if (channel != null) {
        channel.close();
      }
    }
    retries.shutdownNow();
    first.completeExceptionally(new StatusRuntimeException(Status.CANCELLED));
  }
}
