package io.aktis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The waiting thread was interrupted; its interrupt flag is set again. What was waited for goes on.
 */
public final class CallerInterruptedException extends AktisException {
  private static final long serialVersionUID = 1L;

  /** Makes the failure; called by engines. */
  public CallerInterruptedException(String message, @Nullable Throwable cause, List<String> story) {
    super(message, cause, story);
  }

  /** Makes the failure without cause and story; called by engines. */
  public CallerInterruptedException(String message) {
    this(message, null, List.of());
  }

  @Override
  public boolean isRetryable() {
    return true;
  }
}
