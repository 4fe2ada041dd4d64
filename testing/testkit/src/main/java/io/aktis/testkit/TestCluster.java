package io.aktis.testkit;

import java.util.List;

/** The cluster of an {@link AktisCluster}. Confined to the thread of the test. */
public interface TestCluster {
  /** Returns where it is, for {@code Aktis.init}, {@code Aktis.open} and {@code AKTIS_ADDRESS}. */
  String address();

  /**
   * Returns the ids of the nodes that are there, as {@code NodeInfo.id} shows them; the head first.
   */
  List<String> nodeIds();

  /**
   * Kills a node as if its power failed: its daemon and its workers get SIGKILL, what runs there is
   * lost, and so is every value in its store. Returns when the session of the test has noticed.
   * Without the head, no node can join.
   *
   * @throws IllegalArgumentException when there is no such node
   * @throws AssertionError when it does not end, or is not noticed
   */
  void kill(String nodeId);

  /**
   * Starts one more node like the others; returns when the session of the test can use it.
   *
   * @return its id
   * @throws IllegalStateException when it cannot be started; the message says why
   */
  String addNode();
}
