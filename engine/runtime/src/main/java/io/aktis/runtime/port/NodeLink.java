package io.aktis.runtime.port;

import io.aktis.RuntimeEnv;
import io.aktis.wire.message.OwnerToNode;
import java.util.concurrent.CompletableFuture;

/** Carries the messages of an owner to one node daemon, in order. Thread-safe; never waits. */
public interface NodeLink {
  /** Sends a message; dropped when the node is gone. */
  void send(OwnerToNode message);

  /**
   * Has the node get the files of an environment, as far as it lacks them, and keep them for the
   * job.
   *
   * @return completed, on any thread, when it has them; exceptionally with a {@link
   *     io.aktis.RuntimeEnvException} when they cannot be read or sent
   */
  CompletableFuture<EnvironmentFiles> provide(RuntimeEnv environment);

  /** Ends the conversation: the owner needs nothing of the node any more. */
  void close();
}
