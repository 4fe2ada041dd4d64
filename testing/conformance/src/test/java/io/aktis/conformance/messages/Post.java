package io.aktis.conformance.messages;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** Delivers messages on a thread of its own, one at a time and in order, as a connection does. */
final class Post implements AutoCloseable {
  private final ExecutorService thread;

  Post(String name) {
    this.thread =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("messages-" + name).factory());
  }

  /** Delivers later; dropped after the end. */
  void deliver(Runnable message) {
    try {
      thread.execute(message);
    } catch (RejectedExecutionException ended) {
      return; // the other side is gone, and so is the message
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }

  /** Waits until nothing is delivered any more. */
  void awaitEnd() throws InterruptedException {
    if (!thread.awaitTermination(10, TimeUnit.SECONDS)) {
      throw new IllegalStateException("a message takes for ever");
    }
  }
}
