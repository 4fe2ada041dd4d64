package io.aktis.cluster.code;

import io.grpc.Status;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The messages that come in on a call, for a thread that may wait. Messages are asked for one at a
 * time, so never more than one lies here. The network's threads put in; one thread takes out.
 *
 * @param <M> a message
 */
final class Inflow<M> {
  private final BlockingQueue<Step<M>> steps = new LinkedBlockingQueue<>();
  private final Runnable request;
  private final long stallMs;

  /** A message, or, without one, the end. */
  private record Step<M>(@Nullable M message, Status end) {}

  /**
   * Makes an inflow.
   *
   * @param request asks for one more message
   * @param stallMs how long to wait for a message
   */
  Inflow(Runnable request, long stallMs) {
    this.request = request;
    this.stallMs = stallMs;
  }

  /** A message has come. */
  void message(M message) {
    steps.add(new Step<>(message, Status.OK));
  }

  /** No more will come. */
  void end(Status status) {
    steps.add(new Step<>(null, status));
  }

  /**
   * Returns the next message, null at the end.
   *
   * @param doing what is tried, for the failure
   * @throws CodeException if the call fails or stands still
   */
  @Nullable M next(String doing) throws CodeException, InterruptedException {
    request.run();
    Step<M> step = steps.poll(stallMs, TimeUnit.MILLISECONDS);
    if (step == null) {
      throw new CodeException(
          CodeException.Reason.UNREACHABLE,
          "cannot " + doing + ": nothing came for " + stallMs + " ms");
    }
    if (!step.end.isOk()) {
      throw CodeStatus.failure(doing, step.end);
    }
    return step.message;
  }
}
