package io.aktis.cli;

import io.aktis.cluster.session.ClusterClient;
import io.aktis.cluster.session.LocalCluster;
import io.aktis.wire.message.HealthReply;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Tells whether a node can take work. */
@Command(
    name = "healthcheck",
    description = "Tell whether a node can take work: by the exit code, and in a line.",
    footerHeading = "%nExamples:%n",
    footer = {"  aktis healthcheck", "  aktis healthcheck --address 10.0.0.5:6380"},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:It can.",
      "1:It cannot, or gives no answer; standard error says why.",
      "2:The command line was wrong."
    })
final class HealthcheckCommand extends ClusterCommand {
  @Option(
      names = "--address",
      paramLabel = "HOST:PORT",
      converter = Address.OfCluster.class,
      description = "The node, or auto [AKTIS_ADDRESS, or auto].")
  private @Nullable String address;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "The token of the cluster [AKTIS_TOKEN, or that of this user].")
  private @Nullable Path tokenFile;

  @Mixin private TlsOption tls = new TlsOption();

  @Override
  int run() {
    String asked = address != null ? address : Address.fromEnvironment(LocalCluster.AUTO);
    HealthReply reply;
    try (ClusterClient client =
        ClusterClient.open(LocalCluster.find(asked, tokenFile, tls.directory()))) {
      reply = client.health();
    }
    if (!reply.getReady()) {
      throw new CommandFailure(ExitCode.FAILED, "the node is not ready: " + reply.getReason(), "");
    }
    out().println("ready");
    out().flush();
    return ExitCode.OK;
  }
}
