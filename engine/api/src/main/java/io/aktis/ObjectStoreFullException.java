package io.aktis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The object store has no room and none was made in time; the message gives the figures. */
public final class ObjectStoreFullException extends AktisException {
  private static final long serialVersionUID = 1L;

  private final boolean retryable;

  /**
   * Makes the failure; called by engines.
   *
   * @param retryable whether there can be room later: not if the value is larger than the store
   */
  public ObjectStoreFullException(String message, boolean retryable) {
    super(message, null, List.of());
    this.retryable = retryable;
  }

  /** Makes the failure; called by engines. */
  public ObjectStoreFullException(String message, @Nullable Throwable cause, List<String> story) {
    super(message, cause, story);
    this.retryable = !(cause instanceof ObjectStoreFullException own) || own.retryable;
  }

  /** Makes the failure without cause and story; called by engines. */
  public ObjectStoreFullException(String message) {
    this(message, null, List.of());
  }

  @Override
  public boolean isRetryable() {
    return retryable;
  }
}
