package io.aktis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A runtime environment could not be set up; the message has the output of the tool that failed,
 * such as that of a JVM which does not start. Asking again fails again until the cause is mended.
 */
public final class RuntimeEnvException extends AktisException {
  private static final long serialVersionUID = 1L;

  /** Makes the failure; called by engines. */
  public RuntimeEnvException(String message, @Nullable Throwable cause, List<String> story) {
    super(message, cause, story);
  }

  /** Makes the failure without cause and story; called by engines. */
  public RuntimeEnvException(String message) {
    this(message, null, List.of());
  }
}
