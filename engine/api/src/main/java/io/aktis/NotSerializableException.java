package io.aktis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Code or a value cannot be sent or stored. Thrown at submit, in the caller's thread; names the
 * path of the field that is the cause.
 */
public final class NotSerializableException extends AktisException {
  private static final long serialVersionUID = 1L;

  private final String fieldPath;

  /** Makes the failure; called by engines. */
  public NotSerializableException(String message, String fieldPath, @Nullable Throwable cause) {
    super(message, cause, List.of());
    this.fieldPath = fieldPath;
  }

  /** Returns the path from the value to the field that is the cause. */
  public String fieldPath() {
    return fieldPath;
  }
}
