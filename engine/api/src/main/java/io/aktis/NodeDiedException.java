package io.aktis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The node that ran the task was lost, more often than the task may be run again; or there is no
 * node left whose object store the program could put a value into. A task that is bound to a node
 * which is gone fails with {@link InfeasibleException}.
 */
public final class NodeDiedException extends AktisException {
  private static final long serialVersionUID = 1L;

  /** Makes the failure; called by engines. */
  public NodeDiedException(String message, @Nullable Throwable cause, List<String> story) {
    super(message, cause, story);
  }

  /** Makes the failure without cause and story; called by engines. */
  public NodeDiedException(String message) {
    this(message, null, List.of());
  }

  @Override
  public boolean isRetryable() {
    return true;
  }
}
