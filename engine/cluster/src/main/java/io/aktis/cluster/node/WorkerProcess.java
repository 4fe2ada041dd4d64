package io.aktis.cluster.node;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One worker process: started, read, killed, and buried with all that it has started. Thread-safe;
 * {@link #launch} waits, the others do not.
 */
final class WorkerProcess {
  private static final Logger LOG = LoggerFactory.getLogger(WorkerProcess.class);
  private static final int LAST_LINES = 10;
  private static final long READ_REST_MS = 2_000;
  private static final int SIGNAL_BASE = 128;
  private static final int MAX_SIGNAL = 64;
  private static final int SIGKILL = 9;

  /** The exit code of a JVM that ends because of {@code -XX:+ExitOnOutOfMemoryError}. */
  private static final int OUT_OF_MEMORY_CODE = 3;

  private final String id;
  private final WorkerLog file;
  private final @Nullable LogRelay relay;
  private final Listener listener;
  private final ArrayDeque<String> lastLines = new ArrayDeque<>();
  private @Nullable Process process;
  private boolean killed;
  private boolean sawOutOfMemory;

  /** Makes the command of a process; may wait. */
  interface Command {
    ProcessBuilder make() throws IOException;
  }

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
  }

  String id() {
    return id;
  }

  /** Starts the process, unless it was killed before that, and waits for its end. */
  void launch(Command command) {
    Process started;
    try {
      ProcessBuilder builder = command.make();
      started = start(builder);
    } catch (IOException | RuntimeException e) {
      file.close();
      listener.gone("its process could not be started: " + WireForms.words(e), false, !isKilled());
      return;
    }
    if (started == null) {
      file.close();
      listener.gone("it was killed before it was started", false, false);
      return;
    }
    listener.runs();
    // Platform threads: a read of a pipe holds the carrier of a virtual thread, and there may be
    // more workers than carriers.
    Thread out = pump(started, started.getInputStream(), false);
    Thread err = pump(started, started.getErrorStream(), true);
    try {
      started.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // nobody interrupts the thread of a worker
      return;
    }
    ended(started, out, err);
  }

  private synchronized @Nullable Process start(ProcessBuilder builder) throws IOException {
    if (!killed) {
      process = builder.start();
    }
    return process;
  }

  /** Returns whether it was killed from here, or will be when it starts. */
  synchronized boolean isKilled() {
    return killed;
  }

  /** Kills the process and all that it has started. */
  void kill() {
    Process target;
    synchronized (this) {
      target = process;
      killed |= target == null || target.isAlive();
    }
    if (target != null) {
      Thread.startVirtualThread(() -> ProcessTree.kill(target.toHandle()));
    }
  }

  private Thread pump(Process started, InputStream in, boolean error) {
    LinePump lines = new LinePump(text -> line(started.pid(), error, text));
    Thread thread =
        Thread.ofPlatform()
            .name("aktis-output-" + id)
            .daemon()
            .unstarted(() -> {
              try (in) {
                lines.run(in);
              } catch (IOException e) {
                LOG.debug("the output of worker {} ends: {}", id, e.toString());
              }
            });
    thread.start();
    return thread;
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

  private void ended(Process started, Thread out, Thread err) {
    if (!ProcessTree.killLeft(ProcessTree.MARK + "=" + id, started.pid())) {
      LOG.warn("something that worker {} has started cannot be killed", id);
    }
    try {
      out.join(READ_REST_MS);
      err.join(READ_REST_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try {
      started.getOutputStream().close();
    } catch (IOException e) {
      LOG.debug("the input of worker {} was broken: {}", id, e.toString());
    }
    file.close();
    int code = started.exitValue();
    List<String> last;
    boolean outOfMemory;
    synchronized (lastLines) {
      last = List.copyOf(lastLines);
      outOfMemory = code == OUT_OF_MEMORY_CODE && sawOutOfMemory;
    }
    listener.gone(words(started.pid(), code, last), outOfMemory, byItself(code));
  }

  /** Whether a process has ended without our doing, perhaps just before we killed it. */
  private synchronized boolean byItself(int code) {
    return !killed || code != SIGNAL_BASE + SIGKILL;
  }

  private String words(long pid, int code, List<String> last) {
    boolean signal = code > SIGNAL_BASE && code <= SIGNAL_BASE + MAX_SIGNAL;
    String how =
        signal ? "was killed by signal " + (code - SIGNAL_BASE) : "ended with exit code " + code;
    String what = String.format(Locale.ROOT, "its process %d %s", pid, how);
    return last.isEmpty() ? what : what + "; its last lines:\n  " + String.join("\n  ", last);
  }

  /** Waits for the end of the process itself; true when it has ended or was never started. */
  boolean awaitEnd(long timeoutMs) throws InterruptedException {
    Process target;
    synchronized (this) {
      target = process;
    }
    return target == null || target.waitFor(timeoutMs, TimeUnit.MILLISECONDS);
  }
}
