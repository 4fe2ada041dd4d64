package io.aktis.cluster.session;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Ties a node to this JVM: when that is told to end, by Ctrl-C or SIGTERM, it ends the node and
 * deletes what is left of it, from before there is a process until the node is let go. Thread-safe.
 */
public final class NodeTether {
  private static final Duration GRACE = Duration.ofSeconds(10);

  private final SessionDirectory directory;
  private final NodeDirectory node;
  private final boolean forgets;
  private final Thread hook = new Thread(this::shutDown, "end-node");
  private boolean ended;
  private boolean byShutdown;

  private NodeTether(SessionDirectory directory, NodeDirectory node, boolean forgets) {
    this.directory = directory;
    this.node = node;
    this.forgets = forgets;
  }

  /**
   * Ties a node that has a directory and no process yet.
   *
   * @param forgets whether its session goes with it when it is killed and was the last one of it
   * @throws IllegalStateException when this JVM is ending
   */
  static NodeTether tie(SessionDirectory directory, NodeDirectory node, boolean forgets) {
    NodeTether tether = new NodeTether(directory, node, forgets);
    Runtime.getRuntime().addShutdownHook(tether.hook);
    return tether;
  }

  /**
   * Starts the daemon.
   *
   * @throws IllegalStateException when this JVM is ending
   */
  synchronized Process start(ProcessBuilder daemon) throws IOException {
    if (ended) {
      throw new IllegalStateException("this process was told to end");
    }
    Process process = daemon.start();
    node.writeProcess(ProcessMark.of(process.toHandle()), true);
    return process;
  }

  /**
   * Lets the node live on without this JVM.
   *
   * @return false when it is too late, because this JVM is ending
   */
  boolean release() {
    try {
      return Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException _) {
      return false; // the JVM runs its hooks
    }
  }

  /**
   * Kills the node with all that came from it, as if its power failed, and deletes what is left of
   * it. Idempotent; waits while another thread does it.
   *
   * @throws IllegalStateException when a process does not end although it was killed, or a
   *     directory cannot be deleted
   */
  public synchronized void kill() {
    if (!ended) {
      ended = true;
      release();
      NodeProcesses.of(node).kill();
      directory.removeNode(node, forgets);
    }
  }

  /**
   * Ends the node as {@link NodeStopper} does, and deletes what is left of it. Idempotent; waits
   * while another thread does it.
   *
   * @return false when this JVM was told to end, and the node has ended for that
   * @throws IllegalStateException when a process does not end although it was killed, or a
   *     directory cannot be deleted
   */
  public synchronized boolean end() throws InterruptedException {
    if (!ended) {
      ended = true;
      release();
      new NodeStopper(GRACE).stop(List.of(node));
    }
    return !byShutdown;
  }

  /** Returns whether the node has ended because this JVM does. */
  synchronized boolean isCut() {
    return byShutdown;
  }

  private synchronized void shutDown() {
    byShutdown = !ended;
    try {
      end();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IllegalStateException e) {
      // Not the log, which another hook closes at the same time.
      System.err.println("The node in " + node.path() + " could not be ended: " + e.getMessage());
    }
  }
}
