package io.aktis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The time given to wait is over. What was waited for goes on. */
public final class TimeoutException extends AktisException {
  private static final long serialVersionUID = 1L;

  /** Makes the failure; called by engines. */
  public TimeoutException(String message, @Nullable Throwable cause, List<String> story) {
    super(message, cause, story);
  }

  /** Makes the failure without cause and story; called by engines. */
  public TimeoutException(String message) {
    this(message, null, List.of());
  }

  @Override
  public boolean isRetryable() {
    return true;
  }
}
