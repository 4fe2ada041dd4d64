package io.aktis.cli;

import com.fasterxml.jackson.jr.ob.JSON;
import io.aktis.cluster.session.ClusterClient;
import io.aktis.wire.message.StatusReply;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows the nodes of a cluster and what waits. */
@Command(
    name = "status",
    description = "Show the nodes of a cluster, what they have, and what work waits for.",
    footerHeading = "%nExamples:%n",
    footer = {"  aktis status", "  aktis status --address 10.0.0.5:6380 --json"},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:Done.",
      "1:No cluster runs there, or it gives no answer; standard error says why.",
      "2:The command line was wrong."
    })
final class StatusCommand extends ClusterCommand {
  @Mixin private ClusterOption cluster = new ClusterOption();

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  int run() throws IOException {
    StatusReply reply;
    try (ClusterClient client = ClusterClient.open(cluster.find())) {
      reply = client.status(false);
    }
    ClusterStatus status = new ClusterStatus(reply);
    if (json) {
      out().println(JSON.std.asString(status.toMap()));
    } else {
      status.print(out());
    }
    out().flush();
    return ExitCode.OK;
  }
}
