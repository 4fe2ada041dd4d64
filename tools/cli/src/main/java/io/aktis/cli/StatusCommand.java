package io.aktis.cli;

import com.fasterxml.jackson.jr.ob.JSON;
import io.aktis.cluster.session.ClusterClient;
import io.aktis.cluster.session.LocalCluster;
import io.aktis.wire.message.StatusReply;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
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
  @Option(
      names = "--address",
      paramLabel = "HOST:PORT",
      converter = Address.OfCluster.class,
      description = "A node of the cluster, or auto [AKTIS_ADDRESS, or auto].")
  private @Nullable String address;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "The token of the cluster [AKTIS_TOKEN, or that of this user].")
  private @Nullable Path tokenFile;

  @Mixin private TlsOption tls = new TlsOption();

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  int run() throws IOException {
    String asked = address != null ? address : Address.fromEnvironment(LocalCluster.AUTO);
    StatusReply reply;
    try (ClusterClient client =
        ClusterClient.open(LocalCluster.find(asked, tokenFile, tls.directory()))) {
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
