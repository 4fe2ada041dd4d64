package io.aktis.cluster.node;

import io.aktis.cluster.session.JobEnvironment;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The driver of one submitted job as a process: started, read, told to end, killed, and buried with
 * all that it has started. Thread-safe; {@link #launch} waits, the others do not unless they say
 * so.
 */
final class JobProcess {
  /**
   * Every process of a job inherits this variable with the directory of the job, which is its own.
   */
  static final String MARK = JobEnvironment.JOB_DIR;

  private static final Logger LOG = LoggerFactory.getLogger(JobProcess.class);
  private static final long READ_REST_MS = 2_000;
  private static final int BUFFER_BYTES = 16 << 10;

  private final String name;
  private final String mark;
  private final JobLog log;
  private final Listener listener;
  private @Nullable Process process;
  private boolean killed;

  /** Makes the command of the process; may wait. */
  interface Command {
    ProcessBuilder make() throws IOException;
  }

  /** Hears of the process: that it runs and then that it is gone, or that it cannot be started. */
  interface Listener {
    void started(long pid);

    void failed(String reason);

    /** The process is gone with all that it has started, and what it printed is in the log. */
    void ended(int exitCode);
  }

  /**
   * Makes one that is not started.
   *
   * @param name for threads and messages
   * @param mark the variable {@link #MARK} with its value and = between
   */
  JobProcess(String name, String mark, JobLog log, Listener listener) {
    this.name = name;
    this.mark = mark;
    this.log = log;
    this.listener = listener;
  }

  /** Starts the process, unless it was killed before that, and waits for its end. */
  void launch(Command command) {
    Process started;
    try {
      started = start(command.make());
    } catch (IOException | RuntimeException e) {
      log.close();
      listener.failed("its process could not be started: " + WireForms.words(e));
      return;
    }
    if (started == null) {
      log.close();
      listener.failed("it was killed before it was started");
      return;
    }
    listener.started(started.pid());
    // A platform thread: a read of a pipe holds the carrier of a virtual thread.
    Thread output =
        Thread.ofPlatform().name("aktis-output-" + name).daemon().start(() -> read(started));
    try {
      started.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // nobody interrupts the thread of a job
      return;
    }
    bury(started, output);
  }

  private synchronized @Nullable Process start(ProcessBuilder builder) throws IOException {
    if (!killed) {
      process = builder.start();
    }
    return process;
  }

  private void read(Process started) {
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream in = started.getInputStream()) {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        log.write(buffer, count);
      }
    } catch (IOException e) {
      LOG.debug("the output of {} ends: {}", name, e.toString());
    }
  }

  private void bury(Process ended, Thread output) {
    if (!ProcessTree.killLeft(mark, ended.pid())) {
      LOG.warn("something that {} has started cannot be killed", name);
    }
    try {
      output.join(READ_REST_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try {
      ended.getOutputStream().close();
    } catch (IOException e) {
      LOG.debug("the input of {} was broken: {}", name, e.toString());
    }
    log.close();
    listener.ended(ended.exitValue());
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
      killed = true;
      target = process;
    }
    if (target != null) {
      Thread.startVirtualThread(() -> ProcessTree.kill(target.toHandle()));
    }
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
