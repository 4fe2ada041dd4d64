package io.aktis.cluster.node;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process that runs for a node, with all that it starts in its turn: started, read, told to end,
 * killed, and buried. Thread-safe; {@link #launch} waits, the others do not unless they say so.
 */
final class ChildProcess {
  private static final Logger LOG = LoggerFactory.getLogger(ChildProcess.class);
  private static final long READ_REST_MS = 2_000;

  private final String name;
  private final String mark;
  private final Listener listener;
  private @Nullable Process process;
  private boolean killed;

  /** Makes the command of a process; may wait. */
  interface Command {
    ProcessBuilder make() throws IOException;
  }

  /**
   * Hears of the process: that it runs and what it prints, and at last that it is gone; or only
   * that it cannot be started.
   */
  interface Listener {
    /** It runs. */
    void started(long pid);

    /** Reads what it prints up to the end; on a thread of each of its two outputs. */
    void read(long pid, boolean error, InputStream output) throws IOException;

    /** It could not be started, or was killed before that. */
    void failed(String reason);

    /** It is gone with all that it has started, and what it printed has been read. */
    void ended(long pid, int exitCode);
  }

  /**
   * Makes one that is not started.
   *
   * @param name for threads and messages
   * @param mark the variable that all of its processes inherit and no others have, and its value,
   *     with = between
   */
  ChildProcess(String name, String mark, Listener listener) {
    this.name = name;
    this.mark = mark;
    this.listener = listener;
  }

  /** Starts the process, unless it was killed before that, and waits for its end. */
  void launch(Command command) {
    Process started;
    try {
      started = start(command.make());
    } catch (IOException | RuntimeException e) {
      listener.failed("its process could not be started: " + WireForms.words(e));
      return;
    }
    if (started == null) {
      listener.failed("it was killed before it was started");
      return;
    }
    long pid = started.pid();
    listener.started(pid);
    List<Thread> readers =
        List.of(
            reading(pid, false, started.getInputStream()),
            reading(pid, true, started.getErrorStream()));
    try {
      started.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // nobody interrupts the thread of a process
      return;
    }
    bury(started, readers);
  }

  private synchronized @Nullable Process start(ProcessBuilder builder) throws IOException {
    if (!killed) {
      process = builder.start();
    }
    return process;
  }

  /**
   * A platform thread: a read of a pipe holds the carrier of a virtual thread, and there may be
   * more processes than carriers.
   */
  private Thread reading(long pid, boolean error, InputStream output) {
    return Thread.ofPlatform()
        .name("aktis-output-" + name)
        .daemon()
        .start(() -> {
          try (output) {
            listener.read(pid, error, output);
          } catch (IOException e) {
            LOG.debug("the output of {} ends: {}", name, e.toString());
          }
        });
  }

  private void bury(Process ended, List<Thread> readers) {
    if (!ProcessTree.killLeft(mark, ended.pid())) {
      LOG.warn("something that {} has started cannot be killed", name);
    }
    try {
      for (Thread reader : readers) {
        reader.join(READ_REST_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try {
      ended.getOutputStream().close();
    } catch (IOException e) {
      LOG.debug("the input of {} was broken: {}", name, e.toString());
    }
    listener.ended(ended.pid(), ended.exitValue());
  }

  /** Tells the process to end, as SIGTERM does. */
  synchronized void terminate() {
    if (process != null) {
      process.toHandle().destroy(); // Process.destroy would also close its input and output
    }
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

  /** Returns whether it was killed from here, or will be when it starts. */
  synchronized boolean isKilled() {
    return killed;
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
