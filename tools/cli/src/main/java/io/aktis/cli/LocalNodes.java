package io.aktis.cli;

import io.aktis.cluster.session.ClusterClient;
import io.aktis.cluster.session.LocalCluster;
import io.aktis.cluster.session.NodeLauncher;
import io.aktis.cluster.session.NodeLauncher.Tethered;
import io.aktis.cluster.session.NodeRequest;
import io.aktis.wire.message.NodeStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a cluster that lives as long as this process: however that ends short of SIGKILL,
 * nothing of them is left. Methods wait; confined to one thread.
 */
final class LocalNodes implements AutoCloseable {
  private static final long KNOWN_TIMEOUT_MS = 30_000;
  private static final long POLL_MS = 50;

  private final Function<String, NodeRequest> request;
  private final List<String> jvmOptions;
  private final BlockingQueue<Tethered> ended = new LinkedBlockingQueue<>();

  /** When this JVM is told to end, each node ends itself, and this waits for starts under way. */
  private final Thread hook = new Thread(this::awaitStarts, "await-starts");

  /** In the order of their start, the head first. */
  private final List<Tethered> nodes = new CopyOnWriteArrayList<>();

  /** The threads that start nodes just now. */
  private volatile @Nullable ExecutorService starting;

  private boolean closing;

  /**
   * Makes none.
   *
   * @param request what a node is like that joins at an address; at none, the head
   * @param jvmOptions more options of the JVM of each daemon
   */
  LocalNodes(Function<String, NodeRequest> request, List<String> jvmOptions) {
    this.request = request;
    this.jvmOptions = List.copyOf(jvmOptions);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Starts so many nodes; returns when all can take work and the head knows them.
   *
   * @throws IllegalArgumentException when what they are to be like makes no sense
   * @throws IllegalStateException when one cannot be started; the message says why
   */
  void start(int count) throws InterruptedException {
    startAll(1, "");
    startAll(count - 1, address());
    awaitKnown(count);
  }

  /**
   * Starts one more node; returns when it can take work.
   *
   * @throws IllegalStateException when it cannot be started; the message says why
   */
  Tethered startOne() throws InterruptedException {
    return startAll(1, address()).getFirst();
  }

  private synchronized List<Tethered> startAll(int count, String join) throws InterruptedException {
    if (closing) {
      throw new IllegalStateException("the start was broken off: this process was told to end");
    }
    List<Tethered> started = new ArrayList<>();
    Throwable failure = null;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Tethered>> all = new ArrayList<>();
      for (int index = 0; index < count; index++) {
        all.add(threads.submit(() -> launch(join)));
      }
      starting = threads;
      breakOffWithoutHead();
      for (Future<Tethered> each : all) {
        try {
          started.add(each.get());
        } catch (ExecutionException e) {
          failure = e.getCause();
        }
      }
    } finally {
      starting = null;
    }
    nodes.addAll(started);
    if (failure != null) {
      throw failure instanceof RuntimeException cause
          ? cause
          : new IllegalStateException("a start was broken off: the head has ended", failure);
    }
    return started;
  }

  /** Nothing that starts can join any more when the head has ended; it would try for long. */
  private void breakOffWithoutHead() {
    ExecutorService threads = starting;
    boolean headHasEnded = !nodes.isEmpty() && !nodes.getFirst().node().process().isAlive();
    if (threads != null && headHasEnded) {
      threads.shutdownNow();
    }
  }

  private Tethered launch(String join) throws InterruptedException {
    NodeLauncher launcher = new NodeLauncher(System.getProperty("java.class.path"), jvmOptions);
    Tethered node = launcher.startTethered(request.apply(join));
    var _ =
        node.node()
            .process()
            .onExit()
            .thenRun(() -> {
              ended.add(node);
              breakOffWithoutHead();
            });
    return node;
  }

  private synchronized void awaitStarts() {
    closing = true;
  }

  private void awaitKnown(int count) throws InterruptedException {
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(KNOWN_TIMEOUT_MS);
    try (ClusterClient client = ClusterClient.open(LocalCluster.find(address()))) {
      while (true) {
        long known =
            client.status(false).getNodesList().stream().filter(NodeStatus::getAlive).count();
        if (known >= count) {
          return;
        }
        if (System.nanoTime() - deadlineNs >= 0) {
          throw new IllegalStateException(
              "of " + count + " nodes that have started the head knows " + known);
        }
        Thread.sleep(POLL_MS);
      }
    }
  }

  /** Returns the nodes, the head first. */
  List<Tethered> all() {
    return List.copyOf(nodes);
  }

  /** Returns host and port of the head. */
  String address() {
    return nodes.getFirst().node().ready().address();
  }

  /**
   * Waits for the end of a node that was not killed here.
   *
   * @return null when the time is over
   */
  @Nullable Tethered awaitEnd(long timeoutNs) throws InterruptedException {
    long deadlineNs = System.nanoTime() + timeoutNs;
    while (true) {
      Tethered node = ended.poll(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (node == null || nodes.contains(node)) {
        return node;
      }
    }
  }

  boolean isHead(Tethered node) {
    return node.equals(nodes.getFirst());
  }

  /**
   * Ends what is left of a node whose daemon has ended, and forgets it unless it is the head.
   *
   * @return false when it has ended because this JVM does
   */
  boolean forget(Tethered node) throws InterruptedException {
    if (!isHead(node)) {
      nodes.remove(node);
    }
    return node.tether().end();
  }

  /** Kills a node that is not the head, with all that came from it. */
  void kill(Tethered node) {
    nodes.remove(node);
    node.tether().kill();
  }

  /** Returns whether the head is there and this JVM is not ending. */
  boolean isUp() {
    return !isClosing() && nodes.getFirst().node().process().isAlive();
  }

  private synchronized boolean isClosing() {
    return closing;
  }

  /**
   * Ends all nodes, the head last; nothing is left of them.
   *
   * @throws IllegalStateException when something does not end
   */
  @Override
  public void close() {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> ending = new ArrayList<>();
      nodes.stream().skip(1).forEach(node -> ending.add(threads.submit(() -> node.tether().end())));
      for (Future<Boolean> each : ending) {
        each.get();
      }
      if (!nodes.isEmpty()) {
        nodes.getFirst().tether().end();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(String.valueOf(e.getCause()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while nodes end", e);
    } finally {
      letGo();
    }
  }

  private void letGo() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException _) {
      // The JVM ends and runs it.
    }
  }
}
