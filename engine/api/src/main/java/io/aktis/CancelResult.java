package io.aktis;

/** What a cancellation did. */
public enum CancelResult {
  /** The code had not started and never will. */
  NEVER_STARTED,
  /**
   * The code was running; its thread was interrupted and its context says cancelled. If it throws,
   * the result is a {@link TaskCancelledException}; a value that it returns all the same counts.
   */
  INTERRUPTED,
  /**
   * The code ignored the interrupt past the grace period: its result was taken away. On a cluster
   * its process is killed, when {@link CancelOptions#force} allows that; otherwise its thread is
   * left to end by itself and its resources stay charged until it does.
   */
  KILLED,
  /** The value, or a failure in its place, was there already, or it was a put value. */
  ALREADY_DONE
}
