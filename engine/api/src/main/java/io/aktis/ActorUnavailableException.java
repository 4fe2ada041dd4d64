package io.aktis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The call was in flight when the actor was lost; it may have run. The actor is being restarted.
 */
public final class ActorUnavailableException extends AktisException {
  private static final long serialVersionUID = 1L;

  /** Makes the failure; called by engines. */
  public ActorUnavailableException(String message, @Nullable Throwable cause, List<String> story) {
    super(message, cause, story);
  }

  /** Makes the failure without cause and story; called by engines. */
  public ActorUnavailableException(String message) {
    this(message, null, List.of());
  }

  @Override
  public boolean isRetryable() {
    return true;
  }
}
