package io.aktis;

import java.util.List;

/**
 * No node can ever hold what the work asks for; told after the grace time of {@link
 * SessionOptions#infeasibleGrace}.
 */
public final class InfeasibleException extends AktisException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> rejectedBy;

  /** Makes the failure; called by engines. */
  public InfeasibleException(String message, List<String> rejectedBy, List<String> story) {
    super(message, null, story);
    this.rejectedBy = List.copyOf(rejectedBy);
  }

  /** Returns each node with the reason why it cannot hold the work. */
  public List<String> rejectedBy() {
    return rejectedBy == null ? List.of() : rejectedBy;
  }
}
