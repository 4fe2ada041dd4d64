package io.aktis.core.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.core.id.LeaseId;
import io.aktis.core.pool.PoolEffect.KillWorker;
import io.aktis.core.pool.PoolEffect.ReleaseLease;
import io.aktis.core.pool.PoolEffect.StartWorker;
import io.aktis.core.pool.PoolEffect.TellFailed;
import io.aktis.core.pool.PoolEffect.TellJobGone;
import io.aktis.core.pool.PoolEffect.TellLost;
import io.aktis.core.pool.PoolEffect.TellServed;
import io.aktis.core.pool.PoolEvent.JobBegan;
import io.aktis.core.pool.PoolEvent.JobOver;
import io.aktis.core.pool.PoolEvent.KillAsked;
import io.aktis.core.pool.PoolEvent.LeaseGranted;
import io.aktis.core.pool.PoolEvent.LeaseReleased;
import io.aktis.core.pool.PoolEvent.Tick;
import io.aktis.core.pool.PoolEvent.WorkerGone;
import io.aktis.core.pool.PoolEvent.WorkerLeft;
import io.aktis.core.pool.PoolEvent.WorkerReady;
import io.aktis.core.pool.PoolEvent.WorkerRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class WorkerPoolTest {
  private static final long JOB = 7;
  private static final LeaseId A = new LeaseId(JOB, 1);
  private static final LeaseId B = new LeaseId(JOB, 2);
  private static final WorkerKey OTHER =
      new WorkerKey(List.of("-Xmx1g"), new TreeMap<>(), List.of(), null);

  private final WorkerPool pool = new WorkerPool(new PoolLimits(3, 1_000, 100, 5_000, 2));
  private long nowMs;
  private List<PoolEffect> lastEffects = List.of();

  private List<PoolEffect> on(PoolEvent event) {
    List<PoolEffect> effects = new ArrayList<>();
    pool.on(event, nowMs, effects::add);
    pool.validate();
    return effects;
  }

  private static LeaseGranted shared(LeaseId lease) {
    return new LeaseGranted(lease, WorkerKey.PLAIN, false, List.of());
  }

  private static LeaseGranted onGpu(LeaseId lease) {
    return new LeaseGranted(lease, WorkerKey.PLAIN, true, List.of("0"));
  }

  private static StartWorker plainStart(long worker) {
    return new StartWorker(worker, JOB, WorkerKey.PLAIN, false, List.of());
  }

  private void beginWithReadyWorker() {
    on(new JobBegan(JOB));
    on(new WorkerReady(1, "here:1"));
  }

  @Test
  void job_whenItBegins_getsAFirstWorker() {
    assertThat(on(new JobBegan(JOB))).containsExactly(plainStart(1));
    assertThat(on(new JobBegan(JOB))).isEmpty();
    assertThat(pool.knows(JOB)).isTrue();
    assertThat(pool.ownerOf(1)).isEqualTo(JOB);
    assertThat(pool.ownerOf(2)).isNull();
  }

  @Test
  void lease_whenTheWorkerStarts_waitsAndIsServedWithTheOthers() {
    on(new JobBegan(JOB));

    assertThat(on(shared(A))).isEmpty();
    assertThat(on(shared(B))).isEmpty();
    assertThat(on(new WorkerReady(1, "here:1")))
        .containsExactly(new TellServed(A, 1, "here:1"), new TellServed(B, 1, "here:1"));
  }

  @Test
  void lease_whenTheWorkerIsReady_isServedAtOnceAndReleasedAtOnce() {
    beginWithReadyWorker();

    assertThat(on(shared(A))).containsExactly(new TellServed(A, 1, "here:1"));
    assertThat(on(shared(A))).containsExactly(new TellServed(A, 1, "here:1"));
    assertThat(on(new LeaseReleased(A))).containsExactly(new ReleaseLease(A));
    assertThat(on(new LeaseReleased(A))).isEmpty();
    assertThat(pool.workerCount()).isOne();
    assertThat(pool.leaseCount()).isZero();
  }

  @Test
  void lease_withAnotherKey_getsAnotherWorkerThatIsKept() {
    beginWithReadyWorker();

    assertThat(on(new LeaseGranted(A, OTHER, false, List.of())))
        .containsExactly(new StartWorker(2, JOB, OTHER, false, List.of()));
    assertThat(on(new WorkerReady(2, "here:2"))).containsExactly(new TellServed(A, 2, "here:2"));
    assertThat(on(new LeaseReleased(A))).containsExactly(new ReleaseLease(A));
    assertThat(on(new LeaseGranted(B, OTHER, false, List.of())))
        .containsExactly(new TellServed(B, 2, "here:2"));
  }

  private void serveAndGiveBack(int worker, String option) {
    LeaseId lease = new LeaseId(JOB, 100 + worker);
    WorkerKey key = new WorkerKey(List.of(option), new TreeMap<>(), List.of(), null);
    on(new LeaseGranted(lease, key, false, List.of()));
    on(new WorkerReady(worker, "here:" + worker));
    nowMs++;
    lastEffects = on(new LeaseReleased(lease));
  }

  @Test
  void worker_withAnotherKeyAndNoWork_isKilledAfterAWhile() {
    beginWithReadyWorker();
    serveAndGiveBack(2, "-Da=b");

    nowMs += 4_999;
    assertThat(on(new Tick())).isEmpty();
    nowMs++;
    assertThat(on(new Tick())).containsExactly(new KillWorker(2));
    on(new LeaseGranted(A, OTHER, false, List.of()));
    assertThat(on(new WorkerGone(2, "signal 9", false, false)))
        .containsExactly(new TellLost(JOB, 2, List.of(), "it had no work", false));
  }

  @Test
  void workers_ofManyKeysWithoutWork_areKeptAFewOfThem() {
    beginWithReadyWorker();
    serveAndGiveBack(2, "-Da=b");
    serveAndGiveBack(3, "-Dc=d");
    assertThat(lastEffects).hasSize(1);

    serveAndGiveBack(4, "-De=f");

    assertThat(lastEffects).last().isEqualTo(new KillWorker(2));
  }

  @Test
  void exclusiveLease_whenGivenBack_isFreeOnlyAfterItsProcess() {
    beginWithReadyWorker();

    assertThat(on(onGpu(A)))
        .containsExactly(new StartWorker(2, JOB, WorkerKey.PLAIN, true, List.of("0")));
    on(new WorkerReady(2, "here:2"));
    assertThat(on(new LeaseReleased(A))).containsExactly(new KillWorker(2));
    assertThat(on(new LeaseReleased(A))).isEmpty();
    assertThat(on(onGpu(A))).isEmpty();
    assertThat(on(new WorkerGone(2, "signal 9", false, false)))
        .containsExactly(
            new TellLost(JOB, 2, List.of(), "its lease was given back", false),
            new ReleaseLease(A));
    assertThat(pool.workerCount()).isOne();
  }

  @Test
  void exclusiveLease_whenGivenBackBeforeItIsServed_endsItsProcess() {
    beginWithReadyWorker();
    on(onGpu(A));

    assertThat(on(new LeaseReleased(A))).containsExactly(new KillWorker(2));
    assertThat(on(new WorkerReady(2, "here:2"))).isEmpty();
    assertThat(on(new WorkerGone(2, "signal 9", false, false)))
        .containsExactly(new ReleaseLease(A));
  }

  @Test
  void gpus_ofASharedLease_areRefused() {
    assertThatThrownBy(() -> new LeaseGranted(A, WorkerKey.PLAIN, false, List.of("0")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("process of its own");
  }

  @Test
  void lease_givenBackWhileItWaits_isReleasedAndTheWorkerStays() {
    on(new JobBegan(JOB));
    on(shared(A));

    assertThat(on(new LeaseReleased(A))).containsExactly(new ReleaseLease(A));
    assertThat(on(new WorkerReady(1, "here:1"))).isEmpty();
    assertThat(pool.workerCount()).isOne();
  }

  @Test
  void worker_whenItDies_losesItsLeasesAndANewOneServesTheNext() {
    beginWithReadyWorker();
    on(shared(A));
    on(shared(B));

    assertThat(on(new WorkerGone(1, "exit code 3", true, false)))
        .containsExactly(
            new TellLost(JOB, 1, List.of(A, B), "exit code 3", true),
            new ReleaseLease(A),
            new ReleaseLease(B));
    assertThat(on(new WorkerGone(1, "again", false, false))).isEmpty();
    assertThat(on(shared(A))).containsExactly(plainStart(2));
  }

  @Test
  void worker_whoseConnectionEnds_servesNobodyMoreAndIsReplaced() {
    beginWithReadyWorker();
    on(shared(A));

    assertThat(on(new WorkerLeft(1))).isEmpty();
    assertThat(on(shared(B))).isEmpty();
    assertThat(on(new LeaseReleased(A))).isEmpty();
    assertThat(on(new WorkerGone(1, "exit code 1", false, false)))
        .containsExactly(
            new TellLost(JOB, 1, List.of(), "exit code 1", false),
            new ReleaseLease(A),
            plainStart(2));
    assertThat(on(new WorkerReady(2, "here:2"))).containsExactly(new TellServed(B, 2, "here:2"));
  }

  @Test
  void worker_whoseConnectionEndedButNotItself_isKilledAfterAWhile() {
    beginWithReadyWorker();
    on(shared(A));
    on(new WorkerLeft(1));

    nowMs = 99;
    assertThat(on(new Tick())).isEmpty();
    nowMs = 100;
    assertThat(on(new Tick())).containsExactly(new KillWorker(1));
    assertThat(on(new Tick())).isEmpty();
    assertThat(on(new WorkerGone(1, "signal 9", false, false)).getFirst())
        .isEqualTo(
            new TellLost(
                JOB, 1, List.of(A), "its connection to its node ended, and it was killed", false));
  }

  @Test
  void worker_thatEndedBeforeItWasKilled_isLostForItsOwnReason() {
    beginWithReadyWorker();
    on(shared(A));
    on(new PoolEvent.KillAsked(A));

    assertThat(on(new WorkerGone(1, "exit code 7", false, true)).getFirst())
        .isEqualTo(new TellLost(JOB, 1, List.of(A), "exit code 7", false));
  }

  @Test
  void start_failingThreeTimes_failsWhoWaitsWithTheReason() {
    on(new JobBegan(JOB));
    on(shared(A));

    assertThat(on(new WorkerGone(1, "no java", false, false))).containsExactly(plainStart(2));
    assertThat(on(new WorkerGone(2, "no java", false, false))).containsExactly(plainStart(3));
    assertThat(on(new WorkerGone(3, "no java", false, false)))
        .containsExactly(new TellFailed(A, "no java"), new ReleaseLease(A));
    assertThat(pool.workerCount()).isZero();
    assertThat(on(shared(B))).containsExactly(plainStart(4));
  }

  @Test
  void start_failingWhileNobodyWaits_isNotRepeated() {
    on(new JobBegan(JOB));

    assertThat(on(new WorkerGone(1, "no java", false, false))).isEmpty();
    assertThat(pool.workerCount()).isZero();
  }

  @Test
  void start_failingAfterOneThatWorked_countsAnew() {
    on(new JobBegan(JOB));
    on(shared(A));
    on(new WorkerGone(1, "x", false, false));
    on(new WorkerGone(2, "x", false, false));
    on(new WorkerReady(3, "here:3"));
    on(new WorkerLeft(3));
    on(shared(B));

    assertThat(on(new WorkerGone(3, "x", false, false))).contains(plainStart(4));
    assertThat(on(new WorkerGone(4, "x", false, false))).containsExactly(plainStart(5));
  }

  @Test
  void start_thatTakesTooLong_isKilledAndCountsAsFailed() {
    on(new JobBegan(JOB));
    on(shared(A));
    for (int worker = 1; worker <= 2; worker++) {
      on(new WorkerRuns(worker));
      nowMs += 1_000;
      assertThat(on(new Tick())).containsExactly(new KillWorker(worker));
      assertThat(on(new WorkerGone(worker, "signal 9", false, false)))
          .containsExactly(plainStart(worker + 1));
    }
    on(new WorkerRuns(3));
    nowMs += 1_000;
    on(new Tick());
    assertThat(on(new WorkerGone(3, "signal 9", false, false)))
        .contains(new TellFailed(A, "it was not ready after 1.0 s; signal 9"));
  }

  @Test
  void start_whileItsCodeIsOnItsWay_hasTime() {
    on(new JobBegan(JOB));
    on(shared(A));
    nowMs += 3_600_000;
    assertThat(on(new Tick())).isEmpty();

    on(new WorkerRuns(1));
    nowMs += 999;
    assertThat(on(new Tick())).isEmpty();
    assertThat(on(new WorkerReady(1, "here:1"))).containsExactly(new TellServed(A, 1, "here:1"));
    nowMs += 1_000;
    assertThat(on(new Tick())).isEmpty();
  }

  @Test
  void kill_ofAServedLease_losesAllOfItsProcess() {
    beginWithReadyWorker();
    on(shared(A));
    on(shared(B));

    assertThat(on(new KillAsked(A))).containsExactly(new KillWorker(1));
    assertThat(on(new KillAsked(B))).isEmpty();
    assertThat(on(new WorkerGone(1, "signal 9", false, false)).getFirst())
        .isEqualTo(
            new TellLost(
                JOB, 1, List.of(A, B), "it was killed because its owner asked for that", false));
    assertThat(on(new KillAsked(A))).isEmpty();
  }

  @Test
  void kill_ofALeaseThatWaits_endsTheLeaseAlone() {
    on(new JobBegan(JOB));
    on(shared(A));

    assertThat(on(new KillAsked(A)))
        .containsExactly(
            new TellLost(JOB, 1, List.of(A), "it was not there yet", false), new ReleaseLease(A));
    assertThat(pool.workerCount()).isOne();
  }

  @Test
  void job_whenOver_isReleasedOnlyAfterItsProcesses() {
    beginWithReadyWorker();
    on(shared(A));
    on(onGpu(B));

    assertThat(on(new JobOver(JOB))).containsExactly(new KillWorker(1), new KillWorker(2));
    assertThat(on(new JobOver(JOB))).isEmpty();
    assertThat(on(shared(new LeaseId(JOB, 3))))
        .containsExactly(new ReleaseLease(new LeaseId(JOB, 3)));
    assertThat(on(new WorkerGone(2, "", false, false))).containsExactly(new ReleaseLease(B));
    assertThat(on(new WorkerGone(1, "", false, false)))
        .containsExactly(new ReleaseLease(A), new TellJobGone(JOB));
    assertThat(pool.knows(JOB)).isFalse();
    assertThat(pool.leaseCount() + pool.workerCount()).isZero();
  }

  @Test
  void job_whenOverWithoutWorkers_isGoneAtOnce() {
    on(new JobBegan(JOB));
    on(new WorkerGone(1, "", false, false));

    assertThat(on(new JobOver(JOB))).containsExactly(new TellJobGone(JOB));
    assertThat(on(new JobOver(JOB))).isEmpty();
  }

  @Test
  void lease_ofAJobThatIsNotHere_isReleased() {
    assertThat(on(shared(A))).containsExactly(new ReleaseLease(A));
  }

  @Test
  void limits_belowOne_areRefused() {
    assertThatThrownBy(() -> new PoolLimits(0, 1, 1, 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
