package io.aktis.cluster.node;

import io.aktis.cluster.node.NodeCode.Held;
import io.aktis.core.job.JobEffect;
import io.aktis.core.job.JobEvent;
import io.aktis.core.job.JobId;
import io.aktis.core.job.JobLimits;
import io.aktis.core.job.JobMachine;
import io.aktis.core.job.JobStatus;
import io.aktis.wire.message.JobEntry;
import io.aktis.wire.message.JobState;
import io.aktis.wire.message.SubmitJob;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The submitted jobs of a head: hosts the machine that decides about them, and carries out what it
 * decides. Belongs to the loop, but for what says otherwise.
 */
final class JobDesk {
  private static final Logger LOG = LoggerFactory.getLogger(JobDesk.class);

  private final NodeConfig config;
  private final NodeLoop loop;
  private final Path directory;
  private final JobMachine machine = new JobMachine(JobLimits.DEFAULT);

  /** Those that the machine knows; read from any thread when the loop is gone. */
  private final Map<JobId, JobDriver> drivers = new ConcurrentHashMap<>();

  private final Map<JobId, List<Runnable>> waiters = new LinkedHashMap<>();
  private final List<Runnable> idleWaiters = new ArrayList<>();

  /** The clock of the machine never goes back: that of the system at the start, and what passed. */
  private final long startMs;

  private volatile String address = "";

  JobDesk(NodeConfig config, NodeLoop loop) {
    this.config = config;
    this.loop = loop;
    this.directory = config.sessionDir().resolve("jobs-" + config.node());
    this.startMs = System.currentTimeMillis() - loop.nowMs();
  }

  /** Tells the address of the node; to be called before the first job. Any thread. */
  void nodeIsAt(String advertised) {
    address = advertised;
  }

  // ---- jobs -----------------------------------------------------------------------------------

  /** Returns why no job can be taken now; empty when one can. */
  Optional<String> refusal() {
    return machine.refusal();
  }

  /** Takes a job, when there is no refusal. */
  JobEntry submit(SubmitJob spec, Held code) {
    JobId job = machine.nextId();
    JobDriver driver =
        new JobDriver(job, spec, code, directory.resolve(job.toString()), listener(job));
    drivers.put(job, driver);
    LOG.info("{} is {} with main class {}", job, spec.getProgram(), spec.getMainClass());
    tell(new JobEvent.Submitted(job));
    return entry(job).orElseThrow();
  }

  /** Brings what happens to a process to the loop. */
  private JobProcess.Listener listener(JobId job) {
    return new JobProcess.Listener() {
      @Override
      public void started(long pid) {
        loop.post(() -> tell(new JobEvent.Started(job, pid)));
      }

      @Override
      public void failed(String reason) {
        loop.post(() -> tell(new JobEvent.StartFailed(job, reason)));
      }

      @Override
      public void ended(int exitCode) {
        loop.post(() -> tell(new JobEvent.Ended(job, exitCode)));
      }
    };
  }

  /** Returns how all jobs are, in the order in which they came. */
  List<JobEntry> entries() {
    return machine.all().stream().map(this::entry).toList();
  }

  /** Returns how a job is; empty when there is none of this id. */
  Optional<JobEntry> entry(JobId job) {
    return machine.status(job).map(this::entry);
  }

  /** Returns the log of a job; empty when there is none of this id. */
  Optional<JobLog> log(JobId job) {
    return Optional.ofNullable(drivers.get(job)).map(JobDriver::log);
  }

  private JobEntry entry(JobStatus status) {
    SubmitJob spec = driver(status.job()).spec();
    JobEntry.Builder entry =
        JobEntry.newBuilder()
            .setJob(status.job().toString())
            .setProgram(spec.getProgram())
            .setMainClass(spec.getMainClass())
            .setState(JobState.valueOf(status.state().name()))
            .setStopping(status.isStopping())
            .setSubmittedAtMs(status.submittedAtMs())
            .setStartedAtMs(status.startedAtMs())
            .setEndedAtMs(status.endedAtMs())
            .setReason(status.reason())
            .setPid(status.pid());
    status.exitCode().ifPresent(entry::setExitCode);
    return entry.build();
  }

  private JobDriver driver(JobId job) {
    return Objects.requireNonNull(drivers.get(job), "a job that the machine knows has its driver");
  }

  // ---- the end --------------------------------------------------------------------------------

  /** Asks a job that is not over to end; {@code over} is called when it has. */
  void stop(JobId job, long graceMs, Runnable over) {
    waiters.computeIfAbsent(job, ignored -> new ArrayList<>()).add(over);
    tell(new JobEvent.StopAsked(job, graceMs));
  }

  /** Takes no more jobs, and asks all to end; {@code over} is called when they have. */
  void stopAll(long graceMs, Runnable over) {
    idleWaiters.add(over);
    tell(new JobEvent.Closing(graceMs));
  }

  /** Time has passed. */
  void tick() {
    tell(new JobEvent.Tick());
  }

  /**
   * Kills all processes, when the loop is not there to do it in order. Any thread.
   *
   * @return whether all have ended in time
   */
  boolean killAll(long timeoutMs) throws InterruptedException {
    List<JobDriver> all = List.copyOf(drivers.values());
    all.forEach(driver -> driver.process().kill());
    long deadlineNanos = System.nanoTime() + timeoutMs * 1_000_000;
    boolean ended = true;
    for (JobDriver driver : all) {
      long leftMs = Math.max(1, (deadlineNanos - System.nanoTime()) / 1_000_000);
      ended &= driver.process().awaitEnd(leftMs);
    }
    return ended;
  }

  /** Ends what waits for logs, and deletes all files. When no job is there; any thread. */
  void close() {
    drivers.values().forEach(driver -> driver.log().over());
    JobDriver.delete(directory);
  }

  // ---- the machine ----------------------------------------------------------------------------

  private void tell(JobEvent event) {
    machine.on(event, startMs + loop.nowMs(), this::carryOut);
    if (machine.isIdle() && !idleWaiters.isEmpty()) {
      List<Runnable> all = List.copyOf(idleWaiters);
      idleWaiters.clear();
      all.forEach(Runnable::run);
    }
  }

  private void carryOut(JobEffect effect) {
    switch (effect) {
      case JobEffect.Launch(JobId job) -> driver(job).start(config, address);
      case JobEffect.Terminate(JobId job) -> driver(job).process().terminate();
      case JobEffect.Kill(JobId job) -> driver(job).process().kill();
      case JobEffect.Record(JobId job) -> LOG.debug("{}", job);
      case JobEffect.TellOver(JobId job) -> {
        driver(job).over();
        // After the event: whoever waits asks the machine.
        List<Runnable> waiting = waiters.remove(job);
        if (waiting != null) {
          waiting.forEach(loop::post);
        }
      }
      case JobEffect.Forget(JobId job) ->
          Objects.requireNonNull(drivers.remove(job), "a job is forgotten once").forget();
    }
  }
}
