package io.aktis.core.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.core.invariant.BrokenInvariantError;
import io.aktis.core.job.JobEffect.Forget;
import io.aktis.core.job.JobEffect.Kill;
import io.aktis.core.job.JobEffect.Launch;
import io.aktis.core.job.JobEffect.TellOver;
import io.aktis.core.job.JobEffect.Terminate;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** The lives of submitted programs. */
class JobMachineTest {
  private static final JobId ONE = new JobId(1);
  private static final JobId TWO = new JobId(2);
  private static final JobId THREE = new JobId(3);

  private final JobMachine machine = new JobMachine(new JobLimits(2, 2, 2));
  private final List<JobEffect> effects = new ArrayList<>();
  private final List<JobId> recorded = new ArrayList<>();
  private long nowMs = 1_000;

  /** Returns the effects but for what is to be written down, which is in {@code recorded}. */
  private List<JobEffect> tell(JobEvent event) {
    effects.clear();
    recorded.clear();
    machine.on(event, nowMs, this::take);
    machine.validate();
    return List.copyOf(effects);
  }

  private void take(JobEffect effect) {
    if (effect instanceof JobEffect.Save(JobId job)) {
      recorded.add(job);
    } else {
      effects.add(effect);
    }
  }

  private JobId submit() {
    JobId job = machine.nextId();
    tell(new JobEvent.Submitted(job));
    return job;
  }

  private JobId running() {
    JobId job = submit();
    tell(new JobEvent.Started(job, 100 + job.number()));
    return job;
  }

  private JobStatus status(JobId job) {
    return machine.status(job).orElseThrow();
  }

  private List<JobEffect> tick(long passedMs) {
    nowMs += passedMs;
    return tell(new JobEvent.Tick());
  }

  // ---- a life -----------------------------------------------------------------------------

  @Test
  void job_thatEndsWithZero_hasSucceeded() {
    assertThat(tell(new JobEvent.Submitted(ONE))).containsExactly(new Launch(ONE));
    assertThat(status(ONE).state()).isEqualTo(JobState.PENDING);
    nowMs = 2_000;
    assertThat(tell(new JobEvent.Started(ONE, 77))).isEmpty();
    assertThat(machine.isIdle()).isFalse();
    nowMs = 3_000;
    assertThat(tell(new JobEvent.Ended(ONE, 0))).containsExactly(new TellOver(ONE));

    assertThat(status(ONE))
        .isEqualTo(
            new JobStatus(
                ONE, JobState.SUCCEEDED, false, 1_000, 2_000, 3_000, 77, OptionalInt.of(0), ""));
    assertThat(machine.isIdle()).isTrue();
  }

  @Test
  void job_thatEndsWithAnotherCode_hasFailed() {
    running();

    tell(new JobEvent.Ended(ONE, 7));

    assertThat(status(ONE).state()).isEqualTo(JobState.FAILED);
    assertThat(status(ONE).exitCode()).hasValue(7);
  }

  @Test
  void job_thatCannotStart_hasFailedWithTheReason() {
    submit();

    assertThat(tell(new JobEvent.StartFailed(ONE, "no java"))).containsExactly(new TellOver(ONE));

    assertThat(status(ONE).state()).isEqualTo(JobState.FAILED);
    assertThat(status(ONE).reason()).isEqualTo("no java");
    assertThat(status(ONE).exitCode()).isEmpty();
  }

  // ---- waiting ----------------------------------------------------------------------------

  @Test
  void jobs_beyondTheLimit_waitAndStartInOrder() {
    running();
    running();
    JobId third = submit();
    JobId fourth = submit();
    assertThat(effects).isEmpty();
    assertThat(status(third).reason()).isEqualTo("waits for one of 2 running jobs to end");

    assertThat(tell(new JobEvent.Ended(TWO, 1)))
        .containsExactly(new TellOver(TWO), new Launch(third));
    assertThat(tell(new JobEvent.StartFailed(third, "no java")))
        .containsExactly(new TellOver(third), new Launch(fourth));
  }

  @Test
  void job_whenTooManyWait_isRefusedWithTheNumbers() {
    for (int i = 0; i < 4; i++) {
      assertThat(machine.refusal()).isEmpty();
      submit();
    }

    assertThat(machine.refusal().orElseThrow()).startsWith("2 jobs run and 2 wait");
    assertThatThrownBy(this::submit).isInstanceOf(BrokenInvariantError.class);
  }

  @Test
  void stop_ofAJobThatWaits_endsItAtOnce() {
    running();
    running();
    JobId third = submit();

    assertThat(tell(new JobEvent.StopAsked(third, 5_000))).containsExactly(new TellOver(third));

    assertThat(status(third).state()).isEqualTo(JobState.STOPPED);
    assertThat(status(third).startedAtMs()).isZero();
    assertThat(tell(new JobEvent.Ended(ONE, 0))).containsExactly(new TellOver(ONE));
  }

  // ---- stopping ---------------------------------------------------------------------------

  @Test
  void stop_ofARunningJob_tellsItFirstAndKillsItAfterItsGrace() {
    running();

    assertThat(tell(new JobEvent.StopAsked(ONE, 5_000))).containsExactly(new Terminate(ONE));
    assertThat(status(ONE).isStopping()).isTrue();
    assertThat(status(ONE).state()).isEqualTo(JobState.RUNNING);
    assertThat(tick(4_999)).isEmpty();
    assertThat(tick(1)).containsExactly(new Kill(ONE));
    assertThat(tick(10_000)).isEmpty();
    tell(new JobEvent.Ended(ONE, 137));

    assertThat(status(ONE).state()).isEqualTo(JobState.STOPPED);
    assertThat(status(ONE).isStopping()).isFalse();
    assertThat(status(ONE).exitCode()).hasValue(137);
  }

  @Test
  void stop_whateverTheProgramEndsWith_isStopped() {
    running();
    tell(new JobEvent.StopAsked(ONE, 5_000));

    tell(new JobEvent.Ended(ONE, 0));

    assertThat(status(ONE).state()).isEqualTo(JobState.STOPPED);
  }

  @Test
  void stop_withoutGrace_killsAtOnce() {
    running();

    assertThat(tell(new JobEvent.StopAsked(ONE, 0))).containsExactly(new Kill(ONE));
  }

  @Test
  void stop_askedTwice_countsTheMoreImpatientOne() {
    running();
    running();
    tell(new JobEvent.StopAsked(ONE, 60_000));
    tell(new JobEvent.StopAsked(TWO, 1_000));

    assertThat(tell(new JobEvent.StopAsked(ONE, 1_000))).isEmpty();
    assertThat(tell(new JobEvent.StopAsked(TWO, 60_000))).isEmpty();
    assertThat(tick(1_000)).containsExactly(new Kill(ONE), new Kill(TWO));
  }

  @Test
  void stop_whileTheProcessStarts_tellsItOnceItRuns() {
    submit();
    assertThat(tell(new JobEvent.StopAsked(ONE, 5_000))).isEmpty();
    assertThat(tell(new JobEvent.StopAsked(ONE, 3_000))).isEmpty();
    assertThat(status(ONE).isStopping()).isTrue();
    assertThat(tick(60_000)).isEmpty();

    assertThat(tell(new JobEvent.Started(ONE, 77))).containsExactly(new Terminate(ONE));
    assertThat(tick(3_000)).containsExactly(new Kill(ONE));
  }

  @Test
  void stop_ofAProcessThatCouldNotStart_isStopped() {
    submit();
    tell(new JobEvent.StopAsked(ONE, 0));

    tell(new JobEvent.StartFailed(ONE, "no java"));

    assertThat(status(ONE).state()).isEqualTo(JobState.STOPPED);
  }

  @Test
  void stop_ofAJobThatIsOverOrUnknown_doesNothing() {
    running();
    tell(new JobEvent.Ended(ONE, 0));

    assertThat(tell(new JobEvent.StopAsked(ONE, 0))).isEmpty();
    assertThat(tell(new JobEvent.StopAsked(THREE, 0))).isEmpty();
    assertThat(status(ONE).state()).isEqualTo(JobState.SUCCEEDED);
  }

  @Test
  void closing_endsAllJobsAndTakesNoMore() {
    running();
    submit();
    JobId waiting = submit();

    assertThat(tell(new JobEvent.Closing(2_000)))
        .containsExactly(new Terminate(ONE), new TellOver(waiting));
    assertThat(machine.refusal()).hasValue("the head is stopping and takes no jobs");
    assertThat(tell(new JobEvent.Started(TWO, 78))).containsExactly(new Terminate(TWO));
    assertThat(tell(new JobEvent.Ended(ONE, 143))).containsExactly(new TellOver(ONE));
    assertThat(machine.isIdle()).isFalse();
    assertThat(tick(2_000)).containsExactly(new Kill(TWO));
    tell(new JobEvent.Ended(TWO, 137));

    assertThat(machine.isIdle()).isTrue();
  }

  // ---- memory -----------------------------------------------------------------------------

  @Test
  void finished_beyondTheLimit_areForgottenInTheOrderOfTheirEnds() {
    running();
    running();
    tell(new JobEvent.Ended(TWO, 0));
    tell(new JobEvent.Ended(ONE, 0));
    JobId third = running();

    assertThat(tell(new JobEvent.Ended(third, 0)))
        .containsExactly(new TellOver(third), new Forget(TWO));

    assertThat(machine.status(TWO)).isEmpty();
    assertThat(machine.all()).extracting(JobStatus::job).containsExactly(ONE, third);
  }

  @Test
  void report_ofAProcessThatNobodyKnows_breaksTheInvariant() {
    assertThatThrownBy(() -> tell(new JobEvent.Ended(ONE, 0)))
        .isInstanceOf(BrokenInvariantError.class);
    running();
    assertThatThrownBy(() -> tell(new JobEvent.Started(ONE, 1)))
        .isInstanceOf(BrokenInvariantError.class);
  }

  @Test
  void id_asText_isReadBack() {
    assertThat(JobId.parse("job-12")).hasValue(new JobId(12));
    assertThat(JobId.parse(new JobId(7).toString())).hasValue(new JobId(7));
    for (String none :
        List.of("", "7", "job-", "job-0", "job-07", "job--1", "job-1234567890123456789")) {
      assertThat(JobId.parse(none)).as(none).isEmpty();
    }
  }

  // ---- heads that follow each other -----------------------------------------------------------

  @Test
  void change_thatOutlivesTheHead_isToBeWrittenDown() {
    submit();
    assertThat(recorded).as("whoever submits writes that down before").isEmpty();
    tell(new JobEvent.Started(ONE, 77));
    assertThat(recorded).containsExactly(ONE);
    tell(new JobEvent.StopAsked(ONE, 5_000));
    assertThat(recorded).isEmpty();
    tell(new JobEvent.Ended(ONE, 143));
    assertThat(recorded).containsExactly(ONE);
    submit();
    tell(new JobEvent.StartFailed(TWO, "no java"));
    assertThat(recorded).containsExactly(TWO);
  }

  private static JobStatus was(long number, JobState state, long endedAtMs) {
    OptionalInt code = state == JobState.SUCCEEDED ? OptionalInt.of(0) : OptionalInt.empty();
    long pid = state == JobState.PENDING ? 0 : 70 + number;
    return new JobStatus(
        new JobId(number), state, false, number, 2 * pid, endedAtMs, pid, code, "");
  }

  @Test
  void head_thatTakesOver_keepsWhatHasEndedAndFailsTheRest() {
    JobStatus done = was(1, JobState.SUCCEEDED, 500);
    JobStatus running = was(2, JobState.RUNNING, 0);

    assertThat(tell(new JobEvent.Resumed(2, List.of(running, done), "the head has ended")))
        .containsExactly(new TellOver(TWO));

    assertThat(recorded).containsExactly(TWO);
    assertThat(status(ONE)).isEqualTo(done);
    assertThat(status(TWO))
        .isEqualTo(
            new JobStatus(
                TWO,
                JobState.FAILED,
                false,
                running.submittedAtMs(),
                running.startedAtMs(),
                1_000,
                running.pid(),
                OptionalInt.empty(),
                "the head has ended"));
    assertThat(machine.isIdle()).isTrue();
    assertThat(submit()).isEqualTo(THREE);
    assertThat(effects).containsExactly(new Launch(THREE));
  }

  @Test
  void head_thatTakesOver_doesNotLaunchWhoWaited() {
    assertThat(tell(new JobEvent.Resumed(1, List.of(was(1, JobState.PENDING, 0)), "it has ended")))
        .containsExactly(new TellOver(ONE));

    assertThat(status(ONE).state()).isEqualTo(JobState.FAILED);
    assertThat(status(ONE).reason()).isEqualTo("it has ended");
    assertThat(tell(new JobEvent.StopAsked(ONE, 0))).isEmpty();
  }

  @Test
  void head_thatTakesOver_countsOnAlsoWhenTheLastJobIsForgotten() {
    tell(new JobEvent.Resumed(41, List.of(was(7, JobState.FAILED, 500)), ""));

    assertThat(submit()).isEqualTo(new JobId(42));
  }

  @Test
  void head_thatTakesOver_forgetsThoseThatEndedFirst() {
    List<JobStatus> all =
        List.of(
            was(3, JobState.FAILED, 300),
            was(1, JobState.SUCCEEDED, 400),
            was(2, JobState.RUNNING, 0));

    assertThat(tell(new JobEvent.Resumed(3, all, "")))
        .containsExactly(new TellOver(TWO), new Forget(THREE));

    assertThat(machine.all()).extracting(JobStatus::job).containsExactly(ONE, TWO);
  }

  @Test
  void head_thatHasJobs_cannotTakeOverOthers() {
    submit();

    assertThatThrownBy(() -> tell(new JobEvent.Resumed(0, List.of(), "")))
        .isInstanceOf(BrokenInvariantError.class);
  }
}
