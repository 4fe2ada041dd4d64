package io.aktis.core.job;

import io.aktis.core.invariant.BrokenInvariantError;
import io.aktis.core.invariant.Invariant;
import io.aktis.core.job.JobEffect.Forget;
import io.aktis.core.job.JobEffect.Kill;
import io.aktis.core.job.JobEffect.Launch;
import io.aktis.core.job.JobEffect.Save;
import io.aktis.core.job.JobEffect.TellOver;
import io.aktis.core.job.JobEffect.Terminate;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The programs that were submitted to a head: which of them run, who is told to end or killed and
 * when, and how each of them ended. Confined to the loop that hosts it.
 *
 * <p>Jobs start in the order in which they came, so many at a time as the limits allow. Who is
 * asked to end while it waits is over at once; who runs is told to end, and killed when its grace
 * is over. A process that is about to start cannot be held back: it is told to end as soon as it
 * runs. Of jobs that have ended the last ones can be asked for; older ones are forgotten.
 *
 * <p>Each change that outlives the head is to be written down: whoever hosts the machine writes a
 * new job down before it tells of it, and the rest when the machine says so. A machine of a later
 * head begins with that; jobs are never started again.
 */
public final class JobMachine {
  private final JobLimits limits;

  /** In the order of their ids, which is that of their coming. */
  private final LinkedHashMap<JobId, Job> jobs = new LinkedHashMap<>();

  /** Those of them that are over, in the order in which they ended. */
  private final LinkedHashMap<JobId, Job> finished = new LinkedHashMap<>();

  private long lastNumber;
  private int active;
  private boolean closing;

  /** Makes a machine without jobs. */
  public JobMachine(JobLimits limits) {
    this.limits = limits;
  }

  private static final class Job {
    final JobId id;
    final long submittedAtMs;
    JobState state = JobState.TABLE.start();
    boolean launching;
    boolean stopAsked;
    boolean killed;
    long graceMs;
    long killAtMs;
    long startedAtMs;
    long endedAtMs;
    long pid;
    @Nullable Integer exitCode;
    String reason = "";

    Job(JobId id, long submittedAtMs) {
      this.id = id;
      this.submittedAtMs = submittedAtMs;
    }

    /** As an earlier head has left it. */
    Job(JobStatus was) {
      this(was.job(), was.submittedAtMs());
      state = was.state();
      startedAtMs = was.startedAtMs();
      endedAtMs = was.endedAtMs();
      pid = was.pid();
      exitCode = was.exitCode().isPresent() ? was.exitCode().getAsInt() : null;
      reason = was.reason();
    }

    void move(JobStep step) {
      state = JobState.TABLE.next(state, step);
    }

    boolean waits() {
      return state == JobState.PENDING && !launching;
    }

    @Override
    public String toString() {
      return id + " " + state;
    }
  }

  /** The time of an event and where its effects go. */
  private record Turn(long nowMs, Consumer<? super JobEffect> effects) {
    void emit(JobEffect effect) {
      effects.accept(effect);
    }
  }

  // ---- questions ------------------------------------------------------------------------------

  /** Returns why no job can be taken now; empty when one can. */
  public Optional<String> refusal() {
    if (closing) {
      return Optional.of("the head is stopping and takes no jobs");
    }
    long waiting = jobs.values().stream().filter(Job::waits).count();
    return waiting < limits.maxPending()
        ? Optional.empty()
        : Optional.of(
            active
                + " jobs run and "
                + waiting
                + " wait, which is the limit; submit it again when some of them have ended");
  }

  /** Returns the id for the next job. */
  public JobId nextId() {
    return new JobId(lastNumber + 1);
  }

  /** Returns how a job is; empty when there is none of this id, or it is forgotten. */
  public Optional<JobStatus> status(JobId job) {
    return Optional.ofNullable(jobs.get(job)).map(this::statusOf);
  }

  /** Returns how all jobs are, in the order in which they came. */
  public List<JobStatus> all() {
    return jobs.values().stream().map(this::statusOf).toList();
  }

  /** Tells whether no job waits or runs. */
  public boolean isIdle() {
    return finished.size() == jobs.size();
  }

  private JobStatus statusOf(Job job) {
    return new JobStatus(
        job.id,
        job.state,
        job.stopAsked && !job.state.isOver(),
        job.submittedAtMs,
        job.startedAtMs,
        job.endedAtMs,
        job.pid,
        job.exitCode == null ? OptionalInt.empty() : OptionalInt.of(job.exitCode),
        job.waits() ? "waits for one of " + active + " running jobs to end" : job.reason);
  }

  // ---- events ---------------------------------------------------------------------------------

  /** Takes in what happened; {@code effects} are to be carried out in their order. */
  public void on(JobEvent event, long nowMs, Consumer<? super JobEffect> effects) {
    Turn turn = new Turn(nowMs, effects);
    switch (event) {
      case JobEvent.Resumed resumed -> resumed(resumed, turn);
      case JobEvent.Submitted submitted -> submitted(submitted.job(), turn);
      case JobEvent.Started started -> started(known(started.job()), started.pid(), turn);
      case JobEvent.StartFailed failed -> startFailed(known(failed.job()), failed.reason(), turn);
      case JobEvent.Ended ended -> ended(known(ended.job()), ended.exitCode(), turn);
      case JobEvent.StopAsked asked -> {
        Job job = jobs.get(asked.job());
        if (job != null) {
          stop(job, asked.graceMs(), turn);
        }
      }
      case JobEvent.Closing(long graceMs) -> {
        closing = true;
        List.copyOf(jobs.values()).forEach(job -> stop(job, graceMs, turn));
      }
      case JobEvent.Tick tick -> jobs.values().forEach(job -> killIfOverdue(job, turn));
    }
  }

  /** A process is reported on while its job is here: what runs is never forgotten. */
  private Job known(JobId id) {
    Job job = jobs.get(id);
    if (job == null) {
      throw new BrokenInvariantError("the job of a process is known: " + id);
    }
    return job;
  }

  /** Those that ended first come first, since they are to be forgotten first. */
  private void resumed(JobEvent.Resumed resumed, Turn turn) {
    Invariant.check(lastNumber == 0 && !closing, "a head takes over before anything else", jobs);
    resumed.jobs().stream()
        .sorted(Comparator.comparing(JobStatus::job))
        .forEach(was -> jobs.put(was.job(), new Job(was)));
    lastNumber = resumed.lastNumber();
    if (!jobs.isEmpty()) {
      lastNumber = Math.max(lastNumber, jobs.lastEntry().getKey().number());
    }
    jobs.values().stream()
        .filter(job -> job.state.isOver())
        .sorted(Comparator.comparingLong(job -> job.endedAtMs))
        .forEach(job -> finished.put(job.id, job));
    for (Job job : List.copyOf(jobs.values())) {
      if (!job.state.isOver()) {
        job.reason = resumed.reason();
        over(job, JobStep.LOST, turn);
      }
    }
    forgetOldest(turn);
  }

  private void submitted(JobId id, Turn turn) {
    Invariant.check(refusal().isEmpty(), "a job is told only when it can be taken", id);
    Invariant.check(id.number() > lastNumber, "ids of jobs go up", id);
    lastNumber = id.number();
    jobs.put(id, new Job(id, turn.nowMs));
    launchWaiting(turn);
  }

  private void launchWaiting(Turn turn) {
    for (Job job : jobs.values()) {
      if (active >= limits.maxRunning() || closing) {
        return;
      }
      if (job.waits()) {
        job.launching = true;
        active++;
        turn.emit(new Launch(job.id));
      }
    }
  }

  private void started(Job job, long pid, Turn turn) {
    job.move(JobStep.STARTED);
    job.launching = false;
    job.pid = pid;
    job.startedAtMs = turn.nowMs;
    turn.emit(new Save(job.id));
    if (job.stopAsked) {
      tellToEnd(job, turn);
    }
  }

  private void startFailed(Job job, String reason, Turn turn) {
    job.launching = false;
    job.reason = reason;
    over(job, job.stopAsked ? JobStep.ENDED_AS_ASKED : JobStep.START_FAILED, turn);
    active--;
    launchWaiting(turn);
  }

  private void ended(Job job, int exitCode, Turn turn) {
    job.exitCode = exitCode;
    JobStep own = exitCode == 0 ? JobStep.ENDED_WELL : JobStep.ENDED_BADLY;
    over(job, job.stopAsked ? JobStep.ENDED_AS_ASKED : own, turn);
    active--;
    launchWaiting(turn);
  }

  private void over(Job job, JobStep step, Turn turn) {
    job.move(step);
    job.endedAtMs = turn.nowMs;
    finished.put(job.id, job);
    turn.emit(new Save(job.id));
    turn.emit(new TellOver(job.id));
    forgetOldest(turn);
  }

  private void forgetOldest(Turn turn) {
    while (finished.size() > limits.maxFinished()) {
      JobId oldest = finished.firstEntry().getKey();
      finished.remove(oldest);
      jobs.remove(oldest);
      turn.emit(new Forget(oldest));
    }
  }

  // ---- stopping -------------------------------------------------------------------------------

  private void stop(Job job, long graceMs, Turn turn) {
    if (JobState.TABLE.ignores(job.state, JobStep.STOP_ASKED)) {
      return;
    }
    boolean first = !job.stopAsked;
    job.move(JobStep.STOP_ASKED);
    job.stopAsked = true;
    if (job.waits()) {
      over(job, JobStep.ENDED_AS_ASKED, turn);
    } else if (job.launching) {
      job.graceMs = first ? graceMs : Math.min(job.graceMs, graceMs);
    } else if (first) {
      job.graceMs = graceMs;
      tellToEnd(job, turn);
    } else {
      job.killAtMs = Math.min(job.killAtMs, turn.nowMs + graceMs);
      killIfOverdue(job, turn);
    }
  }

  private static void tellToEnd(Job job, Turn turn) {
    job.killAtMs = turn.nowMs + job.graceMs;
    if (job.graceMs > 0) {
      turn.emit(new Terminate(job.id));
    }
    killIfOverdue(job, turn);
  }

  private static void killIfOverdue(Job job, Turn turn) {
    boolean isTold = job.state == JobState.RUNNING && job.stopAsked;
    if (isTold && !job.killed && turn.nowMs >= job.killAtMs) {
      job.killed = true;
      turn.emit(new Kill(job.id));
    }
  }

  // ---- diagnosis ------------------------------------------------------------------------------

  /** Checks every rule; for tests and diagnosis. */
  public void validate() {
    int counted = 0;
    long waiting = 0;
    JobId before = null;
    for (Job job : jobs.values()) {
      boolean isActive = job.launching || job.state == JobState.RUNNING;
      counted += isActive ? 1 : 0;
      waiting += job.waits() ? 1 : 0;
      Invariant.check(before == null || before.compareTo(job.id) < 0, "ids go up", job);
      Invariant.check(!job.launching || job.state == JobState.PENDING, "who starts waits", job);
      Invariant.check(job.state.isOver() == finished.containsKey(job.id), "who is over", job);
      Invariant.check(!job.waits() || !job.stopAsked, "who waits was not asked to end", job);
      before = job.id;
    }
    Invariant.check(counted == active, "all that run are counted", active);
    Invariant.check(active <= limits.maxRunning(), "not too many run", active);
    Invariant.check(finished.size() <= limits.maxFinished(), "not too many are kept", finished);
    boolean hasRoom = active < limits.maxRunning() && !closing;
    Invariant.check(!hasRoom || waiting == 0, "nobody waits without need", waiting);
    Invariant.check(!closing || waiting == 0, "nobody waits for a head that stops", waiting);
  }
}
