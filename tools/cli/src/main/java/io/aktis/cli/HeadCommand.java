package io.aktis.cli;

import io.aktis.cluster.session.JobClient;
import io.aktis.cluster.session.LocalCluster;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the commands about submitted jobs have in common: they ask the head of a cluster. */
abstract class HeadCommand extends ClusterCommand {
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

  @Override
  final int run() throws IOException, InterruptedException {
    prepare();
    String asked = address != null ? address : Address.fromEnvironment(LocalCluster.AUTO);
    try (JobClient head = JobClient.open(LocalCluster.find(asked, tokenFile, tls.directory()))) {
      return run(head);
    }
  }

  /** Does what has to be right before anybody is asked. */
  void prepare() throws IOException {}

  /**
   * Does the work of the command.
   *
   * @return the exit code
   * @throws IllegalStateException when it cannot be done; told as it is
   */
  abstract int run(JobClient head) throws IOException, InterruptedException;

  /** Returns the option that names the cluster to another command, with a space before it. */
  final String addressOption() {
    return address == null || address.equals(LocalCluster.AUTO)
        ? ""
        : " --address " + address.replace("aktis://", "");
  }
}
