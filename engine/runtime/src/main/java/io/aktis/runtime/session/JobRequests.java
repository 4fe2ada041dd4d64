package io.aktis.runtime.session;

import io.aktis.core.owner.FailureKind;
import io.aktis.core.owner.Outcome;
import io.aktis.wire.message.JobMessage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * What this job asks of others, each with its answer. Callers of {@link #ask} wait in their own
 * thread; all else is confined to the owner's loop.
 */
final class JobRequests {
  /** What was asked of another owner and is not answered. */
  private record Asked(
      long owner, Consumer<JobMessage> answered, Consumer<Outcome.Failure> failed) {}

  private final OwnerKernel kernel;
  private final JobLinks links;
  private final Map<Long, Asked> asked = new LinkedHashMap<>();
  private long lastNumber;
  private boolean closed;

  JobRequests(OwnerKernel kernel, JobLinks links) {
    this.kernel = kernel;
    this.links = links;
  }

  /** Puts a question into a message. */
  interface Question {
    JobMessage.Builder put(JobMessage.Builder message);
  }

  /** Asks another owner and waits for the answer; throws the refusal. */
  JobMessage ask(long owner, Question question) {
    CompletableFuture<JobMessage> answer = new CompletableFuture<>();
    Waits waits = kernel.session().waits();
    kernel.onLoop(() ->
        request(
            owner,
            question.put(JobMessage.newBuilder()),
            answer::complete,
            failure -> answer.completeExceptionally(waits.exception(failure))));
    JobMessage message = waits.answer(answer);
    if (message.hasRefused()) {
      throw Refusals.exception(message.getRefused(), waits);
    }
    return message;
  }

  /** Sends a request; returns its number, 0 when the session ends. */
  long request(
      long owner,
      JobMessage.Builder message,
      Consumer<JobMessage> answered,
      Consumer<Outcome.Failure> failed) {
    if (closed) {
      failed.accept(sessionIsClosed());
      return 0;
    }
    long number = ++lastNumber;
    asked.put(number, new Asked(owner, answered, failed));
    links.send(owner, message.setNumber(number));
    return number;
  }

  /** Sends what has no answer. */
  void tell(long owner, JobMessage.Builder message) {
    if (!closed) {
      links.send(owner, message);
    }
  }

  /** Another owner has answered. */
  void answered(JobMessage message) {
    Asked waiting = asked.remove(message.getNumber());
    if (waiting != null) {
      waiting.answered.accept(message);
    }
  }

  /** What another owner was asked it will not answer any more. */
  void lost(long owner, boolean ended) {
    Outcome.Failure failure =
        ended
            ? Outcome.Failure.of(FailureKind.ACTOR_DIED, "The job that owns it has ended.")
            : Outcome.Failure.of(
                FailureKind.ACTOR_UNAVAILABLE,
                "The job that owns it does not answer; what was asked of it may have been done.");
    fail(asked.values().stream().filter(each -> each.owner == owner).toList(), failure);
  }

  private void fail(List<Asked> some, Outcome.Failure failure) {
    asked.values().removeAll(some);
    some.forEach(each -> each.failed.accept(failure));
  }

  Outcome.Failure sessionIsClosed() {
    return Outcome.Failure.of(
        FailureKind.SESSION_CLOSED, "Session " + kernel.sessionId() + " is closed.");
  }

  /** The session ends: nothing is answered any more. */
  void close() {
    closed = true;
    fail(List.copyOf(asked.values()), sessionIsClosed());
  }
}
