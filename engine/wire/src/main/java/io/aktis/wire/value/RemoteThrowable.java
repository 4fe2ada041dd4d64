package io.aktis.wire.value;

import org.jspecify.annotations.Nullable;

/**
 * Describes a failure whose own class cannot be sent, or is missing here: it prints like the
 * original, with its stack trace, causes and suppressed failures.
 */
public final class RemoteThrowable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String originalClassName;
  private final String text;

  RemoteThrowable(String originalClassName, @Nullable String message, String text) {
    super(message);
    this.originalClassName = originalClassName;
    this.text = text;
  }

  /** Returns the name of the class of the original. */
  public String originalClassName() {
    return originalClassName;
  }

  /** Returns what the original's {@code toString} returned. */
  @Override
  @SuppressWarnings("OverrideThrowableToString") // it prints as another class
  public String toString() {
    return text;
  }
}
