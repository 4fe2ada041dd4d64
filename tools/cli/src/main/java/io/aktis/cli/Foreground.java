package io.aktis.cli;

import io.aktis.cluster.session.NodeLauncher.Started;
import io.aktis.cluster.session.NodeStopper;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;

/** A node that lives as long as this process. Confined to one thread. */
final class Foreground {
  private static final Duration GRACE = Duration.ofSeconds(10);
  private static final int SHOWN_LINES = 20;

  private final Started started;
  private final PrintWriter err;

  Foreground(Started started, PrintWriter err) {
    this.started = started;
    this.err = err;
  }

  /**
   * Waits for the end of the node, and ends it when this process is told to end.
   *
   * @return the exit code
   * @throws CommandFailure when the node died
   */
  int await() throws InterruptedException {
    Thread stopper = new Thread(this::stop, "end-node");
    Runtime.getRuntime().addShutdownHook(stopper);
    int code = started.process().waitFor();
    List<String> lines = started.directory().lastLines(SHOWN_LINES);
    Runtime.getRuntime().removeShutdownHook(stopper);
    stop(); // deletes what is left of it
    if (code == 0) {
      return ExitCode.OK;
    }
    throw new CommandFailure(
        ExitCode.FAILED,
        "the node died with code "
            + code
            + "\nThe last lines of its output\n    "
            + String.join("\n    ", lines),
        "");
  }

  private void stop() {
    try {
      new NodeStopper(GRACE).stop(List.of(started.directory()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IllegalStateException e) {
      err.println("The node could not be ended: " + e.getMessage());
      err.flush();
    }
  }
}
