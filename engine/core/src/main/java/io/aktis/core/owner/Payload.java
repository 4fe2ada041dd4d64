package io.aktis.core.owner;

/** What the shell keeps to run a task; the owner asks only how much that is. */
public interface Payload {
  /** Returns the bytes that keeping it costs, about. */
  long sizeBytes();
}
