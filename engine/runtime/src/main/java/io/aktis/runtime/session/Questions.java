package io.aktis.runtime.session;

import io.aktis.SessionClosedException;
import io.aktis.wire.message.Answer;
import io.aktis.wire.message.Question;
import io.aktis.wire.message.WorkerToOwner;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What a worker asks its owner and waits for. Thread-safe. */
final class Questions {
  private final WorkerKernel kernel;
  private final Map<Long, CompletableFuture<Answer>> open = new ConcurrentHashMap<>();
  private final AtomicLong number = new AtomicLong();
  private volatile boolean closed;

  Questions(WorkerKernel kernel) {
    this.kernel = kernel;
  }

  /** Asks, and waits for an answer that comes at once. */
  Answer ask(Question.Builder question) {
    try {
      return checked(send(question).get());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw SessionEngine.interrupted(e);
    } catch (ExecutionException e) {
      throw closed();
    }
  }

  /** Asks, and waits for an answer that may take long: the CPU of the run is lent meanwhile. */
  Answer askLending(@Nullable Run run, Question.Builder question) {
    CompletableFuture<Answer> answer = send(question);
    return kernel.session().waits().whileLending(run, List::of, () -> await(answer));
  }

  private Answer await(CompletableFuture<Answer> answer) throws InterruptedException {
    try {
      return checked(answer.get());
    } catch (ExecutionException e) {
      throw closed();
    }
  }

  private CompletableFuture<Answer> send(Question.Builder question) {
    long mine = number.incrementAndGet();
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    open.put(mine, answer);
    kernel.send(WorkerToOwner.newBuilder().setQuestion(question.setNumber(mine)));
    if (closed) {
      answer.completeExceptionally(closed());
    }
    return answer;
  }

  private Answer checked(Answer answer) {
    if (answer.hasFailure()) {
      throw Refusals.exception(answer.getFailure(), kernel.session().waits());
    }
    return answer;
  }

  /** An answer has come. */
  void answered(Answer answer) {
    CompletableFuture<Answer> waiting = open.remove(answer.getNumber());
    if (waiting != null) {
      waiting.complete(answer);
    }
  }

  /** Nobody answers any more. */
  void close() {
    closed = true;
    open.values().forEach(waiting -> waiting.completeExceptionally(closed()));
    open.clear();
  }

  private SessionClosedException closed() {
    return new SessionClosedException("Session " + kernel.sessionId() + " is over.");
  }
}
