package io.aktis.cluster.store;

import com.google.protobuf.ByteString;
import io.aktis.cluster.rpc.Credentials;
import io.aktis.cluster.rpc.Methods;
import io.aktis.core.id.ObjectId;
import io.aktis.runtime.form.WireIds;
import io.aktis.store.ObjectInfo;
import io.aktis.store.ObjectStore;
import io.aktis.store.Pin;
import io.aktis.store.StoreFullException;
import io.aktis.store.StoreStats;
import io.aktis.wire.message.DataTicket;
import io.aktis.wire.message.OpenDataRequest;
import io.aktis.wire.message.ReadRequest;
import io.aktis.wire.message.StoreReply;
import io.aktis.wire.message.WriteReply;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The store of a node as other processes see it: those of the machine, which map its memory, and
 * those elsewhere, which read and write it in chunks. Thread-safe; the node daemon makes it and
 * closes it, after its server and before the store.
 */
public final class StoreService implements AutoCloseable {
  private final ObjectStore store;
  private final Pulls pulls;
  private final Routes routes;
  private final LongAdder sentBytes = new LongAdder();
  private final LongAdder dataBytes = new LongAdder();
  private volatile @Nullable DataServer data;
  private final Set<StoreConnection> connections = ConcurrentHashMap.newKeySet();

  /**
   * Makes the service.
   *
   * @param store not closed by this
   * @param ownAddress host and port of this node, as others are told; nothing is pulled from there,
   *     and others may be sent there. Empty when it is not known yet, see {@link #reachedAt}
   * @param credentials what other nodes are shown
   */
  public StoreService(ObjectStore store, String ownAddress, Credentials credentials) {
    this.store = store;
    this.pulls = new Pulls(store, ownAddress, credentials);
    this.routes = new Routes(store::contains);
  }

  /** Others reach this node at that host and port from now on. */
  public void reachedAt(String address) {
    pulls.reachedAt(address);
  }

  /**
   * Opens a port at which others read large objects faster than by {@link Methods#READ}; without it
   * they read by that.
   *
   * @param host a name or an address to listen on
   * @param port 0 for any that is free
   * @throws IOException when it cannot listen there; the message says where
   */
  public void openData(String host, int port) throws IOException {
    data = DataServer.open(host, port, id -> new Holdings(store, pulls, id), dataBytes);
  }

  /** Closes that port, if it is open. Idempotent; whoever reads there goes on elsewhere. */
  public void closeData() {
    DataServer opened = data;
    if (opened != null) {
      data = null;
      opened.close();
    }
  }

  /**
   * Adds the methods USE_STORE, READ, OPEN_DATA, ROUTE and WRITE to the service {@link
   * Methods#NODE}.
   */
  public void addTo(ServerServiceDefinition.Builder service) {
    service
        .addMethod(Methods.USE_STORE, ServerCalls.asyncBidiStreamingCall(this::connect))
        .addMethod(ReadMethod.sending(), ServerCalls.asyncServerStreamingCall(this::read))
        .addMethod(Methods.OPEN_DATA, ServerCalls.asyncUnaryCall(this::issueTicket))
        .addMethod(Methods.ROUTE, ServerCalls.asyncBidiStreamingCall(routes::connect))
        .addMethod(
            Methods.WRITE,
            ServerCalls.asyncClientStreamingCall(replies ->
                new ObjectReceiver(store, (ServerCallStreamObserver<WriteReply>) replies)));
  }

  private void issueTicket(OpenDataRequest request, StreamObserver<DataTicket> replies) {
    DataServer opened = data;
    DataTicket.Builder reply = DataTicket.newBuilder();
    if (opened != null) {
      byte[] ticket = opened.issue(WireIds.object(request.getObject())).bytes();
      reply.setPort(opened.port()).setTicket(ByteString.copyFrom(ticket));
    }
    replies.onNext(reply.build());
    replies.onCompleted();
  }

  private StoreConnection connect(StreamObserver<StoreReply> replies) {
    StoreConnection connection =
        new StoreConnection(
            store, pulls, (ServerCallStreamObserver<StoreReply>) replies, connections::remove);
    connections.add(connection);
    return connection;
  }

  private void read(ReadRequest request, StreamObserver<SegmentChunk> chunks) {
    ObjectSender sender =
        new ObjectSender(request, (ServerCallStreamObserver<SegmentChunk>) chunks, sentBytes);
    ObjectId id = WireIds.object(request.getObject());
    try {
      Pin pin = store.tryPin(id);
      if (pin != null) {
        sender.begin(pin);
        return;
      }
    } catch (IllegalStateException closed) {
      sender.fail(Status.UNAVAILABLE.withDescription(closed.getMessage()).withCause(closed));
      return;
    }
    Thread.ofVirtual().name("store-read").start(() -> bring(id, request, sender));
  }

  private void bring(ObjectId id, ReadRequest request, ObjectSender sender) {
    try {
      String from = request.getFromAddress();
      Pin early = from.isEmpty() ? pulls.pinEarly(request) : null;
      sender.begin(early == null ? pulls.pin(id, from) : early);
    } catch (StoreFullException e) {
      sender.fail(Status.RESOURCE_EXHAUSTED.withDescription(e.getMessage()).withCause(e));
    } catch (InterruptedException e) {
      sender.fail(Status.CANCELLED.withCause(e));
    } catch (RuntimeException | Error e) {
      sender.fail(Status.INTERNAL.withDescription(e.toString()).withCause(e));
    }
  }

  /**
   * Forgets an object here; who has pinned it keeps it until the unpin.
   *
   * @return whether there was such an object
   */
  public boolean deleteObject(ObjectId id) {
    routes.forget(id);
    return store.delete(id);
  }

  /**
   * Forgets all objects of an owner here. What is being written when this is called is not
   * affected: call it when the owner's work has ended.
   *
   * @param owner the owner half of their ids
   * @return how many there were
   */
  public int deleteAllOf(long owner) {
    int deleted = 0;
    for (ObjectInfo object : store.objects()) {
      if (object.id().owner() == owner && store.delete(object.id())) {
        deleted++;
      }
    }
    return deleted;
  }

  /**
   * Returns which processes of the machine hold bytes in memory at this moment: how often, by
   * object and by what the process calls itself.
   */
  public Map<ObjectId, Map<String, Integer>> readers() {
    Map<ObjectId, Map<String, Integer>> readers = new HashMap<>();
    connections.forEach(connection -> connection.addTo(readers));
    return readers;
  }

  /** Returns how many bytes others have read here. For tests. */
  long sentBytes() {
    return sentBytes.sum() + dataBytes.sum();
  }

  /** Returns how many of them went through the data port. For tests. */
  long dataBytes() {
    return dataBytes.sum();
  }

  /** Returns how many connections there are to the data port here and to others. For tests. */
  int dataConnections() {
    DataServer opened = data;
    return pulls.dataConnections() + (opened == null ? 0 : opened.connections());
  }

  /** Returns the port; 0 for none. For tests. */
  int dataPort() {
    DataServer opened = data;
    return opened == null ? 0 : opened.port();
  }

  /** Returns whom the data port has refused last, and why. For tests. */
  String dataRefusal() {
    DataServer opened = data;
    return opened == null ? "" : opened.lastRefusal();
  }

  /** Returns how many bytes have come of an object that is on its way here. For tests. */
  long arrivedBytes(ObjectId id) {
    Incoming incoming = pulls.incoming(id);
    return incoming == null ? 0 : incoming.arrivedBytes();
  }

  /** Returns the figures of this moment. */
  public StoreStats stats() {
    return store.stats();
  }

  /** Breaks off the transfers to and from this node. Idempotent. */
  @Override
  public void close() {
    pulls.close();
    closeData();
  }
}
