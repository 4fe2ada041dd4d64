package io.aktis.cluster.store;

import io.aktis.cluster.relay.Relay;
import io.aktis.cluster.relay.SlowNetwork;
import io.aktis.cluster.rpc.RefusalLog;
import io.aktis.cluster.store.Tickets.Ticket;
import io.aktis.core.id.ObjectId;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data port of a node: whoever has a ticket reads one object there, over a plain connection.
 * Each connection has a thread of its own, and only so many are served at once. In a process with a
 * {@link SlowNetwork} others reach it through a relay. Thread-safe; whoever opens it closes it.
 */
final class DataServer implements AutoCloseable {
  /** So many connections are served at once; who comes then reads by gRPC. */
  static final int MAX_CONNECTIONS = 64;

  private static final Logger LOG = LoggerFactory.getLogger(DataServer.class);
  private static final int BACKLOG = 100;
  private static final long PAUSE_MS = 100;
  private static final long END_TIMEOUT_MS = 5_000;

  private final ServerSocketChannel server;
  private final @Nullable Relay relay;
  private final Function<ObjectId, Holdings> holdings;
  private final LongAdder sentBytes;
  private final Tickets tickets = new Tickets();
  private final StallWatch watch = new StallWatch();
  private final RefusalLog log = new RefusalLog();
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private DataServer(
      ServerSocketChannel server,
      @Nullable Relay relay,
      Function<ObjectId, Holdings> holdings,
      LongAdder sentBytes) {
    this.server = server;
    this.relay = relay;
    this.holdings = holdings;
    this.sentBytes = sentBytes;
  }

  /**
   * Opens the port; returns when it takes connections.
   *
   * @param host a name or an address to listen on
   * @param port 0 for any that is free
   * @param holdings what this node has of an object; each is used by one connection
   * @param sentBytes counts what is sent
   * @throws IOException when it cannot listen there; the message says where
   */
  static DataServer open(
      String host, int port, Function<ObjectId, Holdings> holdings, LongAdder sentBytes)
      throws IOException {
    Optional<SlowNetwork> network = SlowNetwork.ofThisProcess();
    InetSocketAddress address = new InetSocketAddress(host, port);
    ServerSocketChannel server = ServerSocketChannel.open();
    boolean made = false;
    try {
      server.bind(
          network.isPresent() ? new InetSocketAddress(address.getAddress(), 0) : address, BACKLOG);
      Relay relay =
          network.isPresent()
              ? Relay.inFrontOf(address, server.socket().getLocalPort(), network.get())
              : null;
      DataServer opened = new DataServer(server, relay, holdings, sentBytes);
      Thread.ofPlatform().daemon().name("aktis-data").start(opened::accept);
      made = true;
      return opened;
    } catch (IOException e) {
      throw new IOException(
          "cannot listen on port " + port + " of " + host + " for data: " + e.getMessage(), e);
    } finally {
      if (!made) {
        server.close();
      }
    }
  }

  /** Returns the port that others reach it at, or did. */
  int port() {
    return relay == null ? server.socket().getLocalPort() : relay.port();
  }

  /** Lets one connection read an object. */
  Ticket issue(ObjectId id) {
    return tickets.issue(id, System.nanoTime());
  }

  /** Returns how many connections are served. For tests. */
  int connections() {
    return watch.size();
  }

  /** Returns who was refused last and why, empty when nobody was. For tests. */
  String lastRefusal() {
    return log.last();
  }

  private void accept() {
    threads.add(Thread.currentThread());
    try {
      while (!closed) {
        acceptOne();
      }
    } catch (InterruptedException e) {
      LOG.debug("the data port {} is closed", port());
    } finally {
      threads.remove(Thread.currentThread());
    }
  }

  private void acceptOne() throws InterruptedException {
    try {
      serve(server.accept());
    } catch (IOException e) {
      if (!closed) { // such as too many open files
        LOG.warn("the data port {} could not accept a connection: {}", port(), e.toString());
        TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
      }
    }
  }

  private void serve(SocketChannel connection) throws IOException {
    boolean served = false;
    try {
      if (threads.size() > MAX_CONNECTIONS) {
        log.refused(
            connection.getRemoteAddress(), MAX_CONNECTIONS + " connections for data are served");
        return;
      }
      DataSender sender = new DataSender(connection, watch, this::admit, sentBytes);
      Thread thread =
          Thread.ofPlatform().daemon().name("aktis-data-send").unstarted(() -> run(sender));
      threads.add(thread);
      thread.start();
      served = true;
    } finally {
      if (!served) {
        connection.close();
      }
    }
  }

  private void run(DataSender sender) {
    try {
      sender.run();
    } finally {
      threads.remove(Thread.currentThread());
    }
  }

  private @Nullable Holdings admit(SocketChannel connection, Ticket ticket) throws IOException {
    ObjectId id = tickets.redeem(ticket, System.nanoTime());
    if (id == null) {
      log.refused(
          connection.getRemoteAddress(), "its ticket for data is wrong, used, or has expired");
      return null;
    }
    return holdings.apply(id);
  }

  /** Closes the port and all connections; returns when their threads have ended. Idempotent. */
  @Override
  public void close() {
    closed = true;
    try {
      server.close();
    } catch (IOException e) {
      LOG.warn("the data port {} could not be closed: {}", port(), e.toString());
    }
    watch.close();
    threads.forEach(Thread::interrupt);
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(END_TIMEOUT_MS);
    try {
      for (Thread thread : threads) {
        thread.join(Math.max(1, (deadlineNs - System.nanoTime()) / 1_000_000));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!threads.isEmpty()) {
      LOG.warn("threads of the data port {} do not end: {}", port(), threads);
    }
    if (relay != null) {
      relay.close();
    }
  }
}
