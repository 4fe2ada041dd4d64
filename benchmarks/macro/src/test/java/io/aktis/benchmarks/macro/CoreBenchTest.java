package io.aktis.benchmarks.macro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class CoreBenchTest {
  private static final double BLINK = 0.005;

  @Test
  void loads_thatRunInThisJvm_giveFiguresOfAllContenders() throws InterruptedException {
    List<Load> loads =
        CoreLoads.all(Setting.EMBEDDED).stream()
            .filter(load -> !isLarge(load) && !isOwnJvm(load))
            .toList();
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
    List<Load> loads = CoreLoads.named(Setting.EMBEDDED, List.of("resident_mb"));

    Measurement measurement = bench(loads).run(_ -> {}).getFirst();

    assertThat(measurement.failures()).isEmpty();
    assertThat(measurement.figure(Side.JDK)).hasValueSatisfying(mb -> assertThat(mb).isPositive());
  }

  @Test
  void contender_thatFails_isReportedAndTheOthersGoOn() throws InterruptedException {
    Load load =
        Load.of(Setting.EMBEDDED, "odd_per_s", Unit.PER_SECOND)
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
        Load.of(Setting.EMBEDDED, "turns", Unit.COUNT)
            .anew(_ -> _ -> turns.append('a').length())
            .jdk("other", _ -> _ -> turns.append('j').length());

    bench(List.of(load)).run(_ -> {});

    assertThat(turns).hasToString("jjj" + "ajajaj");
  }

  @Test
  void contender_thatBecomesFaster_isMeasuredWhenItDoesNotAnyMore() throws InterruptedException {
    AtomicInteger windows = new AtomicInteger();
    Load load =
        Load.of(Setting.EMBEDDED, "warming_per_s", Unit.PER_SECOND)
            .aktis(_ -> _ -> Math.min(1 << windows.getAndIncrement(), 1_000));

    Measurement measurement = bench(List.of(load)).run(_ -> {}).getFirst();

    assertThat(measurement.figure(Side.AKTIS)).hasValue(1_000.0);
    assertThat(windows).hasValue(11 + 2 + Load.WINDOWS);
  }

  @Test
  void contender_thatNeverBecomesSteady_isMeasuredAllTheSame() throws InterruptedException {
    AtomicInteger windows = new AtomicInteger();
    Load load =
        Load.of(Setting.EMBEDDED, "never_steady_s", Unit.SECONDS)
            .aktis(_ -> _ -> 1.0 / (1L << windows.getAndIncrement()));

    Measurement measurement = bench(List.of(load)).run(_ -> {}).getFirst();

    assertThat(measurement.figure(Side.AKTIS)).isPresent();
    assertThat(windows).hasValue(20 + Load.WINDOWS);
  }

  @Test
  void loads_byAWrongName_listTheRightOnes() {
    assertThatThrownBy(
            () -> CoreLoads.named(Setting.EMBEDDED, List.of("task_sync_per_s", "nonsense")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nonsense")
        .hasMessageContaining("put_100mb_gb_per_s");
  }

  @Test
  void loads_ofSeveralProcesses_areComparedWithBareGrpc() {
    Load sync =
        CoreLoads.named(Setting.separate(Mode.PROCESSES, 1, false), List.of("task_sync_per_s"))
            .getFirst();

    assertThat(sync.contenders()).extracting(Load.Contender::side).contains(Side.GRPC);
    assertThat(sync.budgets()).containsExactly(new Budget.Times(Side.GRPC, 0.5));
  }

  @Test
  void loads_withTls_areComparedWithoutIt() {
    Load sync =
        CoreLoads.named(Setting.separate(Mode.PROCESSES, 1, true), List.of("actor_async_per_s"))
            .getFirst();

    assertThat(sync.contenders()).extracting(Load.Contender::side).contains(Side.PLAIN);
    assertThat(sync.budgets()).contains(new Budget.Times(Side.PLAIN, 0.7));
  }

  @Test
  void loads_thatNeedMoreNodes_areThereWithThemOnly() {
    assertThat(names(Setting.separate(Mode.PROCESSES, 1, false)))
        .doesNotContain("transfer_500mb_gb_per_s", "fifty_init_close_mb")
        .contains("init_to_first_result_s", "resident_mb");
    assertThat(names(Setting.separate(Mode.NODES, 2, false)))
        .contains("transfer_500mb_gb_per_s")
        .doesNotContain("broadcast_1gb_to_4_s");
    assertThat(names(Setting.separate(Mode.NODES, 5, false))).contains("broadcast_1gb_to_4_s");
    assertThat(names(Setting.EMBEDDED)).doesNotContain("transfer_500mb_gb_per_s");
  }

  private static List<String> names(Setting setting) {
    return CoreLoads.all(setting).stream().map(Load::name).toList();
  }

  @Test
  void bench_ofSeveralProcessesWithoutClusters_isRefused() {
    assertThatThrownBy(() -> plan(Setting.separate(Mode.PROCESSES, 1, false), List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("needs a cluster");
  }

  @Test
  void setting_thatMakesNoSense_isRefused() {
    assertThatThrownBy(() -> new Setting(Mode.EMBEDDED, 1, true, Setting.UNLIMITED))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Setting.separate(Mode.PROCESSES, 3, false))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Setting.separate(Mode.NODES, 1, false))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void peer_ofAnotherJvm_sendsBackMessagesAndTakesBytes() throws Exception {
    try (Peer peer = Peer.start(Optional.empty());
        Arena arena = Arena.ofConfined()) {
      peer.stream().roundTrips(1);
      peer.stream().roundTrips(1_000);
      peer.socket().transfer(arena.allocate(5_000_000));
      peer.socket().transfer(arena.allocate(7));
    }
  }

  @Test
  void ray_withAPythonThatIsNotThere_isToldInALine() throws InterruptedException {
    assertThat(CoreBench.whyNoRay(Path.of("no-such-python")))
        .hasValueSatisfying(why -> assertThat(why).contains("no-such-python").hasLineCount(1));
  }

  private static CoreBench bench(List<Load> loads) {
    return new CoreBench(plan(Setting.EMBEDDED, loads));
  }

  private static CoreBench.Plan plan(Setting setting, List<Load> loads) {
    return new CoreBench.Plan(
        setting, Set.of(Side.JDK), loads, BLINK, 2, Optional.empty(), Optional.empty());
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
