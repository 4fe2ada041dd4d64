package io.aktis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The disk has no room for values that do not fit in memory. */
public final class OutOfDiskException extends AktisException {
  private static final long serialVersionUID = 1L;

  /** Makes the failure; called by engines. */
  public OutOfDiskException(String message, @Nullable Throwable cause, List<String> story) {
    super(message, cause, story);
  }

  /** Makes the failure without cause and story; called by engines. */
  public OutOfDiskException(String message) {
    this(message, null, List.of());
  }

  @Override
  public boolean isRetryable() {
    return true;
  }
}
