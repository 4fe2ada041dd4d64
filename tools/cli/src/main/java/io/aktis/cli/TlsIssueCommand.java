package io.aktis.cli;

import io.aktis.cluster.tls.ClusterCa;
import io.aktis.cluster.tls.TlsException;
import io.aktis.cluster.tls.TlsFiles;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Makes another certificate of a CA that is there. */
@Command(
    name = "issue",
    description = {
      "Make another certificate with the CA of a cluster: for one more machine, or a new one in"
          + " place of one that ends soon.",
      "",
      "Only you can read what is made."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  aktis tls issue --dir for-node-2",
      "  aktis tls issue --ca /etc/aktis/ca --dir /etc/aktis/tls --renew"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:Done.",
      "1:There is no new certificate; standard error says why.",
      "2:The command line was wrong."
    })
final class TlsIssueCommand extends ClusterCommand {
  @Option(
      names = "--ca",
      paramLabel = "DIR",
      description = "Has ca.pem and ca-key.pem [AKTIS_TLS_DIR, or ~/.aktis/tls].")
  private @Nullable Path caDirectory;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      required = true,
      description = "Where ca.pem, node.pem and node-key.pem go.")
  private Path directory;

  @Option(
      names = "--renew",
      description =
          "Replace node.pem and node-key.pem that are there. Processes take the new ones for their"
              + " next connections.")
  private boolean renew;

  @Mixin private TlsMaking making = new TlsMaking();

  @SuppressWarnings("NullAway.Init") // picocli sets the directory
  TlsIssueCommand() {}

  @Override
  int run() throws TlsException {
    Path where = directory.toAbsolutePath().normalize();
    if (!renew) {
      checkNew(TlsFiles.in(where));
    }
    Path ca = TlsMaking.directory(caDirectory);
    TlsFiles files = ClusterCa.issue(ca, where, making.hosts(), making.validity());
    out().println((renew ? "Renewed in " : "Made in ") + where + ":");
    TlsMaking.print(out(), files);
    out().flush();
    return ExitCode.OK;
  }

  private static void checkNew(TlsFiles files) {
    for (Path file : new Path[] {files.certificate(), files.key()}) {
      if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
        throw new CommandFailure(
            ExitCode.FAILED,
            file + " exists already; it is not overwritten",
            "--renew replaces the certificate and its key");
      }
    }
  }
}
