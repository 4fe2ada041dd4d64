package io.aktis.cluster.store;

import io.aktis.cluster.rpc.Methods;
import io.aktis.cluster.rpc.RpcChannel;
import io.aktis.cluster.store.Tickets.Ticket;
import io.aktis.core.id.ObjectId;
import io.aktis.runtime.form.WireIds;
import io.aktis.wire.message.DataTicket;
import io.aktis.wire.message.OpenDataRequest;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ways from this node to the data ports of others. A port that cannot be reached is not tried
 * again for a minute; the log has it once. Thread-safe; whoever makes it closes it.
 */
final class DataPaths implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DataPaths.class);
  private static final long TICKET_TIMEOUT_MS = 5_000;
  private static final long PAUSE_NS = TimeUnit.MINUTES.toNanos(1);

  /** So many nodes whose ports cannot be reached are remembered. */
  private static final int MAX_BLOCKED = 1_000;

  private final boolean usesTls;
  private final StallWatch watch = new StallWatch();

  /** Until when not to try, by the address of the node; guarded by the monitor. */
  private final Map<String, Long> blocked = new LinkedHashMap<>();

  /**
   * Knows none yet.
   *
   * @param usesTls whether nodes talk with TLS: then they have no data ports
   */
  DataPaths(boolean usesTls) {
    this.usesTls = usesTls;
  }

  /** Returns whether nodes have data ports. */
  boolean areUsed() {
    return !usesTls;
  }

  /**
   * Connects to the data port of a node; waits.
   *
   * @param node its connection for calls
   * @return the connection, which the caller closes; null when the object is to be read by calls
   */
  @Nullable DataConnection open(RpcChannel node, ObjectId object) throws InterruptedException {
    if (usesTls || isBlocked(node.address())) {
      return null;
    }
    DataTicket answer = ticket(node, object);
    if (answer == null || answer.getPort() == 0) {
      return null;
    }
    int port = answer.getPort();
    try {
      Ticket ticket = Ticket.from(ByteBuffer.wrap(answer.getTicket().toByteArray()));
      DataConnection opened =
          DataConnection.open(new InetSocketAddress(node.host(), port), ticket, watch);
      unblock(node.address());
      return opened;
    } catch (IOException | RuntimeException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException("while it connects to the data port of " + node.address());
      }
      block(node.address(), port, e);
      return null;
    }
  }

  /** Returns the answer; null for none: what that means, the next call will tell. */
  private static @Nullable DataTicket ticket(RpcChannel node, ObjectId object)
      throws InterruptedException {
    OpenDataRequest request = OpenDataRequest.newBuilder().setObject(WireIds.of(object)).build();
    try {
      return ClientCalls.blockingUnaryCall(
          node.call(Methods.OPEN_DATA, TICKET_TIMEOUT_MS), request);
    } catch (StatusRuntimeException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException("while it asks " + node.address() + " for a ticket");
      }
      LOG.debug("{} gave no ticket for data", node.address(), e);
      return null;
    }
  }

  private synchronized boolean isBlocked(String address) {
    Long untilNs = blocked.get(address);
    return untilNs != null && untilNs - System.nanoTime() > 0;
  }

  private void block(String address, int port, Exception reason) {
    boolean isNew;
    synchronized (this) {
      isNew = blocked.put(address, System.nanoTime() + PAUSE_NS) == null;
      if (blocked.size() > MAX_BLOCKED) {
        blocked.remove(blocked.keySet().iterator().next());
      }
    }
    if (isNew) {
      LOG.warn(
          "the data port {} of {} cannot be used, so large objects come from there more slowly: {}",
          port,
          address,
          reason.toString());
    }
  }

  private synchronized void unblock(String address) {
    blocked.remove(address);
  }

  /** Returns how many connections there are. For tests. */
  int connections() {
    return watch.size();
  }

  /** Closes all connections. Idempotent. */
  @Override
  public void close() {
    watch.close();
  }
}
