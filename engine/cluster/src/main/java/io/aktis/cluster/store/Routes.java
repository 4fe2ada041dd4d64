package io.aktis.cluster.store;

import io.aktis.core.id.ObjectId;
import io.aktis.core.transfer.BroadcastTree;
import io.aktis.core.transfer.BroadcastTree.Route;
import io.aktis.runtime.form.WireIds;
import io.aktis.wire.message.RouteReply;
import io.aktis.wire.message.RouteRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Tells other nodes from whom to read the large objects of this one, as {@link BroadcastTree}
 * decides. Thread-safe; nothing waits.
 */
final class Routes {
  /** How many readers one node serves at once, of one object. */
  static final int MAX_READERS = 2;

  /** Objects nobody reads just now, whose other holders are remembered. */
  private static final int MAX_IDLE = 1_000;

  private static final int MAX_OTHERS = 8;

  private final Predicate<ObjectId> isHere;

  /** Guarded by the monitor, as all that is in it; the one that was used last is the last. */
  private final Map<ObjectId, Broadcast> broadcasts = new LinkedHashMap<>(16, 0.75f, true);

  private static final class Broadcast {
    final BroadcastTree tree = new BroadcastTree(MAX_READERS);
    final Map<Long, Reader> readers = new HashMap<>();
    final ObjectId id;
    long lastReader = BroadcastTree.ROOT;

    Broadcast(ObjectId id) {
      this.id = id;
    }
  }

  /**
   * Knows none yet.
   *
   * @param isHere whether this node has an object; does not wait
   */
  Routes(Predicate<ObjectId> isHere) {
    this.isHere = isHere;
  }

  StreamObserver<RouteRequest> connect(StreamObserver<RouteReply> replies) {
    return new Reader((ServerCallStreamObserver<RouteReply>) replies);
  }

  /** An object is not here any more; who reads it finds that out. */
  synchronized void forget(ObjectId id) {
    Broadcast broadcast = broadcasts.get(id);
    if (broadcast != null && broadcast.tree.readers() == 0) {
      broadcasts.remove(id);
    }
  }

  private void tell(Broadcast broadcast, List<Route> routes) {
    for (Route route : routes) {
      Reader reader = broadcast.readers.get(route.reader());
      if (reader != null) {
        reader.tell(broadcast, route.source());
      }
    }
    broadcast.readers.keySet().removeIf(number -> !broadcast.tree.knows(number));
  }

  private void boundIdle() {
    if (broadcasts.size() <= MAX_IDLE) {
      return;
    }
    Iterator<Broadcast> oldest = broadcasts.values().iterator();
    while (broadcasts.size() > MAX_IDLE && oldest.hasNext()) {
      if (oldest.next().tree.readers() == 0) {
        oldest.remove();
      }
    }
  }

  /** One node that reads one object. Its state is guarded by the monitor of the routes. */
  private final class Reader implements StreamObserver<RouteRequest> {
    private final ServerCallStreamObserver<RouteReply> replies;
    private @Nullable Broadcast broadcast;
    private String address = "";
    private long number;
    private boolean ended;

    Reader(ServerCallStreamObserver<RouteReply> replies) {
      this.replies = replies;
      replies.setOnCancelHandler(this::end);
    }

    @Override
    public void onNext(RouteRequest request) {
      synchronized (Routes.this) {
        Broadcast joined = broadcast;
        if (ended) {
          return;
        }
        if (joined == null) {
          join(request);
        } else if (request.getDone()) {
          Routes.this.tell(joined, joined.tree.done(number));
        } else if (request.getFailed() && !isHere.test(joined.id)) {
          end();
          replies.onError(absent(joined.id));
        } else if (request.getFailed()) {
          Routes.this.tell(joined, joined.tree.failed(number));
        }
      }
    }

    private void join(RouteRequest request) {
      ObjectId id = WireIds.object(request.getObject());
      if (!isHere.test(id)) {
        ended = true;
        replies.onError(absent(id));
        return;
      }
      Broadcast joined = broadcasts.computeIfAbsent(id, Broadcast::new);
      boundIdle();
      broadcast = joined;
      address = request.getReaderAddress();
      number = ++joined.lastReader;
      long before = address.isEmpty() ? BroadcastTree.ROOT : replaced(joined);
      joined.readers.put(number, this);
      Routes.this.tell(joined, joined.tree.joinAgain(number, !address.isEmpty(), before));
    }

    private static StatusRuntimeException absent(ObjectId id) {
      return Status.NOT_FOUND.withDescription("there is no " + id).asRuntimeException();
    }

    /** Who had it, and has dropped it or was cut off, reads again: returns its number so far. */
    private long replaced(Broadcast joined) {
      for (Reader older : joined.readers.values()) {
        if (older.address.equals(address)) {
          joined.readers.remove(older.number);
          return older.number;
        }
      }
      return BroadcastTree.ROOT;
    }

    void tell(Broadcast in, long source) {
      if (ended) {
        return;
      }
      RouteReply.Builder reply = RouteReply.newBuilder();
      Reader from = in.readers.get(source);
      if (from != null) {
        reply.setFromAddress(from.address);
      }
      in.tree.holders().stream()
          .filter(holder -> holder != number && holder != source)
          .map(in.readers::get)
          .filter(Objects::nonNull)
          .limit(MAX_OTHERS)
          .forEach(holder -> reply.addOtherAddresses(holder.address));
      replies.onNext(reply.build());
    }

    @Override
    public void onError(Throwable cancelled) {
      end();
    }

    @Override
    public void onCompleted() {
      if (end()) {
        replies.onCompleted();
      }
    }

    /** Whoever has it all stays known as a source; who has not is gone. */
    private boolean end() {
      synchronized (Routes.this) {
        Broadcast joined = broadcast;
        boolean first = !ended;
        ended = true;
        if (first && joined != null && !joined.tree.hasAll(number)) {
          joined.readers.remove(number);
          Routes.this.tell(joined, joined.tree.gone(number));
        }
        return first;
      }
    }
  }
}
