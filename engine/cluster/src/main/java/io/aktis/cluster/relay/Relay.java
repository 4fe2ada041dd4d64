package io.aktis.cluster.relay;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands in front of a server and passes all bytes on, in both directions, as late and as slowly as
 * a {@link SlowNetwork} does. It knows nothing of what they mean. All connections share the
 * bandwidth. The end of a direction and the break of a connection are passed on as well.
 * Thread-safe; whoever opens it closes it.
 */
public final class Relay implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Relay.class);
  private static final int BACKLOG = 1_000;
  private static final long PAUSE_MS = 100;
  private static final long LINGER_MS = 100;
  private static final long MAX_LINGER_MS = 1_000;

  private final ServerSocket server;
  private final InetSocketAddress target;
  private final SlowNetwork network;
  private final Link there;
  private final Link back;
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final CountDownLatch accepted = new CountDownLatch(1);
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("aktis-relay-", 0).factory());

  private Relay(ServerSocket server, InetSocketAddress target, SlowNetwork network) {
    this.server = server;
    this.target = target;
    this.network = network;
    this.there = new Link(network, System.nanoTime());
    this.back = new Link(network, System.nanoTime());
  }

  /**
   * Opens a relay in front of a server of this process.
   *
   * @param address where others reach the server from now on; port 0 for any that is free
   * @param port of the server, which listens on the same host
   * @throws IOException when it cannot listen there
   */
  public static Relay inFrontOf(InetSocketAddress address, int port, SlowNetwork network)
      throws IOException {
    InetAddress host = address.getAddress();
    InetAddress reached = host.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : host;
    return open(address, new InetSocketAddress(reached, port), network);
  }

  /**
   * Opens a relay; returns when it takes connections.
   *
   * @param address where it listens; port 0 for any that is free
   * @param target the server
   * @throws IOException when it cannot listen there
   */
  public static Relay open(InetSocketAddress address, InetSocketAddress target, SlowNetwork network)
      throws IOException {
    ServerSocket server = new ServerSocket();
    try {
      server.bind(address, BACKLOG);
    } catch (IOException e) {
      server.close();
      throw e;
    }
    Relay relay = new Relay(server, target, network);
    relay.threads.execute(relay::accept);
    return relay;
  }

  /** Returns the port that it listens on, or did. */
  public int port() {
    return server.getLocalPort();
  }

  /** Returns how many connections there are. For tests. */
  int connections() {
    return connections.size();
  }

  private void accept() {
    try {
      while (closed.getCount() > 0) {
        acceptOne();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody knows this thread to interrupt it", e);
    } finally {
      accepted.countDown();
    }
  }

  private void acceptOne() throws InterruptedException {
    try {
      Connection connection = new Connection(server.accept());
      connections.add(connection);
      threads.execute(connection::open);
    } catch (IOException e) {
      if (!closed.await(PAUSE_MS, TimeUnit.MILLISECONDS)) { // such as too many open files
        LOG.warn("the relay on port {} could not accept a connection: {}", port(), e.toString());
      }
    }
  }

  /** A connection and its counterpart to the server. */
  private final class Connection {
    private final Socket outer;
    private final Socket inner = new Socket();
    private final CountDownLatch broken = new CountDownLatch(1);
    private final AtomicInteger open = new AtomicInteger(2);
    private final Pipe request;
    private final Pipe answer;

    Connection(Socket outer) {
      this.outer = outer;
      this.request = new Pipe(outer, inner, there, network, broken);
      this.answer = new Pipe(inner, outer, back, network, broken);
    }

    void open() {
      run(() -> {
        inner.connect(target);
        inner.setTcpNoDelay(true);
        outer.setTcpNoDelay(true);
        try {
          threads.execute(() -> run(request::read));
          threads.execute(() -> run(answer::read));
          threads.execute(() -> run(() -> deliver(request)));
          threads.execute(() -> run(() -> deliver(answer)));
        } catch (RejectedExecutionException e) {
          throw new IOException("the relay is closed", e);
        }
      });
    }

    private void deliver(Pipe pipe) throws IOException, InterruptedException {
      pipe.write();
      if (open.decrementAndGet() == 0) {
        end();
      }
    }

    /** What fails on one side has to be seen on the other as a failure, not as an end. */
    private void run(Step step) {
      try {
        step.run();
      } catch (IOException e) {
        LOG.debug("a connection through the relay on port {} is broken: {}", port(), e.toString());
        breakOff();
      } catch (InterruptedException e) {
        throw new IllegalStateException("nobody knows this thread to interrupt it", e);
      }
    }

    private void breakOff() {
      resetAtClose(outer);
      resetAtClose(inner);
      end();
    }

    private void resetAtClose(Socket socket) {
      try {
        if (!socket.isClosed()) {
          socket.setSoLinger(true, 0);
        }
      } catch (IOException e) {
        LOG.trace("it is closed already", e);
      }
    }

    private void end() {
      broken.countDown();
      close(outer);
      close(inner);
      request.wake(); // after the closes: who is let go must find nothing more to read
      answer.wake();
      synchronized (connections) {
        connections.remove(this);
        connections.notifyAll();
      }
    }

    private void close(Socket socket) {
      try {
        socket.close();
      } catch (IOException e) {
        LOG.warn("a connection of the relay on port {} cannot be closed", port(), e);
      }
    }
  }

  /** What a thread of a connection does. */
  private interface Step {
    void run() throws IOException, InterruptedException;
  }

  /**
   * Frees the port, delivers what a server that is closed has sent before, and breaks off the
   * connections that have not ended then; returns when that is done, within little more than a
   * second. Idempotent.
   */
  @Override
  public void close() {
    closed.countDown();
    try {
      server.close();
    } catch (IOException e) {
      LOG.warn("the relay on port {} cannot be closed", port(), e);
    }
    boolean interrupted = false;
    for (boolean done = false; !done; ) {
      try {
        accepted.await();
        awaitDelivered();
        done = true;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    connections.forEach(Connection::breakOff);
    threads.close(); // waits; all that they wait for is closed
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void awaitDelivered() throws InterruptedException {
    long wayMs = network.latency().toMillis();
    long deadlineNs =
        System.nanoTime()
            + TimeUnit.MILLISECONDS.toNanos(Math.min(2 * wayMs + LINGER_MS, MAX_LINGER_MS));
    synchronized (connections) {
      for (long leftNs = 1; !connections.isEmpty() && leftNs > 0; ) {
        leftNs = deadlineNs - System.nanoTime();
        TimeUnit.NANOSECONDS.timedWait(connections, leftNs);
      }
    }
  }
}
