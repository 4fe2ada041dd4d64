package io.aktis.cluster.tls;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The files of TLS cannot be used. The message names the file, the problem and what helps. */
public final class TlsException extends IOException {
  private static final long serialVersionUID = 1;

  TlsException(String message) {
    super(message);
  }

  TlsException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
