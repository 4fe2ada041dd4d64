package io.aktis.store;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/**
 * Work on channels to its end: an interrupt closes a channel, so the work starts again with a new
 * one and the thread is interrupted afterwards. Stateless.
 */
final class Uninterrupted {
  /** Opens its own channel, and may be repeated from its start. */
  @FunctionalInterface
  interface Work {
    void run() throws IOException;
  }

  private Uninterrupted() {}

  static void run(Work work) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          work.run();
          return;
        } catch (ClosedByInterruptException e) {
          interrupted = Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
