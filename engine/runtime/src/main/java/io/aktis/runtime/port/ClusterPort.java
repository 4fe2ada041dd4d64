package io.aktis.runtime.port;

import io.aktis.RuntimeEnv;

/** How a driver reaches the processes of a cluster. Thread-safe. */
public interface ClusterPort extends AutoCloseable {
  /** Returns the node whose store this driver uses; another one when that is gone. */
  Location home();

  /**
   * Returns the store of a node that is or was the home. To make something there fails when the
   * node is gone: with a {@link StoreMovedException} when there is another home by now.
   */
  StorePort storeAt(Location home);

  /** Returns the store to read through, which is that of whatever node is the home. */
  StorePort store();

  /**
   * Opens the conversation with a worker; returns at once. What is sent before it is connected
   * waits.
   *
   * @param workerId the process, as its node names it
   * @param address where it listens
   * @param listener hears what it says
   */
  WorkerLink openWorker(String workerId, String address, WorkerListener listener);

  /** Tells whether the cluster can run a process that owns what outlives this job. */
  boolean canKeepActors();

  /**
   * Starts a process that will own what of this job is detached, with its code and environment; it
   * says to this owner when it is ready. May wait.
   *
   * @param namespace of the session
   * @throws IllegalStateException when it cannot be started
   */
  KeeperProcess startKeeper(String namespace) throws InterruptedException;

  /**
   * Reads the files of an environment on this machine, once for each path; may wait.
   *
   * @throws io.aktis.RuntimeEnvException when one is not there or cannot be sent
   */
  EnvironmentFiles filesOf(RuntimeEnv environment);

  /** Ends all conversations: the job is over. */
  @Override
  void close();
}
