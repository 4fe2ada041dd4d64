package io.aktis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every copy of the value is gone and it cannot be made again; the message says why. */
public final class ObjectLostException extends AktisException {
  private static final long serialVersionUID = 1L;

  /** Makes the failure; called by engines. */
  public ObjectLostException(String message, @Nullable Throwable cause, List<String> story) {
    super(message, cause, story);
  }

  /** Makes the failure without cause and story; called by engines. */
  public ObjectLostException(String message) {
    this(message, null, List.of());
  }
}
