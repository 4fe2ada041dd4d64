package io.aktis.core.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Long random lives of a head. A world beside it knows which processes there are: each is started
 * once, nobody who was asked to end stays, and at the end nothing is left.
 */
class JobPropertyTest {
  private static final int SEEDS = 300;
  private static final int STEPS = 300;

  @Test
  void jobs_anyEvents_areNeitherLostNorKeptAlive() {
    int ended = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      try {
        Life life = new Life(seed);
        life.run();
        ended += life.over.size();
      } catch (Throwable e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
    assertThat(ended).as("jobs that have ended").isGreaterThan(20 * SEEDS);
  }

  private static final class Life {
    private final Random random;
    private final JobMachine machine = new JobMachine(new JobLimits(3, 4, 5));
    private final TreeSet<JobId> starting = new TreeSet<>();

    /** Those that run, and until when at most they may, once they were asked to end. */
    private final TreeMap<JobId, Long> running = new TreeMap<>();

    private final TreeMap<JobId, Long> asked = new TreeMap<>();
    private final TreeSet<JobId> killed = new TreeSet<>();
    private final List<JobId> over = new ArrayList<>();
    private long nowMs = 1;
    private long lastNumber;

    /** What a later head would find. */
    private final TreeMap<JobId, JobStatus> written = new TreeMap<>();

    Life(long seed) {
      random = new Random(seed);
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        nowMs += random.nextInt(4);
        disturb();
        check();
      }
      tell(new JobEvent.Closing(5));
      check();
      while (!starting.isEmpty()) {
        start(starting.first());
        check();
      }
      nowMs += 5;
      tell(new JobEvent.Tick());
      assertThat(killed).as("all that do not end are killed").containsAll(running.keySet());
      List.copyOf(running.keySet()).forEach(job -> end(job, 137));
      assertThat(machine.isIdle()).isTrue();
      assertThat(over).hasSize((int) lastNumber).doesNotHaveDuplicates();
    }

    private void disturb() {
      switch (random.nextInt(9)) {
        case 0, 1, 2 -> submit();
        case 3 -> tell(new JobEvent.Tick());
        case 4, 5 -> pick(starting).ifPresent(this::start);
        case 6 -> stop(new JobId(1 + random.nextInt(1 + (int) lastNumber)), random.nextInt(20));
        case 7 -> pick(running.navigableKeySet()).ifPresent(job -> end(job, random.nextInt(2)));
        default -> {
          pick(starting)
              .ifPresent(job -> {
                starting.remove(job);
                tell(new JobEvent.StartFailed(job, "no luck"));
              });
        }
      }
    }

    private java.util.Optional<JobId> pick(java.util.NavigableSet<JobId> from) {
      return from.stream().skip(from.isEmpty() ? 0 : random.nextInt(from.size())).findFirst();
    }

    private void submit() {
      if (machine.refusal().isEmpty()) {
        JobId job = machine.nextId();
        lastNumber = job.number();
        tell(new JobEvent.Submitted(job));
        written.put(job, machine.status(job).orElseThrow());
      }
    }

    private void start(JobId job) {
      starting.remove(job);
      running.put(job, Long.MAX_VALUE);
      tell(new JobEvent.Started(job, job.number()));
      Long graceMs = asked.get(job);
      if (graceMs != null) {
        running.put(job, nowMs + graceMs);
      }
    }

    private void stop(JobId job, long graceMs) {
      boolean isActive = starting.contains(job) || running.containsKey(job);
      if (isActive) {
        asked.merge(job, graceMs, Math::min);
        running.computeIfPresent(job, (id, until) -> Math.min(until, nowMs + graceMs));
      }
      tell(new JobEvent.StopAsked(job, graceMs));
    }

    private void end(JobId job, int exitCode) {
      running.remove(job);
      killed.remove(job);
      tell(new JobEvent.Ended(job, exitCode));
      machine
          .status(job)
          .ifPresent(status -> {
            JobState wanted =
                asked.containsKey(job) || exitCode == 137
                    ? JobState.STOPPED
                    : exitCode == 0 ? JobState.SUCCEEDED : JobState.FAILED;
            assertThat(status.state()).as(status.toString()).isEqualTo(wanted);
          });
    }

    /** A head that takes over now knows the same jobs; who is over is so in the same way. */
    private void checkSuccessor() {
      JobMachine next = new JobMachine(new JobLimits(3, 4, 5));
      List<JobEffect> effects = new ArrayList<>();
      next.on(
          new JobEvent.Resumed(lastNumber, List.copyOf(written.values()), "lost"),
          nowMs,
          effects::add);
      next.validate();
      assertThat(next.isIdle()).isTrue();
      assertThat(next.nextId().number()).isEqualTo(lastNumber + 1);
      assertThat(effects).noneMatch(effect -> effect instanceof JobEffect.Launch);
      for (JobStatus now : next.all()) {
        JobStatus before = machine.status(now.job()).orElseThrow();
        if (before.state().isOver()) {
          assertThat(now).isEqualTo(before);
        } else {
          assertThat(now.state()).isEqualTo(JobState.FAILED);
        }
      }
    }

    private void check() {
      machine.validate();
      checkSuccessor();
      assertThat(machine.all())
          .filteredOn(status -> status.state() == JobState.RUNNING)
          .extracting(JobStatus::job)
          .containsExactlyElementsOf(running.keySet());
    }

    private void tell(JobEvent event) {
      List<JobEffect> effects = new ArrayList<>();
      machine.on(event, nowMs, effects::add);
      for (JobEffect effect : effects) {
        switch (effect) {
          case JobEffect.Launch(JobId job) -> assertThat(starting.add(job)).isTrue();
          case JobEffect.Terminate(JobId job) -> assertThat(running).containsKey(job);
          case JobEffect.Kill(JobId job) -> {
            assertThat(running).containsKey(job);
            assertThat(killed.add(job)).as("is killed once").isTrue();
          }
          case JobEffect.Save(JobId job) -> written.put(job, machine.status(job).orElseThrow());
          case JobEffect.TellOver(JobId job) -> over.add(job);
          case JobEffect.Forget(JobId job) -> {
            assertThat(over).contains(job);
            assertThat(written).containsKey(job);
            written.remove(job);
          }
        }
      }
      if (event instanceof JobEvent.Tick) {
        running.forEach((job, until) -> {
          if (until <= nowMs) {
            assertThat(killed).as("has had its grace").contains(job);
          }
        });
      }
    }
  }
}
