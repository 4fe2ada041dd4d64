package io.aktis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The task was cancelled, or its time limit was over. */
public final class TaskCancelledException extends AktisException {
  private static final long serialVersionUID = 1L;

  /** Makes the failure; called by engines. */
  public TaskCancelledException(String message, @Nullable Throwable cause, List<String> story) {
    super(message, cause, story);
  }

  /** Makes the failure without cause and story; called by engines. */
  public TaskCancelledException(String message) {
    this(message, null, List.of());
  }
}
