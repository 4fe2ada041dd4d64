package io.aktis.runtime.port;

import io.aktis.wire.message.OwnerToWorker;

/** Carries the messages of an owner to one worker process, in order. Thread-safe; never waits. */
public interface WorkerLink {
  /** Sends a message; dropped when the worker is gone. */
  void send(OwnerToWorker message);

  /** Ends the conversation. */
  void close();
}
