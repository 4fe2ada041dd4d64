package io.aktis.wire.value;

import org.jspecify.annotations.Nullable;

/**
 * Travels from the place inside the encoder where something cannot be shipped to the place where
 * the way to it is looked for. Cheap: without a stack trace.
 */
final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  @SuppressWarnings("serial")
  private final Object culprit;

  private final String advice;

  Refusal(Object culprit, String reason, String advice) {
    super(reason, null, false, false);
    this.culprit = culprit;
    this.advice = advice;
  }

  Object culprit() {
    return culprit;
  }

  String reason() {
    return String.valueOf(getMessage());
  }

  String advice() {
    return advice;
  }

  /** Returns the refusal that is the reason for {@code failure}, null if there is none. */
  static @Nullable Refusal in(Throwable failure) {
    Throwable cause = failure;
    for (int i = 0; i < 50 && cause != null; i++) {
      if (cause instanceof Refusal refusal) {
        return refusal;
      }
      cause = cause.getCause();
    }
    return null;
  }
}
