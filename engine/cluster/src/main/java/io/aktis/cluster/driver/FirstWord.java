package io.aktis.cluster.driver;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The first thing that a node says on a stream, waited for. Stateless; any thread. */
final class FirstWord {
  private FirstWord() {}

  /**
   * Waits for it.
   *
   * @param from who is to say it, for the message
   * @throws IllegalStateException when it cannot be reached, refuses or does not answer
   */
  static <T> T await(CompletableFuture<T> word, Object from, long timeoutMs)
      throws InterruptedException {
    try {
      return word.get(timeoutMs, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IllegalStateException(String.valueOf(cause.getMessage()), cause);
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          from + " does not answer within " + timeoutMs / 1_000 + " s", e);
    }
  }
}
