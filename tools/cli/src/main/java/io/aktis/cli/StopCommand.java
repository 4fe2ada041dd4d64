package io.aktis.cli;

import io.aktis.cluster.session.LocalCluster;
import io.aktis.cluster.session.NodeDirectory;
import io.aktis.cluster.session.NodeStopper;
import io.aktis.cluster.session.NodeStopper.Stopped;
import io.aktis.cluster.session.SessionDirectory;
import io.aktis.wire.message.JobEntry;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Ends the nodes of a cluster on this machine. */
@Command(
    name = "stop",
    description = {
      "Stop the nodes of a cluster that you started on this machine, and delete what they leave.",
      "",
      "Jobs that were submitted to a head that is stopped end before it. What it knew of them is"
          + " deleted as well, unless its control store has a place of its own.",
      "",
      "Nodes on other machines go on; so do the clusters of other users, and processes that are no"
          + " part of the cluster."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  aktis stop", "  aktis stop --session 1f00c0ffee77 --grace 1m"},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:All are stopped, or none was running.",
      "1:There are several clusters and none was named, there is none of that name, or something"
          + " could not be stopped.",
      "2:The command line was wrong."
    })
final class StopCommand extends ClusterCommand {
  @Option(
      names = "--session",
      paramLabel = "ID",
      description = "The cluster to stop [the only one there is].")
  private @Nullable String session;

  @Option(
      names = "--grace",
      paramLabel = "TIME",
      defaultValue = "10s",
      converter = Amounts.Time.class,
      description = "How long nodes may take before they are killed [${DEFAULT-VALUE}].")
  private Duration grace;

  @SuppressWarnings("NullAway.Init") // picocli sets the grace
  StopCommand() {}

  @Override
  int run() throws InterruptedException {
    List<NodeDirectory> nodes = LocalCluster.nodesOf(session);
    if (nodes.isEmpty()) {
      List<String> forgotten = SessionDirectory.open().forget(session);
      if (!forgotten.isEmpty()) {
        forgotten.forEach(
            id -> out().println("Session " + id + " had died; what it left is deleted."));
        out().flush();
        return ExitCode.OK;
      }
      if (session != null) {
        throw new CommandFailure(
            ExitCode.FAILED,
            "no cluster of yours with session " + session + " is on this machine",
            "'aktis status' shows the one that runs");
      }
      out().println("No cluster of yours runs on this machine; there is nothing to stop.");
      return ExitCode.OK;
    }
    NodeStopper stopper = new NodeStopper(grace);
    for (JobEntry job : stopper.stopJobs(nodes)) {
      out().println("Job " + job.getJob() + " (" + job.getProgram() + ") is stopped.");
      out().flush();
    }
    String stopping = nodes.getFirst().sessionId();
    while (!nodes.isEmpty()) {
      for (Stopped stopped : stopper.stop(nodes)) {
        print(stopped);
      }
      nodes = LocalCluster.nodesOf(stopping); // somebody may have started one meanwhile
    }
    out().flush();
    return ExitCode.OK;
  }

  private void print(Stopped stopped) {
    String what = "Node " + stopped.node().number() + " of session " + stopped.node().sessionId();
    if (!stopped.wasRunning()) {
      out().println(what + " had died; what it left is deleted.");
    } else if (stopped.killed() == 0) {
      out().println(what + " is stopped.");
    } else {
      out()
          .println(
              what
                  + " did not end within "
                  + grace.toMillis() / 1e3
                  + " s and was killed ("
                  + stopped.killed()
                  + (stopped.killed() == 1 ? " process)." : " processes)."));
    }
    if (!stopped.problem().isEmpty()) {
      err().println("  It could not be told to stop: " + stopped.problem());
      err().flush();
    }
  }
}
