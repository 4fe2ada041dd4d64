package io.aktis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Calls of actors that run one call at a time wait for each other in a circle; this was the
 * youngest of those that only waited for their turn. The message names the circle.
 */
public final class DeadlockException extends AktisException {
  private static final long serialVersionUID = 1L;

  /** Makes the failure; called by engines. */
  public DeadlockException(String message, @Nullable Throwable cause, List<String> story) {
    super(message, cause, story);
  }

  /** Makes the failure without cause and story; called by engines. */
  public DeadlockException(String message) {
    this(message, null, List.of());
  }
}
