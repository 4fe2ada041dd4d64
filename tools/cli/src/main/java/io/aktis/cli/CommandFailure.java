package io.aktis.cli;

/** An expected failure of a command: told in a sentence and a hint, without a stack trace. */
final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String hint;
  private final int exitCode;

  /**
   * Makes a failure.
   *
   * @param hint what to do about it; empty for none
   */
  CommandFailure(int exitCode, String message, String hint) {
    super(message);
    this.exitCode = exitCode;
    this.hint = hint;
  }

  static CommandFailure notStarted(String message, String hint) {
    return new CommandFailure(ExitCode.NOT_STARTED, message, hint);
  }

  int exitCode() {
    return exitCode;
  }

  String hint() {
    return hint;
  }
}
