package io.aktis.core.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.core.id.BundleId;
import io.aktis.core.id.GroupId;
import io.aktis.core.id.LeaseId;
import io.aktis.core.lease.LeaseAnswer.Granted;
import io.aktis.core.lease.LeaseAnswer.Refused;
import io.aktis.core.resource.Demand;
import io.aktis.core.resource.Resources;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LedgerBundleTest {
  private static final GroupId GROUP = new GroupId(1, 1);
  private static final Bundle FIRST = new Bundle(0, Resources.cpus(1));
  private static final Bundle SECOND = new Bundle(1, Resources.cpus(2));

  private final LeaseLedger ledger = new LeaseLedger(Resources.cpus(4), List.of());

  @AfterEach
  void validate() {
    ledger.validate();
  }

  private static LeaseId id(long number) {
    return new LeaseId(7, number);
  }

  private LeaseAnswer ask(long number, double cpus, @Nullable BundleId bundle) {
    return ledger.request(new LeaseRequest(id(number), Demand.of(Resources.cpus(cpus)), bundle), 0);
  }

  private static Refusal reason(PrepareAnswer answer) {
    return ((PrepareAnswer.Refused) answer).reason();
  }

  private PrepareAnswer prepare(int attempt, Bundle... bundles) {
    return ledger.prepare(GROUP, attempt, List.of(bundles), 100, 0);
  }

  @Test
  void prepare_fits_takesFromTheNode() {
    PrepareAnswer answer = prepare(1, FIRST, SECOND);

    assertThat(answer)
        .isEqualTo(new PrepareAnswer.Prepared(GROUP, List.of(0, 1), 1, ledger.numbers()));
    assertThat(ledger.available()).isEqualTo(Resources.cpus(1));
    assertThat(ledger.bundles()).extracting(BundleStatus::committed).containsExactly(false, false);
  }

  @Test
  void prepare_oneDoesNotFit_takesNothing() {
    assertThat(reason(prepare(1, SECOND, new Bundle(2, Resources.cpus(3)))))
        .isEqualTo(Refusal.INFEASIBLE);
    ask(1, 2, null);
    assertThat(reason(prepare(1, FIRST, SECOND))).isEqualTo(Refusal.BUSY);
    assertThat(ledger.available()).isEqualTo(Resources.cpus(2));
    assertThat(ledger.bundles()).isEmpty();
  }

  @Test
  void prepare_idleLeasesInTheWay_namesThem() {
    ask(1, 3, null);
    ledger.markIdle(id(1));

    PrepareAnswer.Refused refused = (PrepareAnswer.Refused) prepare(1, FIRST, SECOND);

    assertThat(refused.idle()).containsExactly(id(1));
  }

  @Test
  void prepare_repeated_takesOnce() {
    prepare(1, FIRST);

    assertThat(prepare(1, FIRST)).isInstanceOf(PrepareAnswer.Prepared.class);
    assertThat(ledger.available()).isEqualTo(Resources.cpus(3));
  }

  @Test
  void request_notYetCommitted_isRefused() {
    prepare(1, FIRST);

    assertThat(((Refused) ask(1, 1, new BundleId(GROUP, 0))).reason()).isEqualTo(Refusal.NO_BUNDLE);
    assertThat(ledger.commit(GROUP, List.of(0), 1)).isTrue();
    assertThat(ask(1, 1, new BundleId(GROUP, 0)))
        .isEqualTo(new Granted(id(1), new BundleId(GROUP, 0), List.of()));
  }

  @Test
  void request_anyBundle_takesTheFirstWithRoom() {
    prepare(1, FIRST, SECOND);
    ledger.commit(GROUP, List.of(0, 1), 1);

    assertThat(((Granted) ask(1, 1, BundleId.any(GROUP))).bundle())
        .isEqualTo(new BundleId(GROUP, 0));
    assertThat(((Granted) ask(2, 1, BundleId.any(GROUP))).bundle())
        .isEqualTo(new BundleId(GROUP, 1));
    assertThat(((Refused) ask(3, 2, BundleId.any(GROUP))).reason()).isEqualTo(Refusal.BUSY);
    assertThat(((Refused) ask(4, 3, BundleId.any(GROUP))).reason()).isEqualTo(Refusal.INFEASIBLE);
    assertThat(ledger.release(id(1)).tryAgain()).isEmpty();
    assertThat(ledger.release(id(2)).tryAgain())
        .extracting(Hungry::bundle)
        .containsExactly(BundleId.any(GROUP));
  }

  @Test
  void block_insideABundle_lendsToTheBundle() {
    prepare(1, FIRST);
    ledger.commit(GROUP, List.of(0), 1);
    BundleId bundle = new BundleId(GROUP, 0);
    for (int depth = 1; depth <= 20; depth++) {
      assertThat(ask(depth, 1, bundle)).isInstanceOf(Granted.class);
      ledger.block(id(depth));
    }

    assertThat(ledger.available()).isEqualTo(Resources.cpus(3));
    ask(21, 1, bundle);
    assertThat(ledger.unblock(id(20)).outcome()).isEqualTo(Unblocked.Outcome.QUEUED);
    assertThat(ledger.release(id(21)).resumed()).containsExactly(id(20));
    assertThat(ask(30, 3, null)).isInstanceOf(Granted.class);
  }

  @Test
  void expire_notCommitted_comesBackAndCanNotBeCommitted() {
    prepare(1, FIRST, SECOND);
    ledger.commit(GROUP, List.of(0), 1);

    assertThat(ledger.nextExpiryMs()).isEqualTo(100);
    assertThat(ledger.expire(99).toEnd()).isEmpty();
    assertThat(ledger.available()).isEqualTo(Resources.cpus(1));
    ledger.expire(100);
    assertThat(ledger.available()).isEqualTo(Resources.cpus(3));
    assertThat(ledger.commit(GROUP, List.of(0, 1), 1)).isFalse();
    assertThat(ledger.nextExpiryMs()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void commit_repeated_isTrue() {
    prepare(1, FIRST);

    assertThat(ledger.commit(GROUP, List.of(0), 1)).isTrue();
    assertThat(ledger.commit(GROUP, List.of(0), 1)).isTrue();
    assertThat(ledger.commit(GROUP, List.of(0), 2)).isFalse();
  }

  @Test
  void cancel_attempt_leavesBundlesOfOthers() {
    prepare(1, FIRST);
    ledger.commit(GROUP, List.of(0), 1);
    prepare(2, SECOND);

    ledger.cancel(GROUP, List.of(1), 2, 0);

    assertThat(ledger.bundles())
        .extracting(BundleStatus::id)
        .containsExactly(new BundleId(GROUP, 0));
    assertThat(reason(prepare(2, SECOND))).isEqualTo(Refusal.STALE_ATTEMPT);
    assertThat(prepare(3, SECOND)).isInstanceOf(PrepareAnswer.Prepared.class);
  }

  @Test
  void prepare_olderBundleStillHere_mustBeCancelledFirst() {
    prepare(1, FIRST);

    assertThat(reason(prepare(2, FIRST))).isEqualTo(Refusal.OLD_BUNDLE_HERE);
    ledger.cancel(GROUP, List.of(0), 1, 0);
    assertThat(prepare(2, FIRST)).isInstanceOf(PrepareAnswer.Prepared.class);
    assertThat(reason(prepare(1, FIRST))).isEqualTo(Refusal.STALE_ATTEMPT);
  }

  @Test
  void remove_beforeThePreparationComes_winsAnyway() {
    ledger.remove(GROUP, 0);

    assertThat(reason(prepare(1, FIRST))).isEqualTo(Refusal.GROUP_REMOVED);
    ledger.expire(BundleTable.REMEMBER_MS - 1);
    assertThat(reason(prepare(9, FIRST))).isEqualTo(Refusal.GROUP_REMOVED);
  }

  @Test
  void remove_withWorkInside_namesTheLeasesAndWakesTheHungry() {
    prepare(1, FIRST, SECOND);
    ledger.commit(GROUP, List.of(0, 1), 1);
    ask(1, 1, new BundleId(GROUP, 0));
    ask(2, 1, new BundleId(GROUP, 1));
    ask(3, 2, new BundleId(GROUP, 1));
    ask(4, 2, null);

    Returned returned = ledger.remove(GROUP, 0);

    assertThat(returned.toEnd()).containsExactly(id(1), id(2));
    assertThat(returned.freed().tryAgain())
        .extracting(Hungry::bundle)
        .containsExactly(new BundleId(GROUP, 1), null);
    assertThat(ledger.available()).isEqualTo(Resources.cpus(2));
    assertThat(ledger.leases()).extracting(LeaseStatus::ending).containsExactly(true, true);
    ledger.release(id(1));
    ledger.release(id(2));
    assertThat(ledger.available()).isEqualTo(ledger.total());
  }

  @Test
  void remove_blockedAndResumingInside_joinTheQueueOfTheNode() {
    prepare(1, FIRST);
    ledger.commit(GROUP, List.of(0), 1);
    BundleId bundle = new BundleId(GROUP, 0);
    ask(1, 1, bundle);
    ledger.block(id(1));
    ask(2, 1, bundle);
    ledger.unblock(id(1));
    ask(3, 3, null);

    assertThat(ledger.remove(GROUP, 0).freed().resumed()).isEmpty();
    assertThat(ledger.release(id(2)).resumed()).containsExactly(id(1));
  }
}
