package io.aktis.runtime.port;

import io.aktis.wire.message.OwnerToNode;

/** Carries the messages of an owner to one node daemon, in order. Thread-safe; never waits. */
public interface NodeLink {
  /** Sends a message; dropped when the node is gone. */
  void send(OwnerToNode message);

  /** Ends the conversation: the owner needs nothing of the node any more. */
  void close();
}
