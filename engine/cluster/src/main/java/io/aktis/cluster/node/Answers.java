package io.aktis.cluster.node;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

/** How calls that have one answer are answered. Stateless. */
final class Answers {
  private Answers() {}

  /** A caller that has gone gets no answer; without a handler that would be an exception. */
  static void allowGone(StreamObserver<?> answers) {
    ((ServerCallStreamObserver<?>) answers).setOnCancelHandler(() -> {});
  }

  /** Gives the answer. */
  static <T> void give(StreamObserver<T> answers, T reply) {
    answers.onNext(reply);
    answers.onCompleted();
  }

  /** Gives no answer but the reason. */
  static void refuse(StreamObserver<?> answers, Status status, String why) {
    answers.onError(status.withDescription(why).asRuntimeException());
  }
}
