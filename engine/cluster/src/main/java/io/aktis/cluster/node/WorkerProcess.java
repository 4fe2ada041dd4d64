package io.aktis.cluster.node;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One worker process: its lines are written and passed on, and its end is told with the last of
 * them. Thread-safe; {@link #launch} waits, the others do not.
 */
final class WorkerProcess {
  private static final int LAST_LINES = 10;
  private static final int SIGNAL_BASE = 128;
  private static final int MAX_SIGNAL = 64;
  private static final int SIGKILL = 9;

  /** The exit code of a JVM that ends because of {@code -XX:+ExitOnOutOfMemoryError}. */
  private static final int OUT_OF_MEMORY_CODE = 3;

  private final String id;
  private final WorkerLog file;
  private final @Nullable LogRelay relay;
  private final Listener listener;
  private final ChildProcess process;
  private final ArrayDeque<String> lastLines = new ArrayDeque<>();
  private boolean sawOutOfMemory;

  /** Hears of the end. */
  interface Listener {
    /** The process runs. */
    void runs();

    /**
     * The process is gone with all that it has started, or could not be started. Called once.
     *
     * @param byItself whether it was not killed from here
     */
    void gone(String reason, boolean outOfMemory, boolean byItself);
  }

  /**
   * Makes one that is not started.
   *
   * @param relay where its lines go besides the file, or null
   */
  WorkerProcess(String id, WorkerLog file, @Nullable LogRelay relay, Listener listener) {
    this.id = id;
    this.file = file;
    this.relay = relay;
    this.listener = listener;
    this.process = new ChildProcess(id, ProcessTree.MARK + "=" + id, new Events());
  }

  String id() {
    return id;
  }

  /** Starts the process, unless it was killed before that, and waits for its end. */
  void launch(ChildProcess.Command command) {
    process.launch(command);
  }

  /** Returns whether it was killed from here, or will be when it starts. */
  boolean isKilled() {
    return process.isKilled();
  }

  /** Kills the process and all that it has started. */
  void kill() {
    process.kill();
  }

  /** Waits for the end of the process itself; true when it has ended or was never started. */
  boolean awaitEnd(long timeoutMs) throws InterruptedException {
    return process.awaitEnd(timeoutMs);
  }

  private final class Events implements ChildProcess.Listener {
    @Override
    public void started(long pid) {
      listener.runs();
    }

    @Override
    public void read(long pid, boolean error, InputStream output) throws IOException {
      new LinePump(text -> line(pid, error, text)).run(output);
    }

    @Override
    public void failed(String reason) {
      file.close();
      listener.gone(reason, false, !isKilled());
    }

    @Override
    public void ended(long pid, int exitCode) {
      file.close();
      gone(pid, exitCode);
    }
  }

  private void line(long pid, boolean error, String text) {
    file.write(text);
    if (relay != null) {
      relay.add(new LogRelay.Line(id, pid, error, text));
    }
    synchronized (lastLines) {
      sawOutOfMemory |= text.contains("java.lang.OutOfMemoryError");
      lastLines.add(text);
      if (lastLines.size() > LAST_LINES) {
        lastLines.remove();
      }
    }
  }

  private void gone(long pid, int code) {
    List<String> last;
    boolean outOfMemory;
    synchronized (lastLines) {
      last = List.copyOf(lastLines);
      outOfMemory = code == OUT_OF_MEMORY_CODE && sawOutOfMemory;
    }
    // It may have ended without our doing just before it was killed.
    boolean byItself = !isKilled() || code != SIGNAL_BASE + SIGKILL;
    listener.gone(words(pid, code, last), outOfMemory, byItself);
  }

  private static String words(long pid, int code, List<String> last) {
    boolean signal = code > SIGNAL_BASE && code <= SIGNAL_BASE + MAX_SIGNAL;
    String how =
        signal ? "was killed by signal " + (code - SIGNAL_BASE) : "ended with exit code " + code;
    String what = String.format(Locale.ROOT, "its process %d %s", pid, how);
    return last.isEmpty() ? what : what + "; its last lines:\n  " + String.join("\n  ", last);
  }
}
