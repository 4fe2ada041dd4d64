package io.aktis.wire.value;

import org.jspecify.annotations.Nullable;

/** Bytes cannot be turned into a value here: damaged, of another version, or of a missing class. */
public final class ValueDecodeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ValueDecodeException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
