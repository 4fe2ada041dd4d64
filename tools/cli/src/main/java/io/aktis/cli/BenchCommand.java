package io.aktis.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/** Measures Aktis; what exactly is said by a command of its own. */
@Command(
    name = "bench",
    description = "Measure Aktis beside the JDK, bare gRPC and Ray.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = BenchCoreCommand.class)
final class BenchCommand extends CliCommand {
  @Override
  public Integer call() {
    throw new ParameterException(spec().commandLine(), "Which benchmark?");
  }
}
