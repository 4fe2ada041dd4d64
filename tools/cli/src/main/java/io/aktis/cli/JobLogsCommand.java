package io.aktis.cli;

import io.aktis.cluster.session.JobClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows what a job prints. */
@Command(
    name = "logs",
    description = {
      "Print what a job has printed, both to its standard output and its standard error, byte by"
          + " byte and in the order of printing.",
      "",
      "The head keeps the last 32 to 64 MiB of it."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  aktis job logs job-7", "  aktis job logs -f job-7 | grep WARN"},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:Done, whatever became of the job.",
      "1:There is no such job, or the head gives no answer; standard error says why.",
      "2:The command line was wrong."
    })
final class JobLogsCommand extends HeadCommand {
  @Option(
      names = {"-f", "--follow"},
      description = "Go on until the job is over.")
  private boolean follow;

  @Parameters(paramLabel = "JOB", description = "Its id, such as job-7.")
  private String job;

  @SuppressWarnings("NullAway.Init") // picocli sets the job
  JobLogsCommand() {}

  @Override
  int run(JobClient head) throws InterruptedException {
    JobOutput output = new JobOutput(head, job, System.out, err());
    if (follow) {
      output.follow();
    } else {
      output.print();
    }
    return ExitCode.OK;
  }
}
