package io.aktis.benchmarks.macro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class CoreBenchTest {
  private static final double BLINK = 0.005;

  @Test
  void loads_thatRunInThisJvm_giveFiguresOfAllContenders() throws InterruptedException {
    List<Load> loads =
        CoreLoads.all().stream().filter(load -> !isLarge(load) && !isOwnJvm(load)).toList();
    List<Measurement> told = new ArrayList<>();

    List<Measurement> measurements = bench(loads).run(told::add);

    assertThat(told).isEqualTo(measurements).hasSameSizeAs(loads);
    assertThat(measurements)
        .allSatisfy(measurement -> {
          assertThat(measurement.failures()).isEmpty();
          assertThat(measurement.figures()).allMatch(figure -> figure.value() > 0);
        });
  }

  @Test
  void load_thatNeedsAJvmOfItsOwn_getsOne() throws InterruptedException {
    List<Load> loads = CoreLoads.named(List.of("resident_mb"));

    Measurement measurement = bench(loads).run(_ -> {}).getFirst();

    assertThat(measurement.failures()).isEmpty();
    assertThat(measurement.figure(Side.JDK)).hasValueSatisfying(mb -> assertThat(mb).isPositive());
  }

  @Test
  void contender_thatFails_isReportedAndTheOthersGoOn() throws InterruptedException {
    Load load =
        Load.of("odd_per_s", Unit.PER_SECOND)
            .aktis(_ -> {
              throw new IllegalStateException("not today");
            })
            .jdk("works", _ -> Probe.rate(1, () -> "ok"));

    Measurement measurement = bench(List.of(load)).run(_ -> {}).getFirst();

    assertThat(measurement.failures())
        .singleElement()
        .satisfies(figure -> assertThat(figure.failure()).contains("not today"));
    assertThat(measurement.figure(Side.AKTIS)).isEmpty();
    assertThat(measurement.figure(Side.JDK)).isPresent();
  }

  @Test
  void contenders_ofALoad_takeTurns() throws InterruptedException {
    StringBuilder turns = new StringBuilder();
    Load load =
        Load.of("turns", Unit.COUNT)
            .aktis(_ -> _ -> turns.append('a').length())
            .jdk("other", _ -> _ -> turns.append('j').length());

    bench(List.of(load)).run(_ -> {});

    assertThat(turns).hasToString("ajajajaj");
  }

  @Test
  void loads_byAWrongName_listTheRightOnes() {
    assertThatThrownBy(() -> CoreLoads.named(List.of("task_sync_per_s", "nonsense")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nonsense")
        .hasMessageContaining("put_100mb_gb_per_s");
  }

  @Test
  void ray_withAPythonThatIsNotThere_isToldInALine() throws InterruptedException {
    assertThat(CoreBench.whyNoRay(Path.of("no-such-python")))
        .hasValueSatisfying(why -> assertThat(why).contains("no-such-python").hasLineCount(1));
  }

  private static CoreBench bench(List<Load> loads) {
    return new CoreBench(new CoreBench.Plan(Set.of(Side.JDK), loads, BLINK, 2, Optional.empty()));
  }

  private static boolean isLarge(Load load) {
    return load.name().contains("mb") || load.name().contains("100k");
  }

  private static boolean isOwnJvm(Load load) {
    return load.name().startsWith("init_")
        || load.name().startsWith("fifty_")
        || load.name().startsWith("heap_");
  }
}
