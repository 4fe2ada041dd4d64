package io.aktis.cli;

import java.io.PrintWriter;

/** A user's program threw. */
final class ProgramFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Program program;
  private final Throwable thrown;

  ProgramFailure(Program program, Throwable thrown) {
    super(thrown);
    this.program = program;
    this.thrown = thrown;
  }

  /** Tells what the program threw and where in its code; as a whole stack trace if asked for. */
  void tell(PrintWriter err, boolean verbose) {
    if (verbose) {
      err.print(program.name() + " failed: ");
      thrown.printStackTrace(err);
    } else {
      Failures.tell(err, program.name() + " failed", thrown, this::isOfProgram);
      err.println("Hint: 'aktis run --verbose' prints the stack trace");
    }
    err.flush();
  }

  private boolean isOfProgram(StackTraceElement frame) {
    return program.loader().getName().equals(frame.getClassLoaderName());
  }
}
