package io.aktis.cli;

import io.aktis.cluster.session.JobClient;
import io.aktis.wire.message.JobEntry;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Ends a job. */
@Command(
    name = "stop",
    description = {
      "End a job: with SIGTERM, and when its grace is over with SIGKILL and all that it has"
          + " started.",
      "",
      "Returns when nothing of it is left."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  aktis job stop job-7", "  aktis job stop job-7 --grace 0s"},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:It is stopped.",
      "1:There is no such job, it was over already, or the head gives no answer; standard error"
          + " says which.",
      "2:The command line was wrong."
    })
final class JobStopCommand extends HeadCommand {
  @Option(
      names = "--grace",
      paramLabel = "TIME",
      defaultValue = "10s",
      converter = Amounts.Time.class,
      description = "How long it may take before it is killed [${DEFAULT-VALUE}].")
  private Duration grace;

  @Parameters(paramLabel = "JOB", description = "Its id, such as job-7.")
  private String job;

  @SuppressWarnings("NullAway.Init") // picocli sets them
  JobStopCommand() {}

  @Override
  int run(JobClient head) {
    JobEntry ended = head.stop(job, grace);
    out().println(new JobText(ended).ending() + ".");
    out().flush();
    return ExitCode.OK;
  }
}
