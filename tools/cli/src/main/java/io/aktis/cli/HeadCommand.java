package io.aktis.cli;

import io.aktis.cluster.session.JobClient;
import java.io.IOException;
import picocli.CommandLine.Mixin;

/** What the commands about submitted jobs have in common: they ask the head of a cluster. */
abstract class HeadCommand extends ClusterCommand {
  @Mixin private ClusterOption cluster = new ClusterOption();

  @Override
  final int run() throws IOException, InterruptedException {
    prepare();
    try (JobClient head = JobClient.open(cluster.find())) {
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
    return cluster.forOtherCommands();
  }
}
