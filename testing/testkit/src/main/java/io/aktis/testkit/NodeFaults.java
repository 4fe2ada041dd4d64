package io.aktis.testkit;

/** Breaks nodes of a session on purpose. Thread-safe. */
public interface NodeFaults {
  /**
   * Kills a node as if its power failed: what runs there is lost, and so is every value in its
   * store. Returns when the engine has noticed.
   *
   * @param nodeId id as {@code NodeInfo.id} shows it
   */
  void kill(String nodeId);
}
