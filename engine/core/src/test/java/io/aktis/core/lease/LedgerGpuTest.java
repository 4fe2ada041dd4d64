package io.aktis.core.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.core.id.BundleId;
import io.aktis.core.id.GroupId;
import io.aktis.core.id.LeaseId;
import io.aktis.core.lease.LeaseAnswer.Granted;
import io.aktis.core.lease.LeaseAnswer.Refused;
import io.aktis.core.resource.Demand;
import io.aktis.core.resource.GpuRoom;
import io.aktis.core.resource.Resources;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LedgerGpuTest {
  private static final GroupId GROUP = new GroupId(1, 1);

  private final LeaseLedger ledger =
      new LeaseLedger(Resources.cpus(8).withGpus(3), List.of("g0", "g1", "g2"));

  @AfterEach
  void validate() {
    ledger.validate();
  }

  private LeaseAnswer ask(long number, double gpus, @Nullable BundleId bundle) {
    Demand demand = Demand.of(Resources.NONE.withGpus(gpus));
    return ledger.request(new LeaseRequest(new LeaseId(7, number), demand, bundle), 0);
  }

  private List<String> devices(LeaseAnswer answer) {
    return ((Granted) answer).gpus().stream().map(GpuShare::device).toList();
  }

  @Test
  void request_wholeGpus_areExclusive() {
    assertThat(devices(ask(1, 2, null))).containsExactly("g0", "g1");
    assertThat(devices(ask(2, 1, null))).containsExactly("g2");
    assertThat(((Refused) ask(3, 0.1, null)).reason()).isEqualTo(Refusal.BUSY);
  }

  @Test
  void request_fractions_fillTheFullestDeviceThatHasRoom() {
    assertThat(devices(ask(1, 0.5, null))).containsExactly("g0");
    assertThat(devices(ask(2, 0.7, null))).containsExactly("g1");
    assertThat(devices(ask(3, 0.3, null))).containsExactly("g1");
    assertThat(devices(ask(4, 0.5, null))).containsExactly("g0");
    assertThat(devices(ask(5, 1, null))).containsExactly("g2");
    assertThat(ledger.leases().getFirst().gpus()).containsExactly(new GpuShare("g0", 5_000));
  }

  @Test
  void request_sumIsFreeButScattered_saysSo() {
    ask(1, 0.6, null);
    ask(2, 0.6, null);
    ask(3, 0.6, null);

    Refused refused = (Refused) ask(4, 1, null);

    assertThat(refused.reason()).isEqualTo(Refusal.GPUS_SCATTERED);
    assertThat(refused.numbers().gpuRoom()).isEqualTo(new GpuRoom(4_000, 0));
    assertThat(refused.numbers().available().gpus()).isEqualTo(1.2);
    assertThat(refused.numbers().canTake(Resources.NONE.withGpus(0.5))).isFalse();
  }

  @Test
  void request_scatteredByIdleLeases_namesOneThatHelps() {
    ask(1, 0.6, null);
    ask(2, 0.6, null);
    ask(3, 0.6, null);
    ledger.markIdle(new LeaseId(7, 2));

    assertThat(((Refused) ask(4, 1, null)).idle()).containsExactly(new LeaseId(7, 2));
  }

  @Test
  void bundle_withGpus_lendsItsOwnDevicesOnly() {
    ask(1, 1, null);
    ledger.prepare(GROUP, 1, List.of(new Bundle(0, Resources.cpus(1).withGpus(2))), 1_000, 0);
    ledger.commit(GROUP, List.of(0), 1);
    BundleId bundle = new BundleId(GROUP, 0);

    assertThat(devices(ask(2, 0.5, bundle))).containsExactly("g1");
    assertThat(devices(ask(3, 1, bundle))).containsExactly("g2");
    assertThat(devices(ask(4, 0.5, bundle))).containsExactly("g1");
    assertThat(((Refused) ask(5, 0.5, bundle)).reason()).isEqualTo(Refusal.BUSY);
    assertThat(((Refused) ask(6, 0.5, null)).reason()).isEqualTo(Refusal.BUSY);
  }

  @Test
  void remove_leaseStillRuns_keepsItsDeviceUntilReleased() {
    ledger.prepare(GROUP, 1, List.of(new Bundle(0, Resources.NONE.withGpus(2))), 1_000, 0);
    ledger.commit(GROUP, List.of(0), 1);
    ask(1, 1, BundleId.any(GROUP));

    assertThat(ledger.remove(GROUP, 5).toEnd()).containsExactly(new LeaseId(7, 1));
    assertThat(devices(ask(2, 2, null))).containsExactly("g1", "g2");
    ledger.release(new LeaseId(7, 1));
    assertThat(devices(ask(3, 1, null))).containsExactly("g0");
  }

  @Test
  void bundle_ofAFraction_isAShareOfOneDevice() {
    ledger.prepare(
        GROUP,
        1,
        List.of(
            new Bundle(0, Resources.NONE.withGpus(0.5)),
            new Bundle(1, Resources.NONE.withGpus(0.5))),
        1_000,
        0);
    ledger.commit(GROUP, List.of(0, 1), 1);

    assertThat(devices(ask(1, 0.25, new BundleId(GROUP, 1)))).containsExactly("g0");
    assertThat(((Refused) ask(2, 1, new BundleId(GROUP, 1))).reason())
        .isEqualTo(Refusal.INFEASIBLE);
    assertThat(ledger.numbers().gpuRoom()).isEqualTo(GpuRoom.ofWhole(2));
  }
}
