package io.aktis.runtime.session;

import io.aktis.AktisException;
import io.aktis.core.owner.FailureKind;
import io.aktis.core.owner.Outcome;
import io.aktis.wire.message.Failure;

/**
 * A question that is refused, as a message carries it: the exception comes out again where it was
 * asked. Stateless.
 */
final class Refusals {
  private static final String ILLEGAL_ARGUMENT = "ILLEGAL_ARGUMENT";
  private static final String ILLEGAL_STATE = "ILLEGAL_STATE";

  private Refusals() {}

  /** Returns the message for an exception. */
  static Failure message(Exception refusal) {
    String kind =
        switch (refusal) {
          case IllegalArgumentException _ -> ILLEGAL_ARGUMENT;
          case AktisException own -> Failures.kindOf(own).name();
          case InterruptedException _ -> FailureKind.SESSION_CLOSED.name();
          default -> ILLEGAL_STATE;
        };
    return Failure.newBuilder()
        .setKind(kind)
        .setMessage(String.valueOf(refusal.getMessage()))
        .build();
  }

  /** Returns the failure that a message stands for, of what waits for the answer. */
  static Outcome.Failure failure(Failure message) {
    FailureKind kind =
        switch (message.getKind()) {
          case ILLEGAL_ARGUMENT, ILLEGAL_STATE -> FailureKind.TASK_FAILED;
          default -> FailureKind.valueOf(message.getKind());
        };
    return Outcome.Failure.of(kind, message.getMessage());
  }

  /** Returns the exception that a message stands for. */
  static RuntimeException exception(Failure message, Waits waits) {
    String text = message.getMessage();
    return switch (message.getKind()) {
      case ILLEGAL_ARGUMENT -> new IllegalArgumentException(text);
      case ILLEGAL_STATE -> new IllegalStateException(text);
      default -> waits.exception(Outcome.Failure.of(FailureKind.valueOf(message.getKind()), text));
    };
  }
}
