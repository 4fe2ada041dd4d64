package io.aktis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The task was ended because its process used more memory than there is. */
public final class OutOfMemoryException extends AktisException {
  private static final long serialVersionUID = 1L;

  /** Makes the failure; called by engines. */
  public OutOfMemoryException(String message, @Nullable Throwable cause, List<String> story) {
    super(message, cause, story);
  }

  /** Makes the failure without cause and story; called by engines. */
  public OutOfMemoryException(String message) {
    this(message, null, List.of());
  }
}
