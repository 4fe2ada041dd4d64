package io.aktis.conformance.messages;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Delivers messages on a thread of its own, one at a time and in order, as a connection does. */
final class Post implements AutoCloseable {
  private final String name;
  private final ExecutorService executor;
  private volatile @Nullable Thread thread;

  Post(String name) {
    this.name = name;
    this.executor = Executors.newSingleThreadExecutor(this::thread);
  }

  private Thread thread(Runnable work) {
    Thread made = Thread.ofPlatform().daemon().name("messages-" + name).unstarted(work);
    thread = made;
    return made;
  }

  /** Delivers later; dropped after the end. */
  void deliver(Runnable message) {
    try {
      executor.execute(message);
    } catch (RejectedExecutionException ended) {
      return; // the other side is gone, and so is the message
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }

  /** Waits until nothing is delivered any more. */
  void awaitEnd() throws InterruptedException {
    if (!executor.awaitTermination(10, TimeUnit.SECONDS)) {
      Thread stuck = thread;
      throw new IllegalStateException(
          "a message to "
              + name
              + " takes for ever, at "
              + (stuck == null ? "" : List.of(stuck.getStackTrace())));
    }
  }
}
