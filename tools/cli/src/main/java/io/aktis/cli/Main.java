package io.aktis.cli;

import static java.util.Objects.requireNonNull;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;

/** Entry point of the {@code aktis} command. */
@Command(
    name = "aktis",
    description = "Distributed computing on the JVM: tasks, actors and shared objects.",
    synopsisSubcommandLabel = "COMMAND",
    versionProvider = VersionCommand.Provider.class,
    subcommands = {
      DemoCommand.class,
      RunCommand.class,
      StartCommand.class,
      StopCommand.class,
      StatusCommand.class,
      MemoryCommand.class,
      WhyCommand.class,
      HealthcheckCommand.class,
      TlsCommand.class,
      LocalClusterCommand.class,
      SubmitCommand.class,
      JobCommand.class,
      BenchCommand.class,
      VersionCommand.class,
      CommandLine.HelpCommand.class
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  aktis demo                  See it run on all cores",
      "  aktis run Hello.java        Run a program of one source file",
      "  aktis run app.jar in.txt    Run a program from its jar",
      "  aktis start --head          Start a cluster of one node here",
      "  aktis cluster --nodes 3     Start one of several nodes here",
      "  aktis submit Hello.java     Run a program on the head of the cluster",
      "  aktis help run              Explain a command"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:Done.",
      "1:The program or the command failed; standard error says why.",
      "2:The command line was wrong.",
      "3:The program could not be started: it was not found or does not compile.",
      "n:The code of a program that calls System.exit(n)."
    })
public final class Main extends CliCommand {
  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Print the version and end.")
  @SuppressWarnings("UnusedVariable") // picocli acts on it
  private boolean version;

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "Print stack traces of failures.")
  private boolean verbose;

  /** Runs one command and exits with its code. */
  public static void main(String[] args) {
    CommandLine commandLine = commandLine();
    int exitCode = commandLine.execute(args);
    if (exitCode != ExitCode.OK) {
      System.exit(exitCode);
    }
    if (hasLeftANode(commandLine)) {
      QuickEnd.now();
    }
    // Otherwise the JVM ends when the last thread of the user's program does, as with java itself.
  }

  private static boolean hasLeftANode(CommandLine commandLine) {
    ParseResult command = commandLine.getParseResult().subcommand();
    return command != null
        && command.commandSpec().userObject() instanceof StartCommand start
        && start.hasLeftANode();
  }

  static CommandLine commandLine() {
    // Logs go where the user's program sends them; without a logger of its own, nowhere, silently.
    System.getProperties().putIfAbsent("slf4j.internal.verbosity", "ERROR");
    CommandLine commandLine =
        new CommandLine(new Main())
            .setParameterExceptionHandler(Failures::wrongUsage)
            .setExecutionExceptionHandler(Failures::failed);
    // What follows the program belongs to the program.
    requireNonNull(commandLine.getSubcommands().get("run")).setStopAtPositional(true);
    requireNonNull(commandLine.getSubcommands().get("submit")).setStopAtPositional(true);
    return commandLine;
  }

  /** Returns whether {@code --verbose} was given, at whatever command. */
  static boolean isVerbose(CommandSpec command) {
    return ((Main) command.root().userObject()).verbose;
  }

  @Override
  public Integer call() {
    throw new ParameterException(spec().commandLine(), "Which command?");
  }
}
