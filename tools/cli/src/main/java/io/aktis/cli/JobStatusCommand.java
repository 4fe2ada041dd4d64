package io.aktis.cli;

import io.aktis.cluster.session.JobClient;
import io.aktis.wire.message.JobEntry;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows one job. */
@Command(
    name = "status",
    description = "Show how a job is, and how it has ended.",
    footerHeading = "%nExamples:%n",
    footer = {"  aktis job status job-7", "  aktis job status job-7 --json"},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:Done, whatever became of the job.",
      "1:There is no such job, or no cluster gives an answer; standard error says why.",
      "2:The command line was wrong."
    })
final class JobStatusCommand extends HeadCommand {
  @Option(names = "--json", description = "Print one JSON object; times are UTC.")
  private boolean json;

  @Parameters(paramLabel = "JOB", description = "Its id, such as job-7.")
  private String job;

  @SuppressWarnings("NullAway.Init") // picocli sets the job
  JobStatusCommand() {}

  @Override
  int run(JobClient head) throws IOException {
    JobEntry entry = head.get(job);
    JobText text = new JobText(entry);
    if (json) {
      out().println(JobText.JSON_WITH_NULLS.asString(text.toMap()));
    } else {
      text.print(out());
    }
    out().flush();
    return ExitCode.OK;
  }
}
