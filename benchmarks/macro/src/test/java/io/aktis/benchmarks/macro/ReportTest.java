package io.aktis.benchmarks.macro;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.benchmarks.macro.Budget.AboveJdk;
import io.aktis.benchmarks.macro.Budget.Absolute;
import io.aktis.benchmarks.macro.Budget.Times;
import io.aktis.benchmarks.macro.Budget.TimesOwn;
import io.aktis.benchmarks.macro.Measurement.Figure;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ReportTest {
  private static final Report TABLE = new Report(List.of(Side.JDK, Side.RAY));
  private static final Load RATE = Load.of(Setting.EMBEDDED, "calls_per_s", Unit.PER_SECOND);
  private static final Load TIME = Load.of(Setting.EMBEDDED, "all_s", Unit.SECONDS);

  @Test
  void advantage_ofMoreASecondOrFewerSeconds_isAboveOne() {
    assertThat(measured(RATE, 200, 100).advantageOver(Side.JDK)).contains(2.0);
    assertThat(measured(TIME, 1, 2).advantageOver(Side.JDK)).contains(2.0);
  }

  @Test
  void budget_timesTheJdk_isJudgedByTheRatioOfTheReference() {
    Load load = RATE.budget(new Times(Side.JDK, 0.5)).budget(new Absolute(1000));

    assertThat(measured(load, 50, 100).missedBudgets()).containsExactly(new Absolute(1000));
    assertThat(measured(load, 2000, 5000).missedBudgets())
        .containsExactly(new Times(Side.JDK, 0.5));
  }

  @Test
  void budget_aboveTheJdk_isJudgedByTheDifference() {
    Load load = Load.of(Setting.EMBEDDED, "resident_mb", Unit.MEGABYTES).budget(new AboveJdk(100));

    assertThat(measured(load, 180, 90).missedBudgets()).isEmpty();
    assertThat(measured(load, 200, 90).missedBudgets()).hasSize(1);
  }

  @Test
  void budget_withoutTheSideItComparesWith_isNeitherMetNorMissed() {
    Load load = RATE.budget(new Times(Side.JDK, 0.5));
    Measurement alone = new Measurement(load, List.of(new Figure(Side.AKTIS, "aktis", 5, "")));

    assertThat(alone.missedBudgets()).isEmpty();
    assertThat(TABLE.row(alone)).contains("≥ 0.50× jdk: not judged");
  }

  @Test
  void row_ofSeveralWaysOfTheJdk_namesTheReferenceFirstAndGivesTheFiguresOfTheOthers() {
    Measurement measurement =
        new Measurement(
            RATE.budget(new Times(Side.JDK, 1)),
            List.of(
                new Figure(Side.AKTIS, "aktis", 123_456.7, ""),
                new Figure(Side.JDK, "pool", 246_913.4, ""),
                new Figure(Side.JDK, "threads", 1.5, "")));

    assertThat(TABLE.row(measurement))
        .contains("calls_per_s", " 123,457 ", " 246,913 ", " 0.500× ", "≥ 1.00× jdk: MISSED")
        .endsWith("\n    jdk: pool, threads 1.50");
  }

  @Test
  void row_ofASideThatFailed_tellsWhyAndLeavesTheFigureOut() {
    Measurement measurement =
        new Measurement(RATE, List.of(new Figure(Side.AKTIS, "aktis", Double.NaN, "out of luck")));

    assertThat(TABLE.row(measurement)).endsWith("\n    aktis FAILED: out of luck");
    assertThat(Report.toMap(Setting.EMBEDDED, List.of(measurement)).get("results"))
        .isEqualTo(Map.of("calls_per_s", Map.of("unit", "1/s")));
  }

  @Test
  void map_ofMeasurements_hasTheReferenceOfEachSide() {
    assertThat(Report.toMap(Setting.EMBEDDED, List.of(measured(TIME, 1, 2))))
        .isEqualTo(
            Map.of(
                "mode",
                "embedded",
                "results",
                Map.of("all_s", Map.of("unit", "s", "aktis", 1.0, "jdk", 2.0))));
  }

  @Test
  void budget_timesAnotherOfItsOwn_isJudgedByTheFigureOfThat() {
    Load load = TIME.budget(new TimesOwn("one", 2.5));

    assertThat(broadcast(load, 2.4).missedBudgets()).isEmpty();
    assertThat(broadcast(load, 2.6).missedBudgets()).hasSize(1);
    assertThat(TABLE.row(broadcast(load, 2.6)))
        .contains("≤ 2.50× one: MISSED")
        .endsWith("\n    aktis: four, one 1.00");
    assertThat(measured(load, 1, 1).missedBudgets()).isEmpty();
  }

  private static Measurement broadcast(Load load, double seconds) {
    return new Measurement(
        load,
        List.of(new Figure(Side.AKTIS, "four", seconds, ""), new Figure(Side.AKTIS, "one", 1, "")));
  }

  @Test
  void map_ofSeveralProcesses_saysWhichAndHasWhatElseWasDone() {
    Setting setting = Setting.separate(Mode.NODES, 5, true);

    assertThat(Report.toMap(setting, List.of(broadcast(TIME, 2))))
        .isEqualTo(
            Map.of(
                "mode",
                "nodes",
                "nodes",
                5,
                "tls",
                true,
                "results",
                Map.of("all_s", Map.of("unit", "s", "aktis", 2.0, "others", Map.of("one", 1.0)))));
  }

  @Test
  void table_withMoreSides_hasAColumnForEach() {
    Report table = new Report(List.of(Side.JDK, Side.GRPC, Side.PLAIN));
    Measurement measurement =
        new Measurement(
            RATE,
            List.of(
                new Figure(Side.AKTIS, "aktis", 50, ""), new Figure(Side.GRPC, "stream", 100, "")));

    assertThat(table.heading()).contains("aktis/jdk", "aktis/grpc", "aktis/plain");
    assertThat(table.row(measurement)).contains(" 100 ", "0.500×");
  }

  @Test
  void figures_ofAnySize_haveThreeDigitsThatCount() {
    assertThat(Figures.of(1_234_567.8)).isEqualTo("1,234,568");
    assertThat(Figures.of(12.345)).isEqualTo("12.3");
    assertThat(Figures.of(0.0012345)).isEqualTo("0.00123");
    assertThat(Figures.of(0)).isEqualTo("0");
    assertThat(Figures.median(new double[] {3, 1, 2})).isEqualTo(2);
  }

  private static Measurement measured(Load load, double aktis, double jdk) {
    return new Measurement(
        load,
        List.of(new Figure(Side.AKTIS, "aktis", aktis, ""), new Figure(Side.JDK, "jdk", jdk, "")));
  }
}
