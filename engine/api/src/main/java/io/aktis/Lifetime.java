package io.aktis;

/** How long an actor lives. */
public enum Lifetime {
  /** Until its last handle is released, it is ended, or its job ends. */
  JOB,
  /**
   * Until it is killed; it outlives the job that made it, but not an embedded session. It must have
   * a name.
   */
  DETACHED
}
