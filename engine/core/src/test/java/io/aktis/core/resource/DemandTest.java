package io.aktis.core.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class DemandTest {
  @Test
  void defaults_taskAndActor_areWhatTheContractSays() {
    assertThat(Demand.TASK.toHold()).isEqualTo(Resources.cpus(1));
    assertThat(Demand.ACTOR.toPlace()).isEqualTo(Resources.cpus(1));
    assertThat(Demand.ACTOR.toHold()).isEqualTo(Resources.NONE);
    assertThat(Demand.ACTOR).hasToString("{cpu: 1} to place, {} to hold");
    assertThat(Demand.TASK).hasToString("{cpu: 1}");
  }

  @Test
  void demand_holdsMoreOrOtherThanPlaced_isRefused() {
    Resources gpu = Resources.cpus(1).withGpus(1);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Demand(Resources.cpus(1), Resources.cpus(2)));
    assertThatIllegalArgumentException().isThrownBy(() -> new Demand(gpu, Resources.NONE));
    assertThat(new Demand(gpu, gpu.withCpus(0)).toHold().gpus()).isEqualTo(1);
  }

  @Test
  void gpuRoom_scatteredShares_doNotMakeAWhole() {
    GpuRoom room = new GpuRoom(5_000, 0);

    assertThat(room.holds(5_000)).isTrue();
    assertThat(room.holds(5_001)).isFalse();
    assertThat(GpuRoom.ofWhole(2).holds(20_000)).isTrue();
    assertThat(GpuRoom.ofWhole(2).holds(30_000)).isFalse();
    assertThat(NodeNumbers.allFree(Resources.NONE.withGpus(1)).canTake(Resources.NONE.withGpus(1)))
        .isTrue();
  }
}
