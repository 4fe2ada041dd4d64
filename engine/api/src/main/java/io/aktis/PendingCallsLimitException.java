package io.aktis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The actor has as many pending calls as it allows, and its policy is not to wait. */
public final class PendingCallsLimitException extends AktisException {
  private static final long serialVersionUID = 1L;

  /** Makes the failure; called by engines. */
  public PendingCallsLimitException(String message, @Nullable Throwable cause, List<String> story) {
    super(message, cause, story);
  }

  /** Makes the failure without cause and story; called by engines. */
  public PendingCallsLimitException(String message) {
    this(message, null, List.of());
  }

  @Override
  public boolean isRetryable() {
    return true;
  }
}
