package io.aktis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The session is closed, or the reference or handle belongs to another session. */
public final class SessionClosedException extends AktisException {
  private static final long serialVersionUID = 1L;

  /** Makes the failure; called by engines. */
  public SessionClosedException(String message, @Nullable Throwable cause, List<String> story) {
    super(message, cause, story);
  }

  /** Makes the failure without cause and story; called by engines. */
  public SessionClosedException(String message) {
    this(message, null, List.of());
  }
}
