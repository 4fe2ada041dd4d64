package io.aktis.core.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.aktis.core.id.LeaseId;
import io.aktis.core.lease.LeaseAnswer.Granted;
import io.aktis.core.lease.LeaseAnswer.Refused;
import io.aktis.core.resource.Demand;
import io.aktis.core.resource.Resources;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeaseLedgerTest {
  private final LeaseLedger ledger = new LeaseLedger(Resources.cpus(2), List.of());

  @AfterEach
  void validate() {
    ledger.validate();
  }

  private static LeaseId id(long number) {
    return new LeaseId(7, number);
  }

  private LeaseAnswer ask(LeaseId id, Demand demand) {
    return ledger.request(new LeaseRequest(id, demand, null), 0);
  }

  private LeaseAnswer ask(long number, double cpus) {
    return ask(id(number), Demand.of(Resources.cpus(cpus)));
  }

  private Refusal refusal(LeaseAnswer answer) {
    return ((Refused) answer).reason();
  }

  @Test
  void request_twoOfSevenTenths_leaveRoomForHalf() {
    assertThat(ask(1, 0.7)).isInstanceOf(Granted.class);
    assertThat(ask(2, 0.7)).isInstanceOf(Granted.class);
    assertThat(ask(3, 0.5)).isInstanceOf(Granted.class);
    assertThat(refusal(ask(4, 0.2))).isEqualTo(Refusal.BUSY);
    assertThat(ask(5, 0.1)).isInstanceOf(Granted.class);
    assertThat(ledger.available()).isEqualTo(Resources.NONE);
  }

  @Test
  void request_moreThanTheNodeHas_isInfeasible() {
    assertThat(refusal(ask(1, 3))).isEqualTo(Refusal.INFEASIBLE);
    assertThat(refusal(ask(id(2), Demand.of(Resources.NONE.with("tpu", 1)))))
        .isEqualTo(Refusal.INFEASIBLE);
    assertThat(ledger.hungry()).isEmpty();
  }

  @Test
  void request_refused_bringsFreshNumbers() {
    ask(1, 1.5);

    Refused refused = (Refused) ask(2, 1);

    assertThat(refused.numbers().total()).isEqualTo(Resources.cpus(2));
    assertThat(refused.numbers().available()).isEqualTo(Resources.cpus(0.5));
    assertThat(refused.numbers().version()).isPositive();
  }

  @Test
  void request_repeated_takesOnce() {
    ask(1, 1);

    assertThat(ask(1, 1)).isEqualTo(new Granted(id(1), null, List.of()));
    assertThat(ledger.available()).isEqualTo(Resources.cpus(1));
  }

  @Test
  void request_actor_needsOneCpuAndTakesNone() {
    ask(1, 1);
    for (int number = 10; number < 110; number++) {
      assertThat(ask(id(number), Demand.ACTOR)).isInstanceOf(Granted.class);
    }
    ask(2, 1);

    assertThat(refusal(ask(id(3), Demand.ACTOR))).isEqualTo(Refusal.BUSY);
    assertThat(ledger.release(id(1)).tryAgain())
        .extracting(Hungry::demand)
        .containsExactly(Demand.ACTOR);
    assertThat(ask(id(3), Demand.ACTOR)).isInstanceOf(Granted.class);
  }

  @Test
  void release_unknownOrRepeated_doesNothing() {
    ask(1, 1);
    ledger.release(id(1));

    assertThat(ledger.release(id(1))).isSameAs(Freed.NOTHING);
    assertThat(ledger.release(id(99))).isSameAs(Freed.NOTHING);
    assertThat(ledger.available()).isEqualTo(ledger.total());
  }

  @Test
  void block_task_lendsItsCpuAndNothingElse() {
    Resources total = Resources.of(1, 1, 1000, java.util.Map.of("tpu", 1.0));
    LeaseLedger rich = new LeaseLedger(total, List.of("gpu-0"));
    rich.request(new LeaseRequest(id(1), Demand.of(total), null), 0);

    rich.block(id(1));

    assertThat(rich.available()).isEqualTo(Resources.cpus(1));
    assertThat(rich.unblock(id(1)).outcome()).isEqualTo(Unblocked.Outcome.RESUMED);
    assertThat(rich.available()).isEqualTo(Resources.NONE);
    rich.validate();
  }

  @Test
  void block_nestedOnOneCpu_finishes() {
    LeaseLedger small = new LeaseLedger(Resources.cpus(1), List.of());
    for (int depth = 1; depth <= 20; depth++) {
      LeaseRequest request = new LeaseRequest(id(depth), Demand.TASK, null);
      assertThat(small.request(request, 0)).isInstanceOf(Granted.class);
      small.block(id(depth));
    }
    for (int depth = 20; depth >= 1; depth--) {
      assertThat(small.unblock(id(depth)).outcome()).isEqualTo(Unblocked.Outcome.RESUMED);
      small.release(id(depth));
    }
    assertThat(small.available()).isEqualTo(small.total());
    small.validate();
  }

  @Test
  void unblock_noCpu_queuesBeforeNewWork() {
    ask(1, 1);
    ask(2, 1);
    ledger.block(id(1));
    ask(3, 0.5);

    assertThat(ledger.unblock(id(1)).outcome()).isEqualTo(Unblocked.Outcome.QUEUED);
    assertThat(refusal(ask(4, 0.5))).isEqualTo(Refusal.RESUMING);
    assertThat(ledger.release(id(3)).resumed()).containsExactly(id(1));
    assertThat(refusal(ask(4, 0.5))).isEqualTo(Refusal.BUSY);
  }

  @Test
  void unblock_largeAtTheHead_isNotOvertaken() {
    LeaseLedger four = new LeaseLedger(Resources.cpus(4), List.of());
    four.request(new LeaseRequest(id(1), Demand.of(Resources.cpus(4)), null), 0);
    four.block(id(1));
    four.request(new LeaseRequest(id(2), Demand.TASK, null), 0);
    four.block(id(2));
    for (int number = 3; number <= 6; number++) {
      four.request(new LeaseRequest(id(number), Demand.TASK, null), 0);
    }
    four.unblock(id(1));
    four.unblock(id(2));

    assertThat(four.release(id(3)).resumed()).isEmpty();
    assertThat(four.release(id(4)).resumed()).isEmpty();
    assertThat(four.release(id(5)).resumed()).isEmpty();
    assertThat(four.release(id(6)).resumed()).containsExactly(id(1));
    assertThat(four.release(id(1)).resumed()).containsExactly(id(2));
    four.validate();
  }

  @Test
  void release_headOfTheQueue_letsTheNextGoOn() {
    ask(1, 2);
    ledger.block(id(1));
    ask(2, 1);
    ledger.block(id(2));
    ask(3, 1);
    ledger.unblock(id(1));
    ledger.unblock(id(2));

    assertThat(ledger.release(id(1)).resumed()).containsExactly(id(2));
  }

  @Test
  void blockAndUnblock_repeatedOrUnknown_changeNothing() {
    ask(1, 1);
    ledger.block(id(1));
    ledger.block(id(1));
    assertThat(ledger.available()).isEqualTo(Resources.cpus(2));
    assertThat(ledger.unblock(id(1)).outcome()).isEqualTo(Unblocked.Outcome.RESUMED);
    assertThat(ledger.unblock(id(1)).outcome()).isEqualTo(Unblocked.Outcome.RESUMED);
    assertThat(ledger.unblock(id(9)).outcome()).isEqualTo(Unblocked.Outcome.UNKNOWN);
    assertThat(ledger.available()).isEqualTo(Resources.cpus(1));
  }

  @Test
  void release_hungryOwners_areToldInTheirOrderAndOnlyAsManyAsCanBeServed() {
    ask(1, 1);
    ask(2, 1);
    for (long owner = 100; owner < 110; owner++) {
      ask(new LeaseId(owner, 1), Demand.TASK);
    }

    assertThat(ledger.release(id(1)).tryAgain()).extracting(Hungry::owner).containsExactly(100L);
    assertThat(ask(new LeaseId(100, 1), Demand.TASK)).isInstanceOf(Granted.class);
    assertThat(ledger.release(id(2)).tryAgain()).extracting(Hungry::owner).containsExactly(101L);
    assertThat(ledger.hungry()).hasSize(9);
  }

  @Test
  void expire_ownerThatWasToldAndNeverCame_doesNotStopTheOthers() {
    ask(1, 2);
    ask(new LeaseId(100, 1), Demand.TASK);
    ask(new LeaseId(101, 1), Demand.of(Resources.cpus(2)));

    assertThat(ledger.release(id(1)).tryAgain()).extracting(Hungry::owner).containsExactly(100L);
    assertThat(ledger.expire(1).freed().tryAgain()).extracting(Hungry::owner).containsExactly(101L);
    for (int i = 0; i < 10; i++) {
      ledger.expire(i);
    }
    assertThat(ledger.hungry()).isEmpty();
  }

  @Test
  void forget_goneOwner_leavesNoDemandAndNamesItsLeases() {
    ask(1, 2);
    ask(new LeaseId(100, 1), Demand.TASK);

    assertThat(ledger.forget(100)).isEmpty();
    assertThat(ledger.hungry()).isEmpty();
    assertThat(ledger.forget(7)).containsExactly(id(1));
  }

  @Test
  void forget_goneOwner_letsNoneOfItsBlockedWorkGoOn() {
    ask(1, 2);
    ledger.block(id(1));
    ask(2, 1);
    ask(new LeaseId(100, 1), Demand.TASK);
    ledger.unblock(id(1));

    assertThat(ledger.forget(7)).containsExactly(id(1), id(2));
    assertThat(ledger.release(id(2)).resumed()).isEmpty();
    assertThat(ledger.release(new LeaseId(100, 1)).resumed()).isEmpty();
    ledger.validate();
    assertThat(ledger.release(id(1)).resumed()).isEmpty();
    assertThat(ledger.available()).isEqualTo(Resources.cpus(2));
  }

  @Test
  void forget_ownerAtTheHeadOfTheQueue_letsOthersGoOnWithTheNextRelease() {
    ask(1, 2);
    ledger.block(id(1));
    ask(new LeaseId(100, 1), Demand.TASK);
    ledger.block(new LeaseId(100, 1));
    ask(2, 1);
    ask(3, 1);
    ledger.unblock(id(1));
    ledger.unblock(new LeaseId(100, 1));

    ledger.forget(7);
    assertThat(ledger.release(id(2)).resumed()).containsExactly(new LeaseId(100, 1));
  }

  @Test
  void request_idleLeasesWouldHelp_namesTheLongestIdle() {
    ask(1, 1);
    ask(2, 1);
    ledger.markIdle(id(2));
    ledger.markIdle(id(1));

    assertThat(((Refused) ask(3, 1)).idle()).containsExactly(id(2));
    assertThat(((Refused) ask(4, 2)).idle()).containsExactly(id(2), id(1));
    ledger.markBusy(id(2));
    assertThat(((Refused) ask(3, 1)).idle()).containsExactly(id(1));
    assertThat(((Refused) ask(4, 2)).idle()).isEmpty();
  }

  @Test
  void markIdle_somebodyWaits_isWantedBack() {
    ask(1, 1);
    assertThat(ledger.markIdle(id(1))).isFalse();
    ledger.markBusy(id(1));
    ask(2, 2);

    assertThat(ledger.markIdle(id(1))).isTrue();
    assertThat(ledger.leases())
        .extracting(LeaseStatus::state)
        .containsExactly(LeaseStatus.State.IDLE);
  }

  @Test
  void unblock_idleLeasesHoldTheCpu_namesThem() {
    ask(1, 2);
    ledger.block(id(1));
    ask(2, 0.5);
    ask(3, 0.5);
    ask(4, 0.5);
    ledger.markIdle(id(2));
    ledger.markIdle(id(3));

    assertThat(ledger.unblock(id(1)).idle()).containsExactly(id(2), id(3));
    assertThat(((Refused) ask(5, 0.1)).idle()).containsExactly(id(2), id(3));
  }

  @Test
  void constructor_gpusWithoutNames_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LeaseLedger(Resources.NONE.withGpus(2), List.of("only")));
  }
}
