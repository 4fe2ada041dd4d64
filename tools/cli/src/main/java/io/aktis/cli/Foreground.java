package io.aktis.cli;

import io.aktis.cluster.session.NodeLauncher.Tethered;
import java.util.List;

/** A node that lives as long as this process. Confined to one thread. */
final class Foreground {
  static final int SHOWN_LINES = 20;

  private final Tethered tethered;

  Foreground(Tethered tethered) {
    this.tethered = tethered;
  }

  /**
   * Waits for the end of the node, which also comes when this process is told to end.
   *
   * @return the exit code
   * @throws CommandFailure when the node died
   */
  int await() throws InterruptedException {
    int code = tethered.node().process().waitFor();
    List<String> lines = tethered.node().directory().lastLines(SHOWN_LINES);
    boolean byItself = tethered.tether().end(); // deletes what is left of it
    if (code == 0 || !byItself) {
      return ExitCode.OK;
    }
    throw new CommandFailure(
        ExitCode.FAILED, "the node died with code " + code + output(lines), "");
  }

  /** Returns the last lines of a daemon as they are told after what became of it. */
  static String output(List<String> lines) {
    return "\nThe last lines of its output\n    " + String.join("\n    ", lines);
  }
}
