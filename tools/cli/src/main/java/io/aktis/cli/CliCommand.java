package io.aktis.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What the commands have in common. Made by picocli, confined to the thread that runs it. */
abstract class CliCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and end.")
  @SuppressWarnings("UnusedVariable") // picocli acts on it
  private boolean help;

  @SuppressWarnings("NullAway.Init") // picocli sets the spec
  CliCommand() {}

  /**
   * Runs the command.
   *
   * @return the exit code
   */
  @Override
  public abstract Integer call() throws IOException, InterruptedException;

  final CommandSpec spec() {
    return spec;
  }

  final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  final PrintWriter err() {
    return spec.commandLine().getErr();
  }

  final boolean isVerbose() {
    return Main.isVerbose(spec);
  }
}
