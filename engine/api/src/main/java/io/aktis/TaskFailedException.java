package io.aktis;

import java.util.List;

/**
 * The code of a task or actor call threw. The cause is what it threw: the original, or a faithful
 * description when its class cannot be decoded here.
 */
public final class TaskFailedException extends AktisException {
  private static final long serialVersionUID = 1L;

  private final int attempts;

  /** Makes the failure; called by engines. */
  public TaskFailedException(String message, Throwable cause, int attempts, List<String> story) {
    super(message, cause, story);
    this.attempts = attempts;
  }

  /** Returns how many times the code was run. */
  public int attempts() {
    return attempts;
  }
}
