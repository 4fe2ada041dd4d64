package io.aktis.cli;

import io.aktis.cluster.tls.ClusterCa;
import io.aktis.cluster.tls.TlsException;
import io.aktis.cluster.tls.TlsFiles;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Makes a CA and a first certificate. */
@Command(
    name = "init",
    description = {
      "Make a CA for a cluster and a first certificate, which may serve all its machines.",
      "",
      "Files that exist are never overwritten. Only you can read what is made."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  aktis tls init", "  aktis tls init --dir /etc/aktis/tls --days 90"},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:Done.",
      "1:Nothing was made; standard error says why.",
      "2:The command line was wrong."
    })
final class TlsInitCommand extends ClusterCommand {
  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Where the files go [AKTIS_TLS_DIR, or ~/.aktis/tls].")
  private @Nullable Path directory;

  @Mixin private TlsMaking making = new TlsMaking();

  @Override
  int run() throws TlsException {
    Path where = TlsMaking.directory(directory);
    TlsFiles files = ClusterCa.init(where, making.hosts(), making.validity());
    out().println("Made in " + where + ":");
    TlsMaking.print(out(), files);
    out().println("  " + ClusterCa.CA_KEY + "     the key of the CA, a secret: makes certificates");
    String tls = TlsMaking.option(where);
    out().println();
    out().println("Start each node of the cluster with it:");
    out().println("  aktis start --head " + tls);
    out().println("  aktis start --address HOST:PORT " + tls);
    out().println();
    out().println("Copy to each other machine that has a node or a program of the cluster, mode");
    out().println("600: ca.pem, node.pem and node-key.pem, or what 'aktis tls issue' makes.");
    out()
        .println(
            "Keep " + ClusterCa.CA_KEY + " where no node is: who has it can join the cluster.");
    out().flush();
    return ExitCode.OK;
  }
}
