package io.aktis.wire.value;

import org.jspecify.annotations.Nullable;

/** A value holds something that has no meaning elsewhere, or that cannot be encoded. */
public final class ValueNotSerializableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String fieldPath;
  private final String culprit;
  private final String advice;

  ValueNotSerializableException(
      String reason, String fieldPath, String culprit, String advice, @Nullable Throwable cause) {
    super(reason + "; found at: " + fieldPath + (advice.isEmpty() ? "" : "; " + advice), cause);
    this.fieldPath = fieldPath;
    this.culprit = culprit;
    this.advice = advice;
  }

  /** Returns the way from the value to the cause, step by step. */
  public String fieldPath() {
    return fieldPath;
  }

  /** Returns the name of the class that is the cause. */
  public String culprit() {
    return culprit;
  }

  /** Returns what the user can do instead; may be empty. */
  public String advice() {
    return advice;
  }
}
