package io.aktis.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/** Shows and ends programs that were submitted. */
@Command(
    name = "job",
    description = {
      "Show and end programs that were submitted with 'aktis submit'.",
      "",
      "Jobs and what they print are kept by the head of the cluster, as long as that runs; of jobs"
          + " that have ended it keeps the last 100, and of what each prints the last 32 to 64 MiB."
    },
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      JobListCommand.class,
      JobStatusCommand.class,
      JobLogsCommand.class,
      JobStopCommand.class
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  aktis job list",
      "  aktis job logs -f job-7",
      "  aktis job stop job-7 --grace 1m",
    })
final class JobCommand extends CliCommand {
  @Override
  public Integer call() {
    throw new ParameterException(
        spec().commandLine(), "Which command? One of list, status, logs and stop.");
  }
}
