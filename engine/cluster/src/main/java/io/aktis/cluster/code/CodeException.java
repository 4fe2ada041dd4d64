package io.aktis.cluster.code;

import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Code could not be packed, sent, kept or found. The message says which file, where and why. */
public final class CodeException extends IOException {
  @Serial private static final long serialVersionUID = 1;

  private final Reason reason;

  /** What went wrong, for who decides what to do about it. */
  public enum Reason {
    /** A file is not what it was when the session was opened: open a new session. */
    CHANGED,
    /** The bytes that came do not have the hash they should have: sending again may help. */
    DAMAGED,
    /** Neither the cache of the node nor its disk has room: it will not fit until others end. */
    NO_ROOM,
    /** The disk refuses to read or write. */
    STORAGE,
    /** The node that was asked has no such file. */
    MISSING,
    /** The other side cannot be reached, went away, or stands still. */
    UNREACHABLE,
    /** The other side refuses what was asked: wrong token, wrong version, malformed. */
    REFUSED
  }

  CodeException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  CodeException(Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** Returns what went wrong. */
  public Reason reason() {
    return reason;
  }
}
