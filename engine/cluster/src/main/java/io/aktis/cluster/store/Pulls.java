package io.aktis.cluster.store;

import io.aktis.cluster.rpc.Credentials;
import io.aktis.cluster.rpc.RpcChannel;
import io.aktis.cluster.store.Pieces.Piece;
import io.aktis.core.id.ObjectId;
import io.aktis.runtime.form.WireIds;
import io.aktis.store.ObjectStore;
import io.aktis.store.Pin;
import io.aktis.wire.message.ReadRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Brings objects here from other nodes: one transfer for all who ask at the same time. Thread-safe;
 * the service closes it.
 */
final class Pulls implements AutoCloseable {
  private final ObjectStore store;
  private final Credentials credentials;
  private final DataPaths paths;

  /** Known when the server of this node runs. */
  private volatile String ownAddress;

  // Guarded by the monitor.
  private final Map<ObjectId, Shared> underway = new HashMap<>();
  private final Map<String, List<RpcChannel>> channels = new HashMap<>();
  private boolean closed;

  Pulls(ObjectStore store, String ownAddress, Credentials credentials) {
    this.store = store;
    this.ownAddress = ownAddress;
    this.credentials = credentials;
    this.paths = new DataPaths(credentials.tls().isPresent());
  }

  /** One transfer, and how many still need what it brings. */
  private static final class Shared {
    final String from;
    final CompletableFuture<@Nullable Pin> end = new CompletableFuture<>();

    /** What others can read while it comes. */
    volatile @Nullable Incoming incoming;

    /** Guarded by the monitor of the pulls; the transfer itself is one. */
    int users = 1;

    Shared(String from) {
      this.from = from;
    }
  }

  /** Others reach this node at that address from now on. */
  void reachedAt(String address) {
    ownAddress = address;
  }

  /**
   * Pins an object that is on its way here, when the part that is asked for is here. Waits.
   *
   * @return the pin, which the caller closes; null when the object is not on its way, or not any
   *     more
   */
  @Nullable Pin pinEarly(ReadRequest request) throws InterruptedException {
    Incoming incoming = incoming(WireIds.object(request.getObject()));
    if (incoming == null) {
      return null;
    }
    long begin = request.getOffset();
    long rest = incoming.sizeBytes() - begin;
    long length = request.getLengthBytes();
    if (begin < 0 || rest < 0 || length < 0) {
      return null;
    }
    Piece piece = new Piece(begin, length == 0 ? rest : Math.min(rest, length));
    return incoming.pin(piece, request.getPresentOnly() ? 0 : Incoming.FOR_EVER_NS);
  }

  /** Returns what is on its way here; null when it is not. */
  @Nullable Incoming incoming(ObjectId id) {
    Shared shared;
    synchronized (this) {
      shared = underway.get(id);
    }
    return shared == null ? null : shared.incoming;
  }

  /**
   * Pins an object; brings it from the address first if it is not here. Waits.
   *
   * @param from host and port of a node that has it; empty to look here only
   * @return the pin, which the caller closes; null when there is no such object
   * @throws io.aktis.store.StoreFullException when there is no room for it
   */
  @Nullable Pin pin(ObjectId id, String from) throws InterruptedException {
    while (true) {
      Pin here = store.pin(id);
      if (here != null || from.isEmpty() || from.equals(ownAddress)) {
        return here;
      }
      Shared shared = join(id, from);
      try {
        Pin guard = shared.end.get();
        Pin pin = guard == null ? null : store.pin(id);
        if (pin != null || shared.from.equals(from)) {
          return pin;
        }
      } catch (ExecutionException e) {
        throw rethrown(e.getCause());
      } finally {
        leave(id, shared);
      }
    }
  }

  private static RuntimeException rethrown(@Nullable Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException e ? e : new IllegalStateException(cause);
  }

  private Shared join(ObjectId id, String from) {
    Shared shared;
    synchronized (this) {
      checkOpen();
      shared = underway.get(id);
      if (shared != null) {
        shared.users++;
        return shared;
      }
      shared = new Shared(from);
      shared.users++;
      underway.put(id, shared);
    }
    Shared started = shared;
    Thread.ofVirtual().name("store-pull").start(() -> run(id, started));
    return shared;
  }

  private void run(ObjectId id, Shared shared) {
    try {
      Pull pull =
          new Pull(
              store,
              id,
              shared.from,
              ownAddress,
              this::channel,
              paths,
              incoming -> shared.incoming = incoming);
      shared.end.complete(pull.run());
    } catch (InterruptedException | RuntimeException | Error e) {
      shared.end.completeExceptionally(e); // thrown by all who wait for it
    } finally {
      leave(id, shared);
    }
  }

  /** The object is pinned for all users until the last of them has its own pin. */
  private void leave(ObjectId id, Shared shared) {
    synchronized (this) {
      if (--shared.users > 0) {
        return;
      }
      underway.remove(id, shared);
    }
    if (!shared.end.isCompletedExceptionally()) {
      Pin guard = shared.end.join(); // complete, for the transfer was a user
      if (guard != null) {
        guard.close();
      }
    }
  }

  /** Parallel streams have connections of their own, for one is served by one thread. */
  private synchronized RpcChannel channel(String address, int stream) {
    checkOpen();
    List<RpcChannel> streams = channels.computeIfAbsent(address, key -> new ArrayList<>());
    while (streams.size() <= stream) {
      streams.add(RpcChannel.open(address, credentials));
    }
    return streams.get(stream);
  }

  /** Returns how many connections there are to data ports. For tests. */
  int dataConnections() {
    return paths.connections();
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the object store's service is closed");
    }
  }

  /** Breaks off all transfers. */
  @Override
  public synchronized void close() {
    closed = true;
    paths.close();
    channels.values().forEach(streams -> streams.forEach(RpcChannel::close));
    channels.clear();
  }
}
