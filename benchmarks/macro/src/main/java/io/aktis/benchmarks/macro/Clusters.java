package io.aktis.benchmarks.macro;

import java.nio.file.Path;
import java.util.List;

/**
 * Starts the clusters that are measured: on this machine, of processes of their own. Confined to
 * the thread of the bench; methods wait.
 */
public interface Clusters {
  /**
   * What a cluster is like.
   *
   * @param nodes how many nodes
   * @param cpus of each node
   * @param storeBytes memory for objects of each node
   * @param tls whether its processes talk with TLS
   * @param bytesPerSecond how much the network lets through to each node, and as much back; {@link
   *     Setting#UNLIMITED} for what the machine can do
   */
  record Shape(int nodes, double cpus, long storeBytes, boolean tls, long bytesPerSecond) {}

  /** A cluster that runs; nothing of it is left after {@link #close}. */
  interface Cluster extends AutoCloseable {
    /** Returns the address that a program gives to reach it. */
    String address();

    /** Returns the process ids of its daemons; their descendants are workers. */
    List<Long> daemons();

    @Override
    void close();
  }

  /**
   * Starts a cluster; returns when all nodes can take work.
   *
   * @throws IllegalStateException when it cannot be started; the message says why
   */
  Cluster start(Shape shape) throws InterruptedException;

  /**
   * Starts a cluster of one node as its user does, with a command in a process of its own; returns
   * when that has ended.
   *
   * @throws IllegalStateException when it cannot be started; the message says why
   */
  Cluster startByCommand(Shape shape) throws InterruptedException;

  /**
   * Returns the directory with ca.pem, node.pem and node-key.pem of the clusters with TLS; they are
   * made with the first call.
   */
  Path certificates();
}
