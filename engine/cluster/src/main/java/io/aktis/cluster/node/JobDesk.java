package io.aktis.cluster.node;

import io.aktis.cluster.control.ControlBatch;
import io.aktis.cluster.control.ControlWriter;
import io.aktis.cluster.node.KeptJobs.PastJob;
import io.aktis.cluster.node.NodeCode.Held;
import io.aktis.cluster.session.MachineId;
import io.aktis.core.job.JobEffect;
import io.aktis.core.job.JobEvent;
import io.aktis.core.job.JobId;
import io.aktis.core.job.JobLimits;
import io.aktis.core.job.JobMachine;
import io.aktis.core.job.JobStatus;
import io.aktis.wire.message.JobEntry;
import io.aktis.wire.message.JobState;
import io.aktis.wire.message.KeptJob;
import io.aktis.wire.message.SubmitJob;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The submitted jobs of a head, for as long as it is the head: hosts the machine that decides about
 * them, carries out what it decides, and has it written down. A job is written down before it is
 * taken, so that no later head gives its id to another one. Belongs to the loop, but for what says
 * otherwise.
 */
final class JobDesk {
  private static final Logger LOG = LoggerFactory.getLogger(JobDesk.class);
  private static final String LOST =
      "it was lost: the head that ran it has ended, and its process with that";

  private final NodeConfig config;
  private final NodeLoop loop;
  private final HeadParts parts;
  private final ControlWriter writer;
  private final String address;
  private final JobMachine machine = new JobMachine(JobLimits.DEFAULT);

  /** Those that this head has taken; read from any thread when the loop is gone. */
  private final Map<JobId, JobDriver> drivers = new ConcurrentHashMap<>();

  /** Those of earlier heads. */
  private final Map<JobId, PastJob> past = new LinkedHashMap<>();

  private final Map<JobId, List<Runnable>> waiters = new LinkedHashMap<>();
  private final List<Runnable> idleWaiters = new ArrayList<>();

  /** The last id that was given away, perhaps to a job that is not taken yet. */
  private long lastNumber;

  /** The clock of the machine never goes back: that of the system at the start, and what passed. */
  private final long startMs;

  /**
   * Begins with the jobs of earlier heads.
   *
   * @param writer writes down what is to be kept; closed by who made it
   * @param address host and port of this node
   */
  JobDesk(
      NodeConfig config,
      NodeLoop loop,
      HeadParts parts,
      ControlWriter writer,
      String address,
      KeptJobs kept) {
    this.config = config;
    this.loop = loop;
    this.parts = parts;
    this.writer = writer;
    this.address = address;
    this.startMs = System.currentTimeMillis() - loop.nowMs();
    past.putAll(kept.jobs());
    List<JobStatus> found = past.values().stream().map(PastJob::status).toList();
    tell(new JobEvent.Resumed(kept.lastNumber(), found, LOST));
    lastNumber = machine.nextId().number() - 1;
  }

  // ---- jobs -----------------------------------------------------------------------------------

  /**
   * Takes a job, when it is written down; one of the two is called on the loop in a while.
   *
   * @param code its files; let go here in any case
   * @param taken hears of the job
   * @param refused hears why it is not taken
   */
  void submit(SubmitJob spec, Held code, Consumer<JobEntry> taken, Consumer<String> refused) {
    Optional<String> refusal = machine.refusal();
    if (refusal.isPresent()) {
      code.close();
      refused.accept(refusal.get());
      return;
    }
    JobId job = new JobId(++lastNumber);
    JobEntry entry =
        JobEntry.newBuilder()
            .setJob(job.toString())
            .setProgram(spec.getProgram())
            .setMainClass(spec.getMainClass())
            .setSubmittedAtMs(nowMs())
            .build();
    ControlBatch batch = KeptJobs.put(KeptJobs.putLast(new ControlBatch(), job), kept(entry));
    writer.tryWrite(
        batch,
        problem ->
            loop.post(() -> {
              String why = problem.isEmpty() ? machine.refusal().orElse("") : problem;
              if (why.isEmpty()) {
                taken.accept(take(job, spec, code));
              } else {
                // It may be there although the store has not said so.
                writer.keep(new ControlBatch().delete(KeptJobs.TABLE, job.toString()));
                code.close();
                refused.accept(why);
              }
            }));
  }

  private JobEntry take(JobId job, SubmitJob spec, Held code) {
    Path directory = directory(job.toString());
    drivers.put(job, new JobDriver(job, spec, code, directory, listener(job)));
    LOG.info("{} is {} with main class {}", job, spec.getProgram(), spec.getMainClass());
    tell(new JobEvent.Submitted(job));
    return entry(job).orElseThrow();
  }

  private Path directory(String job) {
    return parts.jobsDir().resolve(job);
  }

  private KeptJob kept(JobEntry entry) {
    return KeptJob.newBuilder()
        .setJob(entry)
        .setMachineId(MachineId.current())
        .setDirectory(directory(entry.getJob()).toString())
        .setHeadAddress(address)
        .build();
  }

  /** Brings what happens to a process to the loop. */
  private JobDriver.Listener listener(JobId job) {
    return new JobDriver.Listener() {
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

  /** Returns the log of a job; empty when there is none of this id, or its log is not here. */
  Optional<JobLog> log(JobId job) {
    PastJob before = past.get(job);
    return before != null
        ? before.log()
        : Optional.ofNullable(drivers.get(job)).map(JobDriver::log);
  }

  /** Returns why the log of a job is not here, in words; empty when it is, or there is none. */
  String missing(JobId job) {
    PastJob before = past.get(job);
    return before == null ? "" : before.missing();
  }

  private JobEntry entry(JobStatus status) {
    PastJob before = past.get(status.job());
    JobEntry.Builder entry = JobEntry.newBuilder().setJob(status.job().toString());
    if (before != null) {
      JobEntry was = before.kept().getJob();
      entry.setProgram(was.getProgram()).setMainClass(was.getMainClass());
    } else {
      SubmitJob spec = driver(status.job()).spec();
      entry.setProgram(spec.getProgram()).setMainClass(spec.getMainClass());
    }
    entry
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

  /** Ends what waits for logs. When no job is there; any thread. */
  void close() {
    drivers.values().forEach(driver -> driver.log().over());
  }

  // ---- the machine ----------------------------------------------------------------------------

  private long nowMs() {
    return startMs + loop.nowMs();
  }

  private void tell(JobEvent event) {
    machine.on(event, nowMs(), this::carryOut);
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
      case JobEffect.Save(JobId job) -> record(job);
      case JobEffect.TellOver(JobId job) -> {
        if (!past.containsKey(job)) {
          driver(job).over();
        }
        // After the event: whoever waits asks the machine.
        List<Runnable> waiting = waiters.remove(job);
        if (waiting != null) {
          waiting.forEach(loop::post);
        }
      }
      case JobEffect.Forget(JobId job) -> forget(job);
    }
  }

  private void record(JobId job) {
    JobEntry now = entry(job).orElseThrow();
    PastJob before = past.get(job);
    KeptJob kept = before == null ? kept(now) : before.kept().toBuilder().setJob(now).build();
    writer.keep(KeptJobs.put(new ControlBatch(), kept));
  }

  /** The directory of a job of another machine, or of another place, is not touched. */
  private void forget(JobId job) {
    writer.keep(new ControlBatch().delete(KeptJobs.TABLE, job.toString()));
    PastJob before = past.remove(job);
    JobDriver driver = drivers.remove(job);
    boolean isHere =
        driver != null
            || (before != null
                && before.log().isPresent()
                && before.kept().getDirectory().equals(directory(job.toString()).toString()));
    if (isHere) {
      Path directory = directory(job.toString());
      Thread.startVirtualThread(() -> JobDriver.delete(directory));
    }
  }
}
