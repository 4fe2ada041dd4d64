package io.aktis.cli;

import io.aktis.cluster.session.ClusterAccess;
import io.aktis.cluster.session.LocalCluster;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which cluster a command asks, and what it shows there. */
final class ClusterOption {
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

  /**
   * Finds the cluster.
   *
   * @throws IllegalStateException when there is none, or its token or certificates cannot be used
   */
  ClusterAccess find() {
    String asked = address != null ? address : Address.fromEnvironment(LocalCluster.AUTO);
    return LocalCluster.find(asked, tokenFile, tls.directory());
  }

  /** Returns the option that names the cluster to another command, with a space before it. */
  String forOtherCommands() {
    return address == null || address.equals(LocalCluster.AUTO)
        ? ""
        : " --address " + address.replace("aktis://", "");
  }
}
