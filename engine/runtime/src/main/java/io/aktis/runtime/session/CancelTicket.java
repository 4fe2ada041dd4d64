package io.aktis.runtime.session;

import io.aktis.CancelResult;
import java.util.concurrent.CompletableFuture;

/** Carries the answer to a cancellation to who asked. Thread-safe. */
final class CancelTicket {
  private final CompletableFuture<CancelResult> result = new CompletableFuture<>();

  void answer(CancelResult what) {
    result.complete(what);
  }

  CancelResult await() {
    return result.join();
  }
}
