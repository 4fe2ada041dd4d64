package io.aktis.cluster.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * Names one process for as long as the machine runs: numbers of processes are used again, but not
 * together with the moment of birth. Immutable.
 *
 * @param pid the number of the process
 * @param birth when it was born, for comparison only
 */
public record ProcessMark(long pid, String birth) {
  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

  /** Fields of the kernel's line about a process, counted from the one after its name. */
  private static final int STATE = 0;

  private static final int THREADS = 17;
  private static final int START_TICKS = 19;

  /** Returns the mark of this process. */
  public static ProcessMark current() {
    return of(ProcessHandle.current());
  }

  /** Returns the mark of a process; of one that is gone, a mark that nothing has. */
  public static ProcessMark of(ProcessHandle process) {
    return new ProcessMark(process.pid(), birth(process));
  }

  /** Returns the process, if it still runs. One that has ended and was not waited for does not. */
  public Optional<ProcessHandle> process() {
    return ProcessHandle.of(pid).filter(handle -> !birth.isEmpty() && birth(handle).equals(birth));
  }

  /**
   * On Linux the kernel's ticks since the machine was started: what the JDK tells is computed with
   * the clock on the wall, and would change when somebody sets that.
   */
  private static String birth(ProcessHandle process) {
    if (!Files.exists(BOOT)) {
      return process.isAlive()
          ? process.info().startInstant().map(Instant::toString).orElse("")
          : "";
    }
    try {
      String status = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
      String[] fields = status.substring(status.lastIndexOf(')') + 2).split(" ");
      // Its threads may outlive the first one by a moment, with all files and ports.
      boolean ended = "ZX".contains(fields[STATE]) && Integer.parseInt(fields[THREADS]) <= 1;
      return ended ? "" : Files.readString(BOOT).strip() + "/" + fields[START_TICKS];
    } catch (IOException e) {
      return ""; // it is gone
    }
  }
}
