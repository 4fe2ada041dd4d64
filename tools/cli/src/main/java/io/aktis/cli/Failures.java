package io.aktis.cli;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Predicate;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * How failures are told: what, why and what to do, and a stack trace only where it is asked for.
 */
final class Failures {
  private static final int MAX_FRAMES = 5;

  private Failures() {}

  /** Tells what is wrong with the command line. */
  static int wrongUsage(ParameterException e, String[] args) {
    CommandLine commandLine = e.getCommandLine();
    String command = commandLine.getCommandSpec().qualifiedName();
    PrintWriter err = commandLine.getErr();
    err.println(command + ": " + e.getMessage());
    CommandLine.UnmatchedArgumentException.printSuggestions(e, err);
    err.println("Try '" + command + " --help'.");
    err.flush();
    return ExitCode.USAGE;
  }

  /** Tells what went wrong in a command. */
  static int failed(Exception e, CommandLine commandLine, ParseResult parsed) {
    String command = commandLine.getCommandSpec().qualifiedName();
    PrintWriter err = commandLine.getErr();
    if (Main.isVerbose(commandLine.getCommandSpec())) {
      e.printStackTrace(err);
    } else if (e instanceof CommandFailure failure) {
      err.println(command + ": " + e.getMessage());
      if (!failure.hint().isEmpty()) {
        err.println("Hint: " + failure.hint());
      }
    } else {
      tell(err, command, e, frame -> false);
      err.println("Hint: 'aktis --verbose' prints the stack trace");
    }
    err.flush();
    return e instanceof CommandFailure failure ? failure.exitCode() : ExitCode.FAILED;
  }

  /**
   * Tells a failure and its causes, each with the first of the stack frames that {@code isShown}.
   *
   * @param what what failed
   */
  static void tell(
      PrintWriter err, String what, Throwable failure, Predicate<StackTraceElement> isShown) {
    Set<Throwable> told = Collections.newSetFromMap(new IdentityHashMap<>());
    String opening = what + ": ";
    for (Throwable t = failure; t != null && told.add(t); t = t.getCause()) {
      err.println(opening + t);
      Arrays.stream(t.getStackTrace())
          .filter(isShown)
          .limit(MAX_FRAMES)
          .forEach(frame -> err.println("    at " + frame));
      opening = "caused by: ";
    }
  }
}
