package io.aktis.conformance;

import static io.aktis.PlacementStrategy.PACK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.ActorHandle;
import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.Bundle;
import io.aktis.ObjectRef;
import io.aktis.PlacementGroup;
import io.aktis.SessionOptions;
import io.aktis.TaskCall;
import io.aktis.testkit.Await;
import io.aktis.testkit.EngineTest;
import io.aktis.testkit.Gate;
import io.aktis.testkit.Notes;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** GPUs, rehearsed with devices that do not exist. */
@EngineTest(cpus = 4, gpus = 2)
class GpuTest {
  static final class Trainer {
    List<String> devices() {
      return Aktis.context().gpuIds();
    }
  }

  static final class UuidDevices implements UnaryOperator<SessionOptions> {
    @Override
    public SessionOptions apply(SessionOptions options) {
      return options.devices(
          count -> IntStream.range(0, count).mapToObj(i -> "GPU-aa0" + i).toList());
    }
  }

  private final Gate gate = Gate.closed();
  private final Notes devices = Notes.empty();

  @Test
  @Semantics("6.assigned")
  void gpus_wholeOnes_areExclusive() {
    holding(held().gpus(1));
    holding(held().gpus(1));

    assertThat(devices.lines()).containsExactlyInAnyOrder("0", "1");
    assertWaits(held().gpus(1));
  }

  @Test
  @Semantics("6.assigned")
  void gpus_two_areTwoDevices() {
    assertThat(Aktis.task(GpuTest::ids).gpus(2).remote().get()).containsExactly("0", "1");
    assertThat(Aktis.task(GpuTest::ids).remote().get()).isEmpty();
  }

  @Test
  @Semantics("6.fraction")
  void gpus_twoHalves_shareOneDevice(AktisSession session) {
    holding(held().gpus(0.5));
    holding(held().gpus(0.5));

    assertThat(devices.lines()).hasSize(2).containsOnly(devices.lines().getFirst());
    assertThat(session.cluster().available("GPU")).isEqualTo(1);
    assertThat(Aktis.task(GpuTest::ids).gpus(1).remote().get())
        .isNotEqualTo(List.of(devices.lines().getFirst()));
  }

  @Test
  @Semantics("6.fraction")
  void gpus_fractionsThatDoNotFitOnOneDevice_areApart() {
    holding(held().gpus(0.6));
    holding(held().gpus(0.6));

    assertThat(devices.lines()).containsExactlyInAnyOrder("0", "1");
    // Four fifths are free in sum, but on two devices.
    assertWaits(held().gpus(0.5));
    holding(held().gpus(0.4));
  }

  @Test
  @Semantics("6.fraction")
  void gpus_aboveOneWithAFraction_isAnError() {
    assertThatThrownBy(() -> held().gpus(1.5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1.5");
  }

  @Test
  @OneProcess("a daemon names the devices of its node, not the program")
  @EngineTest(gpus = 2, options = UuidDevices.class)
  @Semantics("6.provider")
  void devices_ofAProvider_haveItsNames() {
    assertThat(Aktis.task(GpuTest::ids).gpus(2).remote().get())
        .containsExactly("GPU-aa00", "GPU-aa01");
  }

  @Test
  @Semantics("6.freed")
  void gpus_workHasEnded_areFreeAgain(AktisSession session) {
    for (int i = 0; i < 5; i++) { // there are two: the second time would find out
      assertThat(Aktis.task(GpuTest::ids).gpus(2).remote().get()).hasSize(2);
      ActorHandle<Trainer> trainer = Aktis.actor(Trainer::new).gpus(2).remote();
      assertThat(trainer.call(Trainer::devices).get()).containsExactly("0", "1");
      trainer.kill();
    }

    Await.until("both devices to be free", () -> session.cluster().available("GPU") == 2);
  }

  @Test
  @Semantics("6.freed")
  void gpus_taskThatFailed_areFreeAgain() {
    for (int i = 0; i < 4; i++) {
      assertThatThrownBy(Aktis.run(TaskTest::fail).gpus(2).remote()::get)
          .hasRootCauseMessage("on purpose");
    }

    assertThat(Aktis.task(GpuTest::ids).gpus(2).remote().get()).hasSize(2);
  }

  @Test
  @Semantics("6.group")
  void gpus_inBundles_areTheBundlesOwn() {
    try (PlacementGroup group =
        Aktis.placementGroup(PACK, Bundle.of(1).gpus(1), Bundle.of(1).gpus(1)).create()) {
      List<String> first = Aktis.task(GpuTest::ids).gpus(1).in(group, 0).remote().get();
      List<String> second = Aktis.task(GpuTest::ids).gpus(1).in(group, 1).remote().get();

      assertThat(first).hasSize(1).isNotEqualTo(second);
      assertThat(Aktis.task(GpuTest::ids).gpus(1).in(group, 0).remote().get()).isEqualTo(first);
      assertWaits(held().gpus(1));
    }
  }

  private TaskCall<Void> held() {
    return Aktis.run(GpuTest::noteAndPass, devices, gate);
  }

  private void holding(TaskCall<Void> call) {
    int before = gate.arrivals();
    call.remote();
    gate.awaitArrivals(before + 1);
  }

  private void assertWaits(TaskCall<Void> call) {
    int before = gate.arrivals();
    ObjectRef<Void> waiting = call.remote();
    assertThat(Aktis.task(() -> 1).cpus(0).remote().get()).isEqualTo(1);
    assertThat(gate.arrivals()).isEqualTo(before);
    waiting.cancel();
  }

  static List<String> ids() {
    return Aktis.context().gpuIds();
  }

  static void noteAndPass(Notes devices, Gate gate) throws InterruptedException {
    devices.add(String.join(",", ids()));
    gate.pass();
  }
}
