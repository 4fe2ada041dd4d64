package io.aktis.cli;

/** The codes that {@code aktis} ends with. */
final class ExitCode {
  /** Done. */
  static final int OK = 0;

  /** The program, or the command itself, failed. */
  static final int FAILED = 1;

  /** The command line was wrong. */
  static final int USAGE = 2;

  /** The program could not be started: not found, not a program, or it does not compile. */
  static final int NOT_STARTED = 3;

  private ExitCode() {}
}
