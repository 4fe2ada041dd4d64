package io.aktis;

import java.util.List;

/**
 * No node can ever hold what the work asks for; told after the grace time of {@link
 * SessionOptions#infeasibleGrace}.
 */
public final class InfeasibleException extends AktisException {
  private static final long serialVersionUID = 1L;

  private final String[] rejectedBy;

  /** Makes the failure; called by engines. */
  public InfeasibleException(String message, List<String> rejectedBy, List<String> story) {
    super(message, null, story);
    this.rejectedBy = rejectedBy.toArray(String[]::new);
  }

  /** Returns each node with the reason why it cannot hold the work. */
  public List<String> rejectedBy() {
    return List.of(rejectedBy);
  }
}
