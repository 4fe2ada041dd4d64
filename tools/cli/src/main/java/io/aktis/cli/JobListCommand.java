package io.aktis.cli;

import io.aktis.cluster.session.JobClient;
import io.aktis.wire.message.JobEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows all jobs. */
@Command(
    name = "list",
    description = "Show the jobs of a cluster in the order in which they were submitted.",
    footerHeading = "%nExamples:%n",
    footer = {"  aktis job list", "  aktis job list --address 10.0.0.5:6380 --json"},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:Done, also when there are none.",
      "1:No cluster runs there, or it gives no answer; standard error says why.",
      "2:The command line was wrong."
    })
final class JobListCommand extends HeadCommand {
  @Option(
      names = "--json",
      description = "Print one JSON object with the list \"jobs\"; times are UTC.")
  private boolean json;

  @Override
  int run(JobClient head) throws IOException {
    List<JobEntry> jobs = head.list();
    if (json) {
      List<Map<String, @Nullable Object>> maps = new ArrayList<>();
      jobs.forEach(job -> maps.add(new JobText(job).toMap()));
      out().println(JobText.JSON_WITH_NULLS.asString(Map.of("jobs", maps)));
    } else if (jobs.isEmpty()) {
      out().println("No jobs. 'aktis submit PROGRAM' submits one.");
    } else {
      List<List<String>> rows = new ArrayList<>();
      rows.add(JobText.TITLES);
      jobs.forEach(job -> rows.add(new JobText(job).row()));
      Table.print(out(), rows);
    }
    out().flush();
    return ExitCode.OK;
  }
}
