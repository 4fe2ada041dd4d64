package io.aktis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The actor is dead: its constructor threw, it was killed, it ended, or it was lost more often than
 * it may be restarted. The message says which.
 */
public final class ActorDiedException extends AktisException {
  private static final long serialVersionUID = 1L;

  /** Makes the failure; called by engines. */
  public ActorDiedException(String message, @Nullable Throwable cause, List<String> story) {
    super(message, cause, story);
  }

  /** Makes the failure without cause and story; called by engines. */
  public ActorDiedException(String message) {
    this(message, null, List.of());
  }
}
