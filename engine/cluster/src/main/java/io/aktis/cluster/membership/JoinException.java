package io.aktis.cluster.membership;

/** A node could not become a member. The message says why, and what to look at. */
public final class JoinException extends Exception {
  private static final long serialVersionUID = 1;

  /** What went wrong. */
  public enum Reason {
    /** The own control address cannot be listened on. */
    CANNOT_LISTEN,
    /** None of the seeds can be connected to. */
    SEED_UNREACHABLE,
    /** A seed can be connected to, but this node was not made a member in time. */
    TIMED_OUT,
    /** The cluster does not want this node. */
    REFUSED
  }

  private final Reason reason;

  JoinException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  JoinException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** Returns what went wrong. */
  public Reason reason() {
    return reason;
  }
}
