package io.aktis.testkit;

import io.aktis.cluster.session.NodeDirectory;
import java.io.Serializable;
import java.util.List;

/** The machines where nodes of tests run. Thread-safe. */
interface NodeHosts {
  /**
   * A node that runs.
   *
   * @param id its id in its cluster
   * @param address host and port of its services
   * @param process its daemon
   * @param directory its files
   */
  record Running(String id, String address, ProcessHandle process, NodeDirectory directory) {}

  /**
   * A node to start.
   *
   * @param number counts the nodes of a cluster, from 0: it chooses the machine
   * @param join address of a node of the cluster to join; empty to start a cluster
   * @param shape what it offers
   * @param workerOptions options of the JVM of its workers
   */
  record Wanted(int number, String join, NodeShape shape, List<String> workerOptions)
      implements Serializable {}

  /** Returns where somebody has to listen whom processes on these machines must reach. */
  String boardHost();

  /**
   * Starts a node; returns when it can take work.
   *
   * @throws IllegalStateException when it cannot be started; the message says why
   */
  Running start(Wanted node);

  /**
   * Ends nodes and deletes what they leave, whether they run or not.
   *
   * @throws IllegalStateException when one does not end; the message says why
   */
  void stop(List<Running> nodes);
}
